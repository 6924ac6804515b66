import { areInOtherInstances } from '../other-module-instance.ts';
import {
  type Plan,
  readStateFile,
  type RunEvent,
  sameState,
  type State,
  type StateFile,
  stateFileBytes,
  type StoredObject,
} from '@terrane/engine';
import type { Diagnostic } from '@terrane/hcl';
import {
  diagnosticText,
  eventText,
  outputsText,
  planJson,
  planText,
  StateSchemaError,
} from '@terrane/render';
import {
  EPHEMERAL_SECRET,
  type FuzzWorld,
  SENSITIVE_SECRET,
  type WorldCall,
} from './fuzz-world.ts';

/** An object of a state: where it is, and what is stored of it. */
export interface Stored {
  readonly address: string;
  readonly resource: string;
  readonly deposed: string | undefined;
  readonly object: StoredObject;
  readonly id: string;
}

/** All objects of managed resources in a state. */
export function storedIn(state: State): readonly Stored[] {
  const stored: Stored[] = [];
  for (const addr of state.managedInstances()) {
    const instance = state.instance(addr);
    const objects = [[undefined, instance?.current] as const, ...(instance?.deposed ?? [])];
    for (const [deposed, object] of objects) {
      if (object === undefined) continue;
      const { id = '' } = JSON.parse(object.attributesJson ?? '{}') as { id?: string };
      stored.push({ address: addr.text, resource: addr.config.text, deposed, object, id });
    }
  }
  return stored;
}

/** Returns the violations of a round trip through the state file, which must be exact to the byte. */
export function fileProblems(file: StateFile): readonly string[] {
  const bytes = stateFileBytes(file);
  const { file: again, diagnostics } = readStateFile(bytes);
  if (again === undefined) return [`the state file is refused: ${diagnostics[0]?.detail}`];
  const problems: string[] = [];
  if (Buffer.compare(stateFileBytes(again), bytes) !== 0)
    problems.push('the state file is written differently after it was read');
  if (!sameState(again.state, file.state)) problems.push('the state file says something else');
  if (Buffer.from(bytes).includes(EPHEMERAL_SECRET))
    problems.push('something ephemeral is in the state file');
  return problems;
}

/** Objects that state and world may disagree on. */
export interface Excuses {
  /** exist, and the state lawfully does not know them */
  readonly unmanaged: ReadonlySet<string>;
  /** are gone, and the state cannot know it yet */
  readonly ghosts: ReadonlySet<string>;
}

/** The state knows what exists, all of it and once. */
export function inventoryProblems(
  stored: readonly Stored[],
  world: FuzzWorld,
  { unmanaged, ghosts }: Excuses,
): readonly string[] {
  const problems: string[] = [];
  const known = new Map<string, string>();
  for (const { address, id } of stored) {
    if (id === '') problems.push(`${address} has no id`);
    const other = known.get(id);
    if (other !== undefined) problems.push(`${id} is both ${other} and ${address}`);
    known.set(id, address);
    if (!world.objects.has(id) && !ghosts.has(id))
      problems.push(`${address} is ${id}, which is gone`);
  }
  for (const id of world.objects.keys())
    if (!known.has(id) && !unmanaged.has(id)) problems.push(`${id} is forgotten`);
  return problems;
}

/** Dependencies of objects are resources that there are, or were; nothing is built on itself. */
export function dependencyProblems(
  stored: readonly Stored[],
  resources: ReadonlySet<string>,
  isOrdered = true,
): readonly string[] {
  const problems: string[] = [];
  const edges = new Map<string, Set<string>>();
  for (const { address, resource, object } of stored) {
    const { dependencies } = object;
    if (
      [...dependencies].sort().join() !== dependencies.join() ||
      new Set(dependencies).size < dependencies.length
    )
      problems.push(`${address} has its dependencies in disorder: ${dependencies.join()}`);
    for (const dependency of dependencies) {
      if (!resources.has(dependency))
        problems.push(`${address} is built on ${dependency}, which there is not`);
      let known = edges.get(resource);
      if (known === undefined) edges.set(resource, (known = new Set()));
      known.add(dependency);
    }
  }
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): void => {
    if (path.includes(node)) problems.push(`built on itself: ${[...path, node].join(' > ')}`);
    if (done.has(node) || path.includes(node)) return;
    path.push(node);
    for (const next of edges.get(node) ?? []) visit(next);
    path.pop();
    done.add(node);
  };
  if (isOrdered) for (const node of edges.keys()) visit(node);
  return problems;
}

