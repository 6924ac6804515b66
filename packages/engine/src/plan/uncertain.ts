import type { InstanceAddr } from '@terrane/addresses';
import { type Diagnostic, hasErrors, warningDiagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import { impliedType } from '@terrane/provider';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import { StateDraft } from '../state/draft.ts';
import { canBeLookedFor, type InterruptedCreate, plannedId } from '../state/interrupted.ts';
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
import type { PlanRun } from './run.ts';

/**
 * The state with what may have been created by a run that ended in the middle of it, where the provider can be
 * asked for it. Such objects are uncertain: they are looked for before anything is decided about them, also where
 * nothing else is.
 */
export function withUncertain(state: State, creates: readonly InterruptedCreate[]): State {
  if (creates.length === 0) return state;
  const draft = new StateDraft(state);
  for (const { addr, planned } of creates) {
    if (draft.instance(addr)?.current !== undefined || !canBeLookedFor(planned)) continue;
    draft.apply({ kind: 'put', addr, object: { ...planned, uncertain: true } });
  }
  return draft.freeze();
}

/** The state without objects that are uncertain; the same state where there are none. */
export function withoutUncertain(state: State): State {
  const draft = new StateDraft(state);
  for (const addr of state.managedInstances())
    if (state.instance(addr)?.current?.uncertain === true) draft.apply({ kind: 'drop', addr });
  return draft.freeze();
}

/** Looks for an object that may have been created. What is found is not uncertain any more. */
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
  const settled = { kind: 'settled', addr } as const;
  if (suspect === undefined) {
    run.adopt(settled);
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
  // What private data came with the news that there is no object is of no object.
  if (read.deferred !== undefined) return read;
  run.adopt(settled);
  if (read.object === undefined) return { object: undefined, failed: false };
  const object = certain(subject, read.object);
  diagnostics.push(foundWarning(addr, object));
  return { ...read, object };
}

/** Asks for the object by the identity that it was to have; undefined where the provider gives none. */
async function importUncertain(
  run: PlanRun,
  subject: Subject,
  live: LiveObject,
  diagnostics: Diagnostic[],
): Promise<LiveObject | undefined> {
  const { addr, schema, provider } = subject;
  const { identity, stored } = live;
  if (identity === undefined) return live;
  const answer = await provider.importResourceState({
    type: addr.resource.resource.type,
    address: addr.text,
    identity,
  });
  // That there is no such object is an error of importing, which can't be told from others.
  const problems = diagnosticsOf(answer.diagnostics, whereabouts(subject));
  diagnostics.push(...problems.map((problem): Diagnostic => ({ ...problem, severity: 'warning' })));
  const [imported] = answer.imported;
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

/** The object as one that exists: tainted where what comes after its creation was not done. */
function certain({ resource }: Subject, { stored, ...live }: LiveObject): LiveObject {
  const { uncertain: _, ...rest } = stored;
  const isHalfMade = (resource?.provisioners ?? []).some(({ when }) => when === 'create');
  const object: StoredObject = isHalfMade ? { ...rest, status: 'tainted' } : rest;
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
