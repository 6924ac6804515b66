import { unknownAsNull } from '@terrane/cty';
import { impliedType } from '@terrane/provider';
import { isKeptInState } from '../objects/forgetting.ts';
import type { PlannedChange } from '../objects/change.ts';
import { identityPart } from '../objects/stored-identity.ts';
import { withSchemaMarks } from '../objects/stored.ts';
import type { StateEvent } from '../state/event.ts';
import type { StoredObject } from '../state/model.ts';
import { encodeStored } from '../state/stored-value.ts';
import type { Target } from './target.ts';
import type { ApplyRun } from './request.ts';

/** Returns the intent that is recorded durably before a provider creates or updates an object. */
export function intentOf(
  run: ApplyRun,
  step: number,
  action: 'create' | 'update',
  target: Target,
  change: PlannedChange,
  stored: StoredObject | undefined,
): StateEvent {
  const { schema, addr, node } = target;
  // The plan of a replacement lacks the sensitive marks of the schema.
  const after = withSchemaMarks(unknownAsNull(change.after), schema);
  const planned = encodeStored(after, impliedType(schema.block), {
    status: 'ready',
    schemaVersion: schema.version,
    dependencies: run.dependencies.of(node),
    createBeforeDestroy: run.createsFirst.has(node),
    provider: change.provider,
    ...(isKeptInState(target.resource) ? { skipDestroy: true } : {}),
    ...(change.private === undefined ? {} : { private: change.private }),
    ...identityPart(target, change.afterIdentity),
  });
  const time = run.request.now().toISOString();
  const prior =
    stored?.identityJson === undefined || stored.identitySchemaVersion === undefined
      ? {}
      : { prior: { schemaVersion: stored.identitySchemaVersion, json: stored.identityJson } };
  return { kind: 'intent', step, action, addr, planned, ...prior, at: time };
}