/** Nothing is created twice, and nothing is deleted before what was built on it. */
export function callProblems(
  calls: readonly WorldCall[],
  before: readonly Stored[],
): readonly string[] {
  const problems: string[] = [];
  const created = new Set<string>();
  const byId = new Map(before.map((object) => [object.id, object]));
  const deletes: { readonly call: WorldCall; readonly stored: Stored }[] = [];
  for (const call of calls) {
    const text = `${call.action} of ${call.address} (${call.id})`;
    if (call.action === 'create') {
      if (created.has(call.address)) problems.push(`${call.address} is created twice`);
      created.add(call.address);
      continue;
    }
    const stored = byId.get(call.id);
    if (stored === undefined) problems.push(`${text} is about what the state did not know`);
    else if (call.action === 'delete') deletes.push({ call, stored });
  }
  for (const base of deletes) {
    for (const user of deletes) {
      if (user.stored.resource === base.stored.resource) continue;
      if (!user.stored.object.dependencies.includes(base.stored.resource)) continue;
      if (areInOtherInstances(user.stored.address, base.stored.address)) continue;
      // The objects that such a provider deletes may in turn be dependencies of the user.
      const isMade = deletes.some(
        ({ stored }) =>
          isProviderOf(stored, base.stored) &&
          (stored === user.stored || stored.object.dependencies.includes(user.stored.resource)),
      );
      if (isMade && isMadeAnew(calls, base.call)) continue;
      const text = `${base.stored.address} is deleted`;
      if (base.call.began < user.call.ended) problems.push(`${text} before ${user.stored.address}`);
      else if (user.call.failed)
        problems.push(`${text} though ${user.stored.address} is still there`);
    }
  }
  return problems;
}

/** Returns true if one object is deleted by a provider configuration that may depend on the other. */
function isProviderOf({ object }: Stored, { resource }: Stored): boolean {
  return object.provider.text.endsWith('.alt') && /^test_\w+\.s0v\d+$/.test(resource);
}

/** Returns true if an object is created again after a call: a provider needs its dependencies before it can delete. */
function isMadeAnew(calls: readonly WorldCall[], { address, ended }: WorldCall): boolean {
  return calls.some(
    (call) => call.action === 'create' && call.address === address && call.began > ended,
  );
}

const STYLE = { color: false, width: 78 };

/** Renders everything that a run prints in any format. */
export function printed(
  plan: Plan | undefined,
  diagnostics: readonly Diagnostic[],
  events: readonly RunEvent[],
): string {
  return [
    plan === undefined ? '' : planText(plan, STYLE),
    ...diagnostics.map((diagnostic) => diagnosticText(diagnostic, STYLE)),
    ...events.map((event) => eventText(event) ?? ''),
  ].join('\n');
}

/** Secrets in what is shown or kept. */
export function secretProblems(
  shown: string,
  plan: Plan | undefined,
  state: State,
): readonly string[] {
  const problems: string[] = [];
  const outputs = outputsText(state.outputs, STYLE);
  for (const secret of [EPHEMERAL_SECRET, SENSITIVE_SECRET]) {
    for (const text of [shown, outputs]) {
      const at = text.indexOf(secret);
      if (at !== -1)
        problems.push(`a secret is shown: ${text.slice(Math.max(0, at - 200), at + 50)}`);
    }
  }
  // The JSON is for programs: it has sensitive values, and says which they are.
  if (plan !== undefined && jsonOf(plan).includes(EPHEMERAL_SECRET))
    problems.push('something ephemeral is in the JSON of the plan');
  return problems;
}

/** The plan as JSON; nothing where the plan left objects as an earlier release of the provider stored them. */
function jsonOf(plan: Plan): string {
  try {
    return planJson(plan);
  } catch (error) {
    if (error instanceof StateSchemaError) return '';
    throw error;
  }
}
