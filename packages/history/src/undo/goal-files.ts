import type { InstanceAddr } from '@terrane/addresses';
import type { Configuration, StateEvent } from '@terrane/engine';
import type { Value } from '@terrane/cty';
import type { UndoTarget } from './undo-target.ts';

/** Names of the files that are added to the configuration of the goal. */
const ADDED = 'terrane_undo.tf';
const OVERRIDE = 'terrane_undo_override.tf';

/** The configuration that an undo plans with. */
export interface GoalFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly variables: ReadonlyMap<string, Value>;
  /** addresses of imported objects that are forgotten instead of destroyed */
  readonly forgotten: ReadonlySet<string>;
}

/**
 * Completes the configuration before a run with additions for the undo: provider configurations of objects that
 * were added since, the reverse of moves, and `removed` blocks for objects that were imported and have to stay.
 */
export function goalFiles(
  target: Pick<UndoTarget, 'events' | 'imported' | 'latest' | 'before'>,
  goal: {
    readonly files: ReadonlyMap<string, string>;
    readonly variables: ReadonlyMap<string, Value>;
  },
  goalConfiguration: Configuration,
  latestConfiguration: Configuration,
): GoalFiles {
  const { latest } = target;
  const providers = missingProviders(goalConfiguration, latestConfiguration);
  const moves = reversedMoves(target.events, goalConfiguration);
  const { blocks: removals, addresses: forgotten } = removedImports(target, goalConfiguration);
  const files = new Map(goal.files);
  const variables = new Map(goal.variables);
  for (const name of providers.variables) {
    const value = latest.variables.get(name);
    if (value !== undefined && !variables.has(name)) variables.set(name, value);
  }
  const blocks = [...providers.blocks, ...moves, ...removals];
  if (blocks.length > 0) files.set(ADDED, `${blocks.join('\n\n')}\n`);
  if (providers.required.length > 0)
    files.set(
      OVERRIDE,
      `terraform {\n  required_providers {\n${providers.required.join('\n')}\n  }\n}\n`,
    );
  return { files, variables, forgotten };
}

/** Removes the files that an earlier undo added. */
export function withoutAdded(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...files].filter(([name]) => name !== ADDED && name !== OVERRIDE));
}

/** Provider configurations of the latest root module that the goal lacks, with the variables that they refer to. */
function missingProviders(
  goal: Configuration,
  latest: Configuration,
): {
  readonly blocks: readonly string[];
  readonly required: readonly string[];
  readonly variables: ReadonlySet<string>;
} {
  const blocks: string[] = [];
  const variables = new Set<string>();
  for (const [key, provider] of latest.root.providers) {
    // Blocks of JSON files have no text that fits into a native file.
    if (goal.root.providers.has(key) || provider.range.filename.endsWith('.json')) continue;
    const text = blockText(provider.range.source.text, provider.range.start);
    blocks.push(text);
    for (const [, name = ''] of text.matchAll(/\bvar\.([A-Za-z_][\w-]*)/g)) variables.add(name);
  }
  for (const name of variables) {
    const variable = latest.root.variables.get(name);
    if (variable === undefined || goal.root.variables.has(name)) continue;
    if (!variable.range.filename.endsWith('.json'))
      blocks.push(blockText(variable.range.source.text, variable.range.start));
  }
  const required = [...latest.root.requiredProviders]
    .filter(([name]) => !goal.root.requiredProviders.has(name))
    .map(([name, { source }]) => `    ${name} = { source = ${JSON.stringify(source.text)} }`);
  return { blocks, required, variables };
}

/** Returns the text of the block that begins at an offset, up to its closing brace. */
function blockText(text: string, start: number): string {
  const begin = text.lastIndexOf('\n', start) + 1;
  let depth = 0;
  for (const match of text.slice(begin).matchAll(/"(?:[^"\\\n]|\\.)*"|#[^\n]*|\/\/[^\n]*|[{}]/g)) {
    if (match[0] === '{') depth++;
    else if (match[0] === '}' && --depth === 0) return text.slice(begin, begin + match.index + 1);
  }
  return text.slice(begin);
}

/**
 * Returns `moved` blocks that lead each moved object back to the address where it was before the first event, for the
 * resources that the goal declares. An object may have moved several times, also to addresses that the goal lacks.
 */
function reversedMoves(events: readonly StateEvent[], goal: Configuration): readonly string[] {
  const origins = new Map<InstanceAddr, InstanceAddr>();
  for (const event of events) {
    if (event.kind !== 'move') continue;
    const { from, to } = event;
    const origin = origins.get(from) ?? from;
    origins.delete(from);
    origins.set(to, origin);
  }
  const occupied = new Set(Array.from(origins.keys(), (address) => address.text));
  const blocks: string[] = [];
  for (const [address, { resource: origin, text }] of origins) {
    const { module, resource } = origin;
    const isDeclared = goal.modules.get(module.path.text)?.resources.has(resource.text) === true;
    if (!isDeclared || address.text === text) continue;
    // The object that has taken the place moves away too. Such blocks would be a chain or a cycle.
    if (occupied.has(text)) continue;
    blocks.push(`moved {\n  from = ${address.text}\n  to   = ${text}\n}`);
  }
  return blocks;
}

/** Returns `removed` blocks for imported objects that did not belong to the state before the run. */
function removedImports(
  { imported, before }: Pick<UndoTarget, 'imported' | 'before'>,
  goal: Configuration,
): { readonly blocks: readonly string[]; readonly addresses: ReadonlySet<string> } {
  const present = new Set([...before.instances()].map(({ text }) => text));
  const resources = new Set<string>();
  const addresses = new Set<string>();
  for (const address of imported) {
    if (present.has(address)) continue;
    // A `removed` block refers to the whole resource, so instance keys are removed.
    const resource = address.replaceAll(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, '');
    if (isDeclared(goal, resource)) continue;
    resources.add(resource);
    addresses.add(address);
  }
  const blocks = [...resources].map(
    (resource) => `removed {\n  from = ${resource}\n\n  lifecycle {\n    destroy = false\n  }\n}`,
  );
  return { blocks, addresses };
}

function isDeclared(goal: Configuration, resource: string): boolean {
  for (const module of goal.modules.values()) {
    const prefix = module.path.names.map((name) => `module.${name}.`).join('');
    for (const name of module.resources.keys()) if (prefix + name === resource) return true;
  }
  return false;
}
