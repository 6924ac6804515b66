import type { InstanceAddr } from '@terrane/addresses';
import { type Diagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import { impliedType } from '@terrane/provider';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import { StateDraft } from '../state/draft.ts';
import { canBeLookedUp, type InterruptedCreate, plannedId } from '../state/interrupted.ts';
import type { State, StoredObject } from '../state/model.ts';
import { encodeStored } from '../state/stored-value.ts';
import { identityPart } from '../objects/stored-identity.ts';
import {
  type LiveObject,
  type Refreshed,
  refreshStored,
  type Subject,
  whereabouts,
  withSchemaMarks,
} from '../objects/stored.ts';
import type { Moves } from './moves.ts';
import type { PlanRun } from './run.ts';

// An uncertain object may exist: a run was interrupted while it created the object. Its plan is that of the creation,
// it is never part of the state, and it is looked up before any decision about it.

/** Uncertain objects that their provider can look up, by address. */
export type UncertainObjects = ReadonlyMap<InstanceAddr, StoredObject>;

/** Returns the uncertain objects among interrupted creations: those without an object in the state. */
function uncertainObjects(state: State, creations: readonly InterruptedCreate[]): UncertainObjects {
  const objects = new Map<InstanceAddr, StoredObject>();
  for (const { addr, planned } of creations) {
    if (state.instance(addr)?.current === undefined && canBeLookedUp(planned))
      objects.set(addr, planned);
  }
  return objects;
}

/** Returns the state with uncertain objects, for decisions about both: required providers and `moved` blocks. */
export function withUncertain(state: State, creations: readonly InterruptedCreate[]): State {
  const objects = uncertainObjects(state, creations);
  if (objects.size === 0) return state;
  const draft = new StateDraft(state);
  for (const [addr, object] of objects) draft.apply({ kind: 'put', addr, object });
  return draft.freeze();
}

/** The state after `moved` blocks, and the uncertain objects beside it. */
export interface SeparatedMoves {
  readonly moves: Moves;
  readonly state: State;
  readonly uncertain: UncertainObjects;
}

/**
 * Separates the uncertain objects from a state in which they were moved.
 *
 * @param moves moves in what `withUncertain` returned for `state` and `creations`
 */
export function separateUncertain(
  moves: Moves,
  state: State,
  creations: readonly InterruptedCreate[],
): SeparatedMoves {
  const uncertain = new Map<InstanceAddr, StoredObject>();
  const original = uncertainObjects(state, creations);
  if (original.size === 0) return { moves, state: moves.state, uncertain };
  const targets = new Map(Array.from(moves.previous, ([to, from]) => [from, to]));
  const draft = new StateDraft(moves.state);
  for (const addr of original.keys()) {
    const target = targets.get(addr) ?? addr;
    const object = moves.state.instance(target)?.current;
    if (object === undefined) continue;
    uncertain.set(target, object);
    draft.apply({ kind: 'drop', addr: target });
  }
  const events = moves.events.filter((event) => event.kind !== 'put' || !uncertain.has(event.addr));
  return { moves: { ...moves, events }, state: draft.freeze(), uncertain };
}

/** Returns whether an instance has objects, or may have one. */
export function mayExist({ prior, uncertain }: PlanRun, addr: InstanceAddr): boolean {
  return prior.instance(addr) !== undefined || uncertain.has(addr);
}

/** Records that the fate of an uncertain object is known. */
export function settle({ adopt, uncertain }: PlanRun, addr: InstanceAddr): void {
  uncertain.delete(addr);
  adopt({ kind: 'settled', addr });
}

/** Refreshes or imports an uncertain object. An existing object is returned, and no longer uncertain. */
export async function settleUncertain(
  run: PlanRun,
  subject: Subject,
  live: LiveObject,
  diagnostics: Diagnostic[],
): Promise<Refreshed> {
  const { addr } = subject;
  const problems: Diagnostic[] = [];
  const suspect =
    plannedId(live.stored) === undefined
      ? await importUncertain(run, subject, live, diagnostics)
      : live;
  if (suspect === undefined) {
    settle(run, addr);
    return { object: undefined, failed: false };
  }
  const read = await refreshStored(run, subject, suspect, problems);
  diagnostics.push(...problems);
  if (read.failed) {
    diagnostics.push(
      warningDiagnostic(
        'Interrupted operation',
        `An earlier run was to create ${addr.text} and ended without an answer, and the provider could not tell whether the object exists. To go on as if it did not, run:\n    ${programCommand('state recover -forget=')}'${addr.text}'`,
        undefined,
        { address: addr.text },
      ),
    );
    return read;
  }
  // Private data returned without an object belongs to no object.
  if (read.deferred !== undefined) return read;
  settle(run, addr);
  if (read.object === undefined) return { object: undefined, failed: false };
  // A deposed object of the instance may have the planned id or identity: then the creation took no effect.
  if (isDeposed(run, addr, read.object.stored)) return { object: undefined, failed: false };
  const object = certain(subject, read.object);
  diagnostics.push(foundWarning(addr, object));
  return { ...read, object };
}

/** Returns true if the state has the object already, as a deposed one of the instance. */
function isDeposed({ prior }: PlanRun, addr: InstanceAddr, object: StoredObject): boolean {
  const name = remoteName(object);
  if (name === undefined) return false;
  const deposed = prior.instance(addr)?.deposed.values() ?? [];
  return [...deposed].some((each) => remoteName(each) === name);
}

/** Returns the name of the remote object of a stored one among those of its type: its identity, or else its `id`. */
function remoteName({ identityJson, attributesJson }: StoredObject): string | undefined {
  if (identityJson !== undefined) return JSON.stringify(JSON.parse(identityJson));
  const attributes: unknown = JSON.parse(attributesJson ?? '{}');
  if (typeof attributes !== 'object' || attributes === null || !('id' in attributes))
    return undefined;
  const { id } = attributes;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Imports the object by its planned identity; undefined if the provider returns no object. */
async function importUncertain(
  run: PlanRun,
  subject: Subject,
  live: LiveObject,
  diagnostics: Diagnostic[],
): Promise<LiveObject | undefined> {
  const { addr, schema, provider } = subject;
  const { identity, stored } = live;
  if (identity === undefined) return live;
  const response = await provider.importResourceState({
    type: addr.resource.resource.type,
    address: addr.text,
    identity,
  });
  // A missing object is an import error, which cannot be distinguished from others.
  const problems = diagnosticsOf(response.diagnostics, whereabouts(subject));
  diagnostics.push(...problems.map((problem): Diagnostic => ({ ...problem, severity: 'warning' })));
  const [imported] = response.imported;
  if (hasErrors(problems) || imported === undefined || imported.state.isNull) return undefined;
  const value = withSchemaMarks(imported.state, schema);
  const { status, dependencies, createBeforeDestroy, skipDestroy } = stored;
  const object = encodeStored(value, impliedType(schema.block), {
    status,
    schemaVersion: schema.version,
    dependencies,
    createBeforeDestroy,
    provider: stored.provider,
    ...(skipDestroy === undefined ? {} : { skipDestroy }),
    ...(imported.private === undefined ? {} : { private: imported.private }),
    ...identityPart(subject, imported.identity ?? identity),
  });
  return { stored: object, value, identity: imported.identity ?? identity };
}

/** Returns the object, tainted if provisioners that follow its creation have not run. */
function certain({ resource }: Subject, { stored, ...live }: LiveObject): LiveObject {
  const isHalfMade = (resource?.provisioners ?? []).some(({ when }) => when === 'create');
  const object: StoredObject = isHalfMade ? { ...stored, status: 'tainted' } : stored;
  return { ...live, stored: object };
}

function foundWarning(addr: InstanceAddr, { stored }: LiveObject): Diagnostic {
  const next =
    stored.status === 'tainted'
      ? 'Its provisioners have not run, so it is tainted and will be replaced.'
      : 'Where it is not as it was planned, this plan tells what is left to be done.';
  return warningDiagnostic(
    'Object of an interrupted run found',
    `An earlier run was to create ${addr.text} and ended without an answer. The provider has found that object, and it is taken into the state. ${next}`,
    undefined,
    { address: addr.text },
  );
}
