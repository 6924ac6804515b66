import { compareText, quoteText } from '@terrane/cty';
import type { NamedGraph, NamedNode, ResourceGraph } from '@terrane/engine';

/** Formats the dependencies of resources in the DOT language of Graphviz, as Terraform's `graph` does. */
export function resourceGraphDot({ resources, edges }: ResourceGraph): string {
  const lines = [
    'digraph G {',
    '  rankdir = "RL";',
    '  node [shape = rect, fontname = "sans-serif"];',
  ];
  if (resources.length === 0) {
    lines.push(
      '  /* This configuration does not contain any resources.         */',
      '  /* For a more detailed graph, try: terraform graph -type=plan */',
    );
  }
  let cluster = '';
  for (const { module, resource, text } of resources) {
    if (module.text !== cluster) {
      if (cluster !== '') lines.push('  }');
      cluster = module.text;
      lines.push(
        `  subgraph "cluster_${cluster}" {`,
        `    label = ${quoteText(cluster)}`,
        '    fontname = "sans-serif"',
      );
    }
    const indent = cluster === '' ? '  ' : '    ';
    lines.push(`${indent}${quoteText(text)} [label=${quoteText(resource.text)}];`);
  }
  if (cluster !== '') lines.push('  }');
  for (const [from, { text }] of resources.entries()) {
    for (const to of edges.edgesOf(from)) {
      lines.push(`  ${quoteText(text)} -> ${quoteText(resources[to]?.text ?? '')};`);
    }
  }
  lines.push('}', '');
  return lines.join('\n');
}

const SHAPES: Readonly<Record<NamedNode['kind'], string | undefined>> = {
  resource: 'box',
  provider: 'diamond',
  value: 'note',
  other: undefined,
};

/** The order of an operation, in the DOT language of Graphviz, as Terraform's `graph -type=…` writes it. */
export function operationGraphDot({ nodes, edges }: NamedGraph): string {
  const statements = nodes.flatMap(({ name, kind, label }) => {
    const shape = SHAPES[kind];
    if (shape === undefined) return [];
    return `${title(name)} [label = ${quoteText(label)}, shape = ${quoteText(shape)}]`;
  });
  const arrows = new Set<string>();
  for (const [from, { name }] of nodes.entries()) {
    for (const to of edges.edgesOf(from)) {
      // Operations on instances of one resource may have one name.
      const target = nodes[to]?.name ?? '';
      if (target !== name) arrows.add(`${title(name)} -> ${title(target)}`);
    }
  }
  const body = [...statements.sort(compareText), ...[...arrows].sort(compareText)];
  return [
    'digraph {',
    '\tcompound = "true"',
    '\tnewrank = "true"',
    '\tsubgraph "root" {',
    ...body.map((line) => `\t\t${line}`),
    '\t}',
    '}',
    '',
  ].join('\n');
}

function title(name: string): string {
  return `"[root] ${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
