/** A node of a displayed tree: a line, and its children. */
export interface TextTree {
  readonly text: string;
  readonly children: readonly TextTree[];
}

// Spaces that do not break, as in Terraform's trees.
const CONTINUED = '│\u00a0\u00a0 ';

/** Formats trees, one node per line; every line ends with a line feed. */
export function treeText(trees: readonly TextTree[], indent = ''): string {
  return trees
    .map(({ text, children }, index) => {
      const last = index === trees.length - 1;
      const below = treeText(children, `${indent}${last ? '    ' : CONTINUED}`);
      return `${indent}${last ? '└──' : '├──'} ${text}\n${below}`;
    })
    .join('');
}
