import type { InstanceAddr } from '@terrane/addresses';
import { CtyError, type Value } from '@terrane/cty';
import {
  decodeStored,
  type Plan,
  type PlannedChange,
  type State,
  type StoredObject,
} from '@terrane/engine';
import { impliedType } from '@terrane/provider';
import { objectIdentity } from '../record/object-identity.ts';
import type { UndoTarget } from './undo-target.ts';

/**
 * The extent to which an action restores the object as it was before the run. `reversible`: completely. `lossy`: it destroys
 * something that existed, or makes another object in its place. `impossible`: there is no action that leads back.
 * `additional`: the action has nothing to do with the run, and comes from the configuration before it.
 */
export type UndoClass = 'reversible' | 'lossy' | 'impossible' | 'additional';

/** An action of the undo plan, or an object that cannot be undone. */
export interface ClassifiedAction {
  readonly address: string;
  readonly deposed?: string;
  /** `no-op` if nothing is planned for the object */
  readonly action: PlannedChange['action'];
  readonly class: UndoClass;
  /** the reason, unless it is a plain reversible action */
  readonly reason?: string;
}

/** Classifies all actions of a plan that undoes a run, and the objects that it cannot restore. */
export function classifyUndo(
  plan: Plan,
  { before, imported, forgotten: left }: Pick<UndoTarget, 'before' | 'imported' | 'forgotten'>,
  {
    forgotten,
    reinstated,
  }: { readonly forgotten: ReadonlySet<string>; readonly reinstated: ReadonlySet<string> },
): readonly ClassifiedAction[] {
  const actions: ClassifiedAction[] = [];
  const seen = new Set<string>();
  const formerIdentities = identitiesOf(before);
  for (const change of plan.changes) {
    const { addr, deposed, action } = change;
    if (addr.resource.resource.mode !== 'managed') continue;
    seen.add(keyOf(addr, deposed));
    const isDouble = action === 'create' && left.has(addr.text);
    const judged = isDouble
      ? impossible(
          'the former object was removed from the state and still exists, so this creates a second one; import it, or restore the state',
        )
      : classify(plan, change, before, formerIdentities, imported, forgotten);
    const isReinstated = deposed === undefined && reinstated.has(addr.text);
    const classified = isReinstated && (judged ?? REVERSIBLE) === REVERSIBLE ? REINSTATED : judged;
    if (classified === undefined) continue;
    actions.push({
      address: addr.text,
      ...(deposed === undefined ? {} : { deposed }),
      action,
      ...classified,
    });
  }
  for (const addr of before.managedInstances()) {
    if (seen.has(keyOf(addr, undefined)) || before.instance(addr)?.current === undefined) continue;
    actions.push({
      address: addr.text,
      action: 'no-op',
      class: 'impossible',
      reason: 'the object is gone, and the configuration before the run does not declare it',
    });
  }
  return actions;
}

type Classification = Pick<ClassifiedAction, 'class' | 'reason'>;

const REVERSIBLE: Classification = { class: 'reversible' };
const REINSTATED: Classification = {
  class: 'reversible',
  reason: 'the former object still exists, as a deposed one, and becomes current again',
};
const lossy = (reason: string): Classification => ({ class: 'lossy', reason });
const impossible = (reason: string): Classification => ({ class: 'impossible', reason });
const additional = (reason: string): Classification => ({ class: 'additional', reason });

