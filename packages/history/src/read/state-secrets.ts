import type { InstanceAddr } from '@terrane/addresses';
import { valueToJson } from '@terrane/cty';
import type { State, StateEvent, StoredObject } from '@terrane/engine';
import { Secrets } from '@terrane/render';
import type { HistoryIndex } from '../record/history-store.ts';
import { addObjectSecrets } from './attribute-changes.ts';
import { sensitiveOf } from './sensitive-parts.ts';

type Schemas = HistoryIndex['schemas'];

/** Returns the sensitive texts of a state and of the objects that events put into it. */
export function secretsOfStates(
  state: State | undefined,
  events: readonly StateEvent[],
  schemas: Schemas,
): Secrets {
  const secrets = new Secrets();
  if (state !== undefined) addStateSecrets(state, schemas, secrets);
  addEventSecrets(events, schemas, secrets);
  return secrets;
}

/** Adds the sensitive texts of the objects and outputs of a state. */
export function addStateSecrets(state: State, schemas: Schemas, secrets: Secrets): void {
  for (const addr of state.instances()) {
    const instance = state.instance(addr);
    for (const object of [instance?.current, ...(instance?.deposed.values() ?? [])])
      addKnownSecrets(addr, object, schemas, secrets);
  }
  for (const { value, sensitive } of state.outputs.values())
    if (sensitive) secrets.add(JSON.parse(valueToJson(value, value.type)));
}

/** Adds the sensitive texts of the objects that events put into a state. */
export function addEventSecrets(
  events: readonly StateEvent[],
  schemas: Schemas,
  secrets: Secrets,
): void {
  for (const event of events)
    if (event.kind === 'put') addKnownSecrets(event.addr, event.object, schemas, secrets);
}

/** Adds the secrets of an object. Without its schema, only those that the state marks are known. */
function addKnownSecrets(
  addr: InstanceAddr,
  object: StoredObject | undefined,
  schemas: Schemas,
  secrets: Secrets,
): void {
  const sensitive = sensitiveOf(addr, object, schemas) ?? null;
  if (sensitive === null && (object?.sensitivePaths ?? []).length === 0) return;
  addObjectSecrets(object, sensitive, secrets);
}
