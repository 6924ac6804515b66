import type { InstanceAddr } from '@terrane/addresses';
import type { State, StateEvent, StoredObject } from '@terrane/engine';
import type { Secrets } from '@terrane/render';
import { type AttributeChange, attributeChanges, withoutCopies } from './attribute-changes.ts';
import type { HistoryIndex, HistoryStore } from '../record/history-store.ts';
import type { RunSummary } from '../record/model.ts';
import { type ActionOf, isOutside, type ObjectAction, objectActions } from './object-action.ts';
import { sensitiveOf } from './sensitive-parts.ts';
import { mayContain } from '../record/address-filter.ts';
import { isSameName, stateBefore } from '../record/states.ts';
import { addEventSecrets, addStateSecrets, secretsOfStates } from './state-secrets.ts';

/** The last change of one attribute, with the run that made it. */
export interface BlamedAttribute extends AttributeChange {
  /** undefined: it was changed outside of the recorded runs */
  readonly run: RunSummary | undefined;
  /** true: others made the change, and the run found it */
  readonly outside?: true;
}

/** A run that changed an object, or found it changed. */
export interface BlamedRun {
  readonly run: RunSummary;
  readonly action: ObjectAction;
}

/** The attributes of one object, with the runs that changed them. */
export interface BlamedObject {
  readonly address: string;
  /** false: the object is not in the state any more */
  readonly exists: boolean;
  readonly attributes: readonly BlamedAttribute[];
  /** the runs that changed the object, oldest first */
  readonly runs: readonly BlamedRun[];
}

/** The objects at an address: those of an instance, a resource or a module. */
export interface Blame {
  readonly objects: readonly BlamedObject[];
}

interface Tracked {
  object: StoredObject | undefined;
  /** by key */
  readonly deposed: Map<string, StoredObject>;
  readonly attributes: Map<string, BlamedAttribute>;
  readonly runs: BlamedRun[];
}

/** The history that is read, and the sensitive texts that were found in it. */
interface BlameSource {
  readonly store: HistoryStore;
  readonly index: HistoryIndex;
  readonly secrets: Secrets;
}

/**
 * Follows the objects at an address through all runs.
 *
 * @param current the present state, whose sensitive values are omitted
 */
export async function blame(
  store: HistoryStore,
  index: HistoryIndex,
  address: string,
  current: State | undefined,
): Promise<Blame> {
  const secrets = secretsOfStates(current, [], index.schemas);
  const source: BlameSource = { store, index, secrets };
  const addresses = await formerAddresses(store, index, address);
  const tracked = new Map<string, Tracked>();
  for (const [position, run] of index.runs.entries()) {
    const previous = index.runs[position - 1];
    // After changes by other programs, and at the beginning, the objects before the run are not those of earlier runs.
    if (run.keyframe && !(previous !== undefined && isSameName(previous.final, run.base)))
      await adoptState(source, run, addresses, tracked);
    if (!touches(run, addresses)) continue;
    const stored = await store.readRun(run.id);
    if (stored === undefined) continue;
    addEventSecrets(stored.events, index.schemas, secrets);
    const actionAt = objectActions(stored.record);
    for (const [position, event] of stored.events.entries())
      follow(event, run, addresses, tracked, source, actionAt(position));
  }
  const objects = [...tracked]
    .filter(([name, { runs, object }]) => isWithin(name, address) && (runs.length > 0 || object))
    .map(([name, { object, attributes, runs }]) => ({
      address: name,
      exists: object !== undefined,
      // Secrets of later runs are known only now.
      attributes: [...attributes.values()]
        .map((each) => withoutCopies(each, secrets))
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
      runs,
    }));
  return { objects: objects.sort((a, b) => (a.address < b.address ? -1 : 1)) };
}

/** Returns the address with the addresses that its objects had before they were moved. */
async function formerAddresses(
  store: HistoryStore,
  { runs }: HistoryIndex,
  address: string,
): Promise<readonly string[]> {
  const addresses = [address];
  for (const run of runs.toReversed()) {
    if (run.counts.other === 0 || !touches(run, addresses)) continue;
    const stored = await store.readRun(run.id);
    for (const event of stored?.events.toReversed() ?? [])
      if (event.kind === 'move' && addresses.some((each) => isWithin(event.to.text, each)))
        addresses.push(event.from.text);
  }
  return addresses;
}

