import { posix } from 'node:path';
import { isNode, nameOf, type Node, parseSource, type Syntax, textOf, walk } from '../syntax.ts';

/** The function that throws an error on unless a user, a service or the system can have caused it. */
const EXPECT = 'expectUserError';

/** Returns a problem for each handler of the sources of packages and providers that hides internal errors. */
export function catchProblems(
  sources: readonly { readonly path: string; readonly text: string }[],
): (UntypedCatch & { readonly message: string })[] {
  const tree = sources.map(({ path, text }) => parseSource(path, text));
  const functions = errorFunctions(tree);
  return tree
    .filter(({ path }) => !path.startsWith('scripts/'))
    .flatMap((syntax) => untypedCatches(syntax, functions))
    .map((untyped) => ({
      ...untyped,
      message:
        'reports internal errors as user errors: use userErrorText or expectUserError of @terrane/host, or justify it with `// any-error: …`',
    }));
}

/** Answers which functions matter in the handling of errors. Functions are known by their names. */
export interface ErrorFunctions {
  /** Reports whether a function, as called in a file, throws internal errors on: `expectUserError` and every function that passes its parameter to one. */
  readonly rethrows: (path: string, name: string) => boolean;
  /** Reports whether the declared result of a function, as called in a file, contains diagnostics. */
  readonly diagnoses: (path: string, name: string) => boolean;
}

/** A handler of errors that reports internal errors as if they were the user's. */
export interface UntypedCatch {
  readonly path: string;
  readonly line: number;
}

interface Declaration {
  readonly path: string;
  readonly node: Node;
  readonly diagnoses: boolean;
  rethrows: boolean;
}

/**
 * Classifies the functions of a tree. A name means the functions that the calling file declares or imports by a
 * relative path, or else all of that name: a call rethrows if each of them does, and diagnoses if one of them does.
 */
export function errorFunctions(tree: readonly Syntax[]): ErrorFunctions {
  const byName = new Map<string, Declaration[]>();
  const importedFrom = new Map<string, string>();
  for (const { path, program, text } of tree) {
    walk(program, (node) => {
      const specifier = node.type === 'ImportDeclaration' ? textOf(node['source']) : undefined;
      if (specifier?.startsWith('.') === true) {
        const target = posix.join(posix.dirname(path), specifier);
        walk(node, (item) => {
          const local = item.type === 'ImportSpecifier' ? nameOf(item['local']) : undefined;
          if (local !== undefined) importedFrom.set(`${path} ${local}`, target);
        });
      }
      const name = functionName(node);
      if (name === undefined) return;
      const list = byName.get(name) ?? [];
      const result = functionOf(node)['returnType'];
      const diagnoses =
        isNode(result) && /\bDiagnostics?\b/.test(text.slice(result.start, result.end));
      list.push({ path, node: functionOf(node), diagnoses, rethrows: false });
      byName.set(name, list);
    });
  }
  const called = (path: string, name: string): readonly Declaration[] => {
    const all = byName.get(name) ?? [];
    const source = importedFrom.get(`${path} ${name}`) ?? path;
    const declared = all.filter((declaration) => declaration.path === source);
    return declared.length > 0 ? declared : all;
  };
  const rethrows = (path: string, name: string): boolean => {
    const functions = called(path, name);
    return name === EXPECT || (functions.length > 0 && functions.every((each) => each.rethrows));
  };
  for (let changed = true; changed;) {
    changed = false;
    for (const declaration of [...byName.values()].flat()) {
      if (declaration.rethrows || !passesParameter(declaration, rethrows)) continue;
      declaration.rethrows = true;
      changed = true;
    }
  }
  return {
    rethrows,
    diagnoses: (path, name) => called(path, name).some((each) => each.diagnoses),
  };
}

/**
 * Returns the handlers (`catch` clauses and callbacks of `.catch`) that report a caught error to the user and never
 * narrow it: no call of a rethrowing function, no `throw` of the error itself, and no test for a class of errors. A
 * handler that has to report any error says why in a comment `// any-error: …`.
 */
export function untypedCatches(syntax: Syntax, functions: ErrorFunctions): UntypedCatch[] {
  const catches: UntypedCatch[] = [];
  walk(syntax.program, (node) => {
    const handler = handlerOf(node);
    if (handler === undefined) return;
    if (!reports(syntax.path, handler, functions) || narrows(syntax.path, handler, functions)) {
      return;
    }
    if (isExcused(syntax, handler.body)) return;
    catches.push({ path: syntax.path, line: syntax.lineOf(handler.body.start) });
  });
  return catches;
}

interface Handler {
  readonly body: Node;
  /** The name of the caught error; undefined if the handler ignores it. */
  readonly error: string | undefined;
}

function handlerOf(node: Node): Handler | undefined {
  if (node.type === 'CatchClause') {
    const { body, param } = node;
    return isNode(body) ? { body, error: nameOf(param) } : undefined;
  }
  if (node.type !== 'CallExpression' || !isNode(node['callee'])) return undefined;
  if (nameOf(node['callee']['property']) !== 'catch') return undefined;
  const [callback]: unknown[] = Array.isArray(node['arguments']) ? node['arguments'] : [];
  if (!isNode(callback) || !isNode(callback['body'])) return undefined;
  const [parameter]: unknown[] = Array.isArray(callback['params']) ? callback['params'] : [];
  return { body: callback['body'], error: nameOf(parameter) };
}

