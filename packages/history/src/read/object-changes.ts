import { valueToJson } from '@terrane/cty';
import { type State, StateDraft, type StateEvent } from '@terrane/engine';
import type { Secrets } from '@terrane/render';
import {
  type AttributeChange,
  attributeChanges,
  type PlainJson,
  withoutCopies,
} from './attribute-changes.ts';
import { type ActionOf, type ObjectAction, objectActions } from './object-action.ts';
import type { HistoryIndex } from '../record/history-store.ts';
import { sensitiveOf } from './sensitive-parts.ts';
import { secretsOfStates } from './state-secrets.ts';

/** The change of one object. */
export interface ObjectChange {
  readonly address: string;
  readonly deposed?: string;
  readonly action: ObjectAction;
  /** the new address of a moved object */
  readonly to?: string;
  readonly attributes: readonly AttributeChange[];
}

/** The change of an output value of the root module. */
export type OutputDifference = AttributeChange;

/** The changes of a state, with sensitive values omitted. */
export interface StateChanges {
  readonly objects: readonly ObjectChange[];
  readonly outputs: readonly OutputDifference[];
}

/** Describes events that change a state, in order: those of a run, or the difference between two states. */
export function describeChanges(
  base: State,
  events: readonly StateEvent[],
  schemas: HistoryIndex['schemas'],
  actionAt: ReturnType<typeof objectActions> = objectActions({ command: '' }),
): StateChanges {
  const draft = new StateDraft(base);
  const secrets = secretsOfStates(base, events, schemas);
  const objects: ObjectChange[] = [];
  let outputs: readonly OutputDifference[] = [];
  for (const [position, event] of events.entries()) {
    const change = objectChange(draft, event, { schemas, secrets }, actionAt(position));
    if (change !== undefined) objects.push(change);
    if (event.kind === 'outputs') {
      const before = draft.freeze();
      draft.apply(event);
      outputs = outputDifferences(before, draft.freeze(), secrets);
    } else {
      draft.apply(event);
    }
  }
  return { objects, outputs };
}

function objectChange(
  draft: StateDraft,
  event: StateEvent,
  { schemas, secrets }: { readonly schemas: HistoryIndex['schemas']; readonly secrets: Secrets },
  actionOf: ActionOf,
): ObjectChange | undefined {
  switch (event.kind) {
    case 'put':
    case 'drop': {
      const { addr, deposed } = event;
      const instance = draft.instance(addr);
      const before = deposed === undefined ? instance?.current : instance?.deposed.get(deposed);
      const after = event.kind === 'put' ? event.object : undefined;
      if (before === undefined && after === undefined) return undefined;
      const attributes = attributeChanges(
        before,
        after,
        sensitiveOf(addr, after ?? before, schemas),
        secrets,
      );
      const action = actionOf(addr, before, after);
      if ((action === 'update' || action === 'refresh') && attributes.length === 0)
        return undefined;
      return {
        address: addr.text,
        ...(deposed === undefined ? {} : { deposed }),
        action,
        attributes,
      };
    }
    case 'move':
      return { address: event.from.text, action: 'move', to: event.to.text, attributes: [] };
    case 'depose':
      return { address: event.addr.text, deposed: event.as, action: 'depose', attributes: [] };
    case 'restore':
      return { address: event.addr.text, deposed: event.from, action: 'restore', attributes: [] };
    default:
      return undefined;
  }
}

function outputDifferences(
  before: State,
  after: State,
  secrets: Secrets,
): readonly OutputDifference[] {
  for (const { value, sensitive } of [...before.outputs.values(), ...after.outputs.values()])
    if (sensitive) secrets.add(JSON.parse(valueToJson(value, value.type)));
  const names = new Set([...before.outputs.keys(), ...after.outputs.keys()]);
  const differences: OutputDifference[] = [];
  for (const name of [...names].sort()) {
    const [previous, current] = [before.outputs.get(name), after.outputs.get(name)];
    const [oldText, text] = [previous, current].map(
      (output) => output && valueToJson(output.value, output.value.type),
    );
    if (oldText === text) continue;
    if (previous?.sensitive === true || current?.sensitive === true) {
      differences.push({ path: name, sensitive: true });
      continue;
    }
    const difference: OutputDifference = {
      path: name,
      // Written by valueToJson.
      ...(oldText === undefined ? {} : { before: JSON.parse(oldText) as PlainJson }),
      ...(text === undefined ? {} : { after: JSON.parse(text) as PlainJson }),
    };
    differences.push(withoutCopies(difference, secrets));
  }
  return differences;
}