/** Returns false if, according to the list of runs, a run changed nothing at the requested addresses. */
function touches(
  { addresses, addressFilter: filter }: RunSummary,
  wanted: readonly string[],
): boolean {
  if (addresses === undefined)
    return filter === undefined || wanted.some((address) => mayContain(filter, address));
  return addresses.some((each) => wanted.some((address) => isWithin(each, address)));
}

/** Returns true if an instance is at an address, or part of the resource or module there. */
export function isWithin(instance: string, address: string): boolean {
  if (!instance.startsWith(address)) return false;
  const next = instance.charAt(address.length);
  return next === '' || next === '.' || next === '[';
}

function trackedAt(tracked: Map<string, Tracked>, address: string): Tracked {
  let entry = tracked.get(address);
  if (entry === undefined) {
    entry = { object: undefined, deposed: new Map(), attributes: new Map(), runs: [] };
    tracked.set(address, entry);
  }
  return entry;
}

async function adoptState(
  source: BlameSource,
  run: RunSummary,
  wanted: readonly string[],
  tracked: Map<string, Tracked>,
): Promise<void> {
  const before = await stateBefore(source.store, source.index, run.id);
  if (before === undefined) return;
  const state = before.file?.state;
  if (state !== undefined) addStateSecrets(state, source.index.schemas, source.secrets);
  const present = new Set<string>();
  for (const addr of state?.instances() ?? []) {
    if (!wanted.some((address) => isWithin(addr.text, address))) continue;
    present.add(addr.text);
    const instance = state?.instance(addr);
    const entry = trackedAt(tracked, addr.text);
    for (const [key, object] of instance?.deposed ?? []) entry.deposed.set(key, object);
    change(addr, instance?.current, undefined, entry, source, () => 'create');
  }
  for (const [address, entry] of tracked) if (!present.has(address)) entry.object = undefined;
}

function follow(
  event: StateEvent,
  run: RunSummary,
  wanted: readonly string[],
  tracked: Map<string, Tracked>,
  source: BlameSource,
  actionOf: ActionOf,
): void {
  const isWanted = ({ text }: InstanceAddr): boolean =>
    wanted.some((address) => isWithin(text, address));
  if (event.kind === 'move') {
    if (!isWanted(event.to)) return;
    const entry = tracked.get(event.from.text);
    if (entry === undefined) return;
    tracked.delete(event.from.text);
    entry.runs.push({ run, action: 'move' });
    tracked.set(event.to.text, entry);
    return;
  }
  if (!('addr' in event) || !isWanted(event.addr)) return;
  const { addr } = event;
  const entry = trackedAt(tracked, addr.text);
  switch (event.kind) {
    case 'put':
    case 'drop': {
      const { deposed } = event;
      const object = event.kind === 'put' ? event.object : undefined;
      if (deposed === undefined) change(addr, object, run, entry, source, actionOf);
      else if (object === undefined) entry.deposed.delete(deposed);
      else entry.deposed.set(deposed, object);
      break;
    }
    case 'depose':
      if (entry.object !== undefined) entry.deposed.set(event.as, entry.object);
      change(addr, undefined, run, entry, source, () => 'depose');
      break;
    case 'restore': {
      const object = entry.deposed.get(event.from);
      entry.deposed.delete(event.from);
      // A current object stays.
      if (entry.object === undefined) change(addr, object, run, entry, source, () => 'restore');
      break;
    }
    case 'intent':
    case 'settled':
      break;
  }
}

function change(
  addr: InstanceAddr,
  object: StoredObject | undefined,
  run: RunSummary | undefined,
  entry: Tracked,
  { index: { schemas }, secrets }: BlameSource,
  actionOf: ActionOf,
): void {
  const before = entry.object;
  if (before === undefined && object === undefined) return;
  const sensitive = sensitiveOf(addr, object ?? before, schemas);
  const changes = attributeChanges(before, object, sensitive, secrets);
  const isStatusChange =
    before !== undefined && object !== undefined && before.status !== object.status;
  entry.object = object;
  if (changes.length === 0 && !isStatusChange && before !== undefined) return;
  if (before === undefined) entry.attributes.clear();
  const action = actionOf(addr, before, object);
  const origin = isOutside(action) ? { run, outside: true as const } : { run };
  for (const each of changes) entry.attributes.set(each.path, { ...each, ...origin });
  if (run !== undefined) entry.runs.push({ run, action });
}