/** Classifies a change; undefined for objects that need no change and have none. */
function classify(
  plan: Plan,
  change: PlannedChange,
  before: State,
  formerIdentities: ReadonlySet<string>,
  imported: ReadonlySet<string>,
  forgotten: ReadonlySet<string>,
): Classification | undefined {
  const { addr, deposed, action } = change;
  const current = objectAt(plan.priorState, addr, deposed);
  const isFormer = current !== undefined && formerIdentities.has(typedIdentity(addr, current));
  const former = deposed === undefined ? objectAt(before, addr, undefined) : undefined;
  switch (action) {
    case 'delete':
      if (isFormer || former !== undefined)
        return lossy('destroys an object that existed before the run');
      return imported.has(addr.text)
        ? lossy('destroys an object that was imported, and existed before')
        : REVERSIBLE;
    case 'forget':
      return forgotten.has(addr.text) || !isFormer
        ? REVERSIBLE
        : lossy('leaves an object that was managed before the run');
    case 'create':
      return former === undefined
        ? additional('creates an object that did not exist before the run')
        : lossy('creates another object: the former one, and its data, are gone');
    case 'delete-then-create':
    case 'create-then-delete':
    case 'create-then-forget':
    case 'forget-then-create':
      return former === undefined
        ? lossy('replaces an object that did not exist before the run')
        : lossy('replaces the object: the new one has another identity and none of the data');
    case 'update':
    case 'no-op':
      return keptClass(plan, change, former, current, isFormer);
    case 'read':
      return undefined;
  }
}

/** Classifies an object that stays. */
function keptClass(
  plan: Plan,
  { addr, deposed, action, after, requiredReplace }: PlannedChange,
  former: StoredObject | undefined,
  current: StoredObject | undefined,
  isFormer: boolean,
): Classification | undefined {
  const isUpdate = action === 'update';
  if (deposed !== undefined) return undefined;
  if (former === undefined)
    return isUpdate
      ? additional('changes an object that did not exist before the run')
      : current === undefined || isFormer
        ? undefined
        : impossible('the object did not exist before the run, and its configuration did');
  if (objectIdentity(former) !== objectIdentity(current)) {
    const reason = 'the object was replaced since: the former one, and its data, are gone';
    return isUpdate ? lossy(reason) : impossible(reason);
  }
  const differing = differingAttributes(plan, addr, former, after);
  if (differing === undefined)
    return isUpdate ? lossy('the former object was written by another schema version') : undefined;
  if (differing.length > 0) {
    const names = differing.join(', ');
    return isUpdate
      ? lossy(`does not restore all attributes as they were: ${names}`)
      : impossible(`the configuration before the run does not restore: ${names}`);
  }
  if (!isUpdate) return undefined;
  return requiredReplace.length > 0 ? lossy('may replace the object') : REVERSIBLE;
}

/**
 * Returns the attributes whose planned value is known and differs from the former one; undefined if the former object
 * cannot be decoded by the current schema.
 */
function differingAttributes(
  plan: Plan,
  { resource: { resource } }: InstanceAddr,
  former: StoredObject,
  after: Value,
): readonly string[] | undefined {
  const source = former.provider.provider;
  const schema = plan.schemas.resource(source, 'managed', resource.type);
  if (schema === undefined || schema.version !== former.schemaVersion) return undefined;
  let old: Value;
  try {
    old = decodeStored(former, impliedType(schema.block)).unmarkDeep().value;
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return undefined;
  }
  const planned = after.unmarkDeep().value;
  if (planned.isNull || old.isNull) return [];
  const names = [...Object.keys(schema.block.attributes), ...Object.keys(schema.block.blocks)];
  return names.filter((name) => {
    const value = planned.attr(name);
    return value.isWhollyKnown() && !value.rawEquals(old.attr(name));
  });
}

function objectAt(
  state: State,
  addr: InstanceAddr,
  deposed: string | undefined,
): StoredObject | undefined {
  const instance = state.instance(addr);
  return deposed === undefined ? instance?.current : instance?.deposed.get(deposed);
}

function identitiesOf(state: State): ReadonlySet<string> {
  const identities = new Set<string>();
  for (const addr of state.managedInstances()) {
    const instance = state.instance(addr);
    const objects = [instance?.current, ...(instance?.deposed.values() ?? [])];
    for (const object of objects) {
      if (object !== undefined && objectIdentity(object) !== undefined)
        identities.add(typedIdentity(addr, object));
    }
  }
  return identities;
}

const typedIdentity = (addr: InstanceAddr, object: StoredObject): string =>
  `${addr.resource.resource.type} ${objectIdentity(object) ?? ''}`;

const keyOf = ({ text }: InstanceAddr, deposed: string | undefined): string =>
  `${text} ${deposed ?? ''}`;