/** Reports whether a handler makes a diagnostic or puts the text of the error into a message. */
function reports(path: string, { body, error }: Handler, { diagnoses }: ErrorFunctions): boolean {
  return contains(body, (node) => {
    switch (node.type) {
      case 'Property':
        return nameOf(node['key']) === 'severity';
      case 'CallExpression':
        return (
          (isOwnCall(node) && diagnoses(path, calledName(node) ?? '')) ||
          (calledName(node) === 'String' && takes(node, error))
        );
      case 'MemberExpression':
        return (
          error !== undefined &&
          nameOf(node['property']) === 'message' &&
          nameOf(unwrapped(node['object'])) === error
        );
      default:
        return false;
    }
  });
}

function narrows(path: string, { body, error }: Handler, { rethrows }: ErrorFunctions): boolean {
  return contains(body, (node) => {
    switch (node.type) {
      case 'CallExpression':
        return rethrows(path, calledName(node) ?? '');
      case 'ThrowStatement':
        return error !== undefined && nameOf(node['argument']) === error;
      case 'BinaryExpression':
        return (
          node['operator'] === 'instanceof' &&
          nameOf(node['left']) === error &&
          nameOf(node['right']) !== 'Error'
        );
      default:
        return false;
    }
  });
}

/** Reports whether the comments of a handler justify that it reports any error. */
function isExcused({ comments }: Syntax, body: Node): boolean {
  return comments.some(
    ({ start, end, value }) =>
      start >= body.start && end <= body.end && /^\s*any-error:\s*\S.{8,}/s.test(value),
  );
}

/** Reports whether a function throws a parameter on, itself or through a function that does. */
function passesParameter(
  { path, node }: Declaration,
  rethrows: ErrorFunctions['rethrows'],
): boolean {
  const { body, params } = node;
  if (!isNode(body) || !Array.isArray(params)) return false;
  const names = new Set(params.map(nameOf).filter((name) => name !== undefined));
  return contains(body, (child) => {
    if (child.type === 'ThrowStatement') return names.has(nameOf(child['argument']) ?? '');
    if (child.type !== 'CallExpression' || !rethrows(path, calledName(child) ?? '')) return false;
    return [...names].some((name) => takes(child, name));
  });
}

function takes(call: Node, name: string | undefined): boolean {
  const { arguments: values } = call;
  return (
    name !== undefined && Array.isArray(values) && values.some((value) => nameOf(value) === name)
  );
}

/** Searches a subtree, without the handlers inside of it and what becomes an `Error` if it is none. */
function contains(node: Node, matches: (node: Node) => boolean): boolean {
  let matched = false;
  walk(node, (child) => {
    if (matched || (child !== node && child.type === 'CatchClause')) return false;
    if (isCoercion(child)) return false;
    matched = matches(child);
    return !matched;
  });
  return matched;
}

/** Reports whether a node is `error instanceof Error ? error : …`. */
function isCoercion(node: Node): boolean {
  const { consequent, test } = node;
  return (
    node.type === 'ConditionalExpression' &&
    isNode(test) &&
    test['operator'] === 'instanceof' &&
    nameOf(test['left']) !== undefined &&
    nameOf(test['left']) === nameOf(consequent)
  );
}

/** Reports whether a call names a function or a method of the class itself, which its name identifies well enough. */
function isOwnCall({ callee }: Node): boolean {
  if (!isNode(callee) || callee.type !== 'MemberExpression') return true;
  return isNode(callee['object']) && callee['object'].type === 'ThisExpression';
}

function calledName(call: Node): string | undefined {
  const { callee } = call;
  if (!isNode(callee)) return undefined;
  if (callee.type !== 'MemberExpression') return nameOf(callee);
  const { property } = callee;
  if (isNode(property) && property.type === 'PrivateIdentifier') return String(property['name']);
  return nameOf(property);
}

function functionName(node: Node): string | undefined {
  if (node.type === 'FunctionDeclaration') return nameOf(node['id']);
  if (node.type === 'VariableDeclarator' && isFunction(node['init'])) return nameOf(node['id']);
  if (node.type !== 'MethodDefinition') return undefined;
  const { key } = node;
  if (isNode(key) && key.type === 'PrivateIdentifier') return String(key['name']);
  return nameOf(key);
}

function functionOf(node: Node): Node {
  const { init, value } = node;
  if (node.type === 'VariableDeclarator' && isNode(init)) return init;
  return node.type === 'MethodDefinition' && isNode(value) ? value : node;
}

function isFunction(value: unknown): boolean {
  return isNode(value) && /^(ArrowFunction|Function)Expression$/.test(value.type);
}

function unwrapped(node: unknown): unknown {
  let inner = node;
  while (isNode(inner) && /^(TSAsExpression|ParenthesizedExpression)$/.test(inner.type)) {
    inner = inner['expression'];
  }
  return inner;
}
