import { expect, it } from 'vitest';
import { StateDraft } from '../state/draft.ts';
import type { StateEvent } from '../state/event.ts';
import { EMPTY_STATE } from '../state/snapshot.ts';
import { address, object, put } from '../state/testing/managed-state.ts';
import type { Moves } from './moves.ts';
import { separateUncertain, withUncertain } from './uncertain.ts';

const draft = new StateDraft(EMPTY_STATE);
for (const i of [0, 1]) draft.apply(put(i));
const state = draft.freeze();
const planned = object('planned');
const creations = [
  { addr: address(1), planned },
  { addr: address(2), planned },
  { addr: address(3), planned: { ...planned, attributesJson: '{"id":null}' } },
];

function movesOf(events: readonly StateEvent[], previous: Moves['previous'] = new Map()): Moves {
  const moved = new StateDraft(withUncertain(state, creations));
  for (const event of events) moved.apply(event);
  return { state: moved.freeze(), events, previous, ranges: new Map(), diagnostics: [] };
}

it('places only objects that can be looked up and whose address is free', () => {
  const both = withUncertain(state, creations);
  expect(both.instance(address(1))?.current?.attributesJson).toBe('{"id":"id-1"}');
  expect(both.instance(address(2))?.current).toBe(planned);
  expect(both.instance(address(3))).toBeUndefined();
  expect(withUncertain(state, [])).toBe(state);
});

it('keeps uncertain objects apart from the state', () => {
  const separated = separateUncertain(movesOf([]), state, creations);
  expect([...separated.uncertain]).toEqual([[address(2), planned]]);
  expect([...separated.state.instances()]).toEqual([address(0), address(1)]);
});

it('finds an uncertain object at the address that it moved to, and stores nothing of it', () => {
  const moved: StateEvent = { kind: 'move', from: address(2), to: address(7) };
  const converted: StateEvent = { kind: 'put', addr: address(7), object: object('converted') };
  const moves = movesOf([moved, converted], new Map([[address(7), address(2)]]));
  const separated = separateUncertain(moves, state, creations);
  expect(separated.uncertain.get(address(7))?.attributesJson).toBe('{"id":"converted"}');
  expect(separated.state.instance(address(7))).toBeUndefined();
  // The journal needs the move, because it names the open creation.
  expect(separated.moves.events).toEqual([moved]);
});
