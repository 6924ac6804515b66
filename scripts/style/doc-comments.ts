import { isNode, type Node, type Syntax, walk } from '../syntax.ts';

/** The first word of a documentation comment, and what the comment documents. */
export interface DocComment {
  readonly line: number;
  readonly firstWord: string;
  /** Reports whether the comment stands before a function or a method. */
  readonly ofFunction: boolean;
}

/** Returns the documentation comments (`/** … *\/`) of a file in their order. */
export function docComments(syntax: Syntax): DocComment[] {
  const functions = functionStarts(syntax.program);
  return syntax.comments.flatMap((comment) => {
    if (comment.type !== 'Block' || !comment.value.startsWith('*')) return [];
    const firstWord = /^[\s*]*(\S+)/.exec(comment.value)?.[1] ?? '';
    const next = /\S/.exec(syntax.text.slice(comment.end));
    const start = next === null ? -1 : comment.end + next.index;
    return [{ line: syntax.lineOf(comment.start), firstWord, ofFunction: functions.has(start) }];
  });
}

/** The offsets at which a declaration of a function starts, with and without `export`. */
function functionStarts(program: Node): Set<number> {
  const starts = new Set<number>();
  walk(program, (node, parent) => {
    if (!isFunctionDeclaration(node)) return;
    starts.add(node.start);
    if (parent?.type.startsWith('Export') === true) starts.add(parent.start);
  });
  return starts;
}

function isFunctionDeclaration(node: Node): boolean {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'MethodDefinition':
    case 'TSMethodSignature':
      return true;
    case 'PropertyDefinition':
      return isFunction(node['value']);
    case 'VariableDeclaration': {
      const [first]: unknown[] = Array.isArray(node['declarations']) ? node['declarations'] : [];
      return isNode(first) && isFunction(first['init']);
    }
    default:
      return false;
  }
}

function isFunction(value: unknown): boolean {
  return (
    isNode(value) &&
    (value.type === 'ArrowFunctionExpression' || value.type === 'FunctionExpression')
  );
}
