import { type Syntax, walk } from '../syntax.ts';

/** Returns the first line and the number of lines of every function and method with a body, in their order. */
export function functionLengths({ program, lineOf }: Syntax): { line: number; lines: number }[] {
  const lengths: { line: number; lines: number }[] = [];
  walk(program, (node, parent) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type))
      return;
    // The lines of a method include its name and modifiers.
    const { start } = parent?.type === 'MethodDefinition' ? parent : node;
    const line = lineOf(start);
    lengths.push({ line, lines: lineOf(node.end) - line + 1 });
  });
  return lengths;
}
