import type { NamedGraph, ResourceGraph } from '@terrane/engine';

/** Formats the dependencies of resources as a Mermaid flowchart, like `graph -format=mermaid` of Terraform 1.17. */
export function resourceGraphMermaid(
  { resources, edges }: ResourceGraph,
  detailedCommand: string,
): string {
  const lines = ['flowchart LR'];
  if (resources.length === 0) {
    lines.push(
      '  %% This configuration does not contain any resources.',
      `  %% For a more detailed graph, try: ${detailedCommand}`,
    );
  }
  let module = '';
  for (const resource of resources) {
    if (resource.module.text !== module) {
      if (module !== '') lines.push('  end');
      module = resource.module.text;
      lines.push(`  subgraph ${module}`);
    }
    const indent = module === '' ? '  ' : '    ';
    lines.push(`${indent}${resource.text}[${label(resource.resource.text)}]`);
  }
  if (module !== '') lines.push('  end');
  for (const [from, { text }] of resources.entries())
    for (const to of edges.edgesOf(from)) lines.push(`  ${text} --> ${resources[to]?.text ?? ''}`);
  return `${lines.join('\n')}\n`;
}

/** Formats the order of an operation as a Mermaid flowchart. Nodes of the same name are merged. */
export function operationGraphMermaid({ nodes, edges }: NamedGraph): string {
  const names = [...new Set(nodes.map(({ name }) => name))].sort();
  const ids = new Map(names.map((name, index) => [name, `n${index}`]));
  const idOf = (node: number): string => ids.get(nodes[node]?.name ?? '') ?? '';
  const labels = new Map(nodes.map((node) => [node.name, node.label]));
  const shapes = new Map(nodes.map((node) => [node.name, SHAPES[node.kind]]));
  const lines = names.map((name) => {
    const [open, close] = shapes.get(name) ?? SHAPES.other;
    return `  ${ids.get(name) ?? ''}${open}${label(labels.get(name) || name)}${close}`;
  });
  const arrows = new Set<string>();
  for (const from of nodes.keys())
    for (const to of edges.edgesOf(from))
      if (idOf(from) !== idOf(to)) arrows.add(`  ${idOf(from)} --> ${idOf(to)}`);
  return `${['flowchart LR', ...lines, ...arrows].join('\n')}\n`;
}

const SHAPES: Readonly<Record<NamedGraph['nodes'][number]['kind'], readonly [string, string]>> = {
  resource: ['[', ']'],
  provider: ['{', '}'],
  value: ['[', ']'],
  other: ['[', ']'],
};

function label(text: string): string {
  return `"${text.replaceAll('\n', ' ').replaceAll('"', '&quot;')}"`;
}
