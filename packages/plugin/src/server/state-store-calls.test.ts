import { encodeMsgpack, object, objectType, str, STRING } from '@terrane/cty';
import { defineProvider, stateStore, string } from '@terrane/provider/sdk';
import { expect, it } from 'vitest';
import type { StateChunk } from '../wire/messages.ts';
import { Answering } from './answering.ts';
import { stateStoreCalls, StateStores, writeState } from './state-store-calls.ts';

/** State stores of a provider that keeps states in a map. */
function storing(): { readonly stores: StateStores; readonly kept: Map<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>();
  const box = stateStore({
    attributes: { bucket: string({ optional: true }) },
    configure: () => kept,
    read: ({ store, stateId }) => store.get(stateId),
    write: ({ store, stateId, bytes }) => void store.set(stateId, bytes),
    list: ({ store }) => [...store.keys()],
    delete: ({ store, stateId }) => void store.delete(stateId),
  });
  const provider = defineProvider({ stateStores: { box } });
  return { stores: new StateStores(new Answering(provider)), kept };
}

it.each([
  [
    'that do not say which they are',
    [{ bytes: 'abc', range: { start: 0, end: 2 } }],
    'which state',
  ],
  [
    'with a part missing',
    [
      { meta: true, bytes: 'abc', range: { start: 0, end: 2 } },
      { bytes: 'ghi', range: { start: 6, end: 8 } },
    ],
    'begins at byte 6, where 3 was expected',
  ],
  [
    'with an end missing',
    [{ meta: true, bytes: 'abc', range: { start: 0, end: 2 } }],
    '3 bytes of it arrived, of 9',
  ],
  ['of which nothing came', [], 'which state'],
])('states %s are not stored', async (_, parts, why) => {
  const { stores, kept } = storing();
  const config = {
    msgpack: encodeMsgpack(object({ bucket: str('b') }), objectType({ bucket: STRING })),
  };
  const context = { call: '', subject: undefined, fail: () => undefined } as never;
  const calls = stateStoreCalls(stores);
  const request = { typeName: 'box', config, capabilities: { chunkSize: 4 } };
  expect(await calls.ConfigureStateStore(request, context)).toMatchObject({
    capabilities: { chunkSize: 4 },
  });
  const chunks: StateChunk[] = parts.map((part) => ({
    ...('meta' in part ? { meta: { typeName: 'box', stateId: 's' } } : {}),
    bytes: Buffer.from(part.bytes),
    totalLength: 9,
    range: part.range,
  }));
  await expect(writeState(stores, chunks)).rejects.toThrow(why);
  expect(kept.size).toBe(0);
});
