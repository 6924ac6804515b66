import { STRING, attrStep, nullOf, object, str } from '@terrane/cty';
import type { Provider, ProviderDiagnostic, ProviderSchema, StateStore } from '@terrane/provider';
import { expect, it } from 'vitest';
import { attribute, providerWith, SCHEMA } from './fixtures/thing-provider.ts';
import { through } from './fixtures/through.ts';

const STORE_SCHEMA: ProviderSchema = {
  ...SCHEMA,
  stateStores: {
    box: { version: 0, block: { attributes: { bucket: attribute({ type: STRING }) }, blocks: {} } },
  },
};

/** A provider with a state store, and the stored states. */
function keeping(): { readonly provider: Provider; readonly kept: Map<string, Buffer> } {
  const kept = new Map<string, Buffer>();
  const locks = new Map<string, string>();
  const refused = (summary: string): { diagnostics: readonly ProviderDiagnostic[] } => ({
    diagnostics: [{ severity: 'error', summary, detail: 'so it is' }],
  });
  const store: StateStore = {
    validateConfig: ({ config }) =>
      config.attr('bucket').isNull
        ? {
            diagnostics: [
              {
                severity: 'error',
                summary: 'which bucket?',
                detail: '',
                attribute: [attrStep('bucket')],
              },
            ],
          }
        : {},
    configure: ({ config }) => (config.attr('bucket').asString() === 'none' ? refused('none') : {}),
    read: (id) => {
      const bytes = kept.get(id);
      return bytes === undefined ? {} : { bytes };
    },
    write: (id, bytes) => {
      if (id === 'full') throw new Error('disk is full');
      kept.set(id, Buffer.from(bytes));
      return {};
    },
    lock: (id, operation) => {
      if (locks.has(id)) return { ...refused('locked'), lockId: '' };
      locks.set(id, operation);
      return { lockId: operation };
    },
    unlock: (id, lockId) =>
      locks.get(id) === lockId && locks.delete(id) ? {} : refused('not held'),
    states: () => ({ ids: [...kept.keys()] }),
    delete: (id) => (kept.delete(id) ? {} : refused('no such state')),
  };
  return { provider: providerWith({ schema: () => STORE_SCHEMA, stateStore: () => store }), kept };
}

it('states are transferred in chunks, with their locks', async () => {
  const { provider: storeProvider, kept } = keeping();
  const { provider } = through(storeProvider);
  expect((await provider.schema()).stateStores).toEqual(STORE_SCHEMA.stateStores);
  const store = provider.stateStore?.('box');
  const none = await store?.validateConfig({ config: object({ bucket: nullOf(STRING) }) });
  expect(none?.diagnostics).toMatchObject([
    { summary: 'which bucket?', attribute: [attrStep('bucket')] },
  ]);
  const failing = await store?.configure({ config: object({ bucket: str('none') }) });
  expect(failing?.diagnostics).toMatchObject([{ summary: 'none' }]);
  expect((await store?.states())?.diagnostics).toMatchObject([
    { summary: 'State Store Not Configured' },
  ]);
  expect(await store?.configure({ config: object({ bucket: str('b') }) })).toEqual({
    diagnostics: [],
  });
  expect(await store?.read('default')).toEqual({ bytes: Buffer.alloc(0), diagnostics: [] });
  // More than two of the parts that a state is sent in, of which the last is a small one.
  const large = Buffer.alloc(17 * 1024 * 1024, 'terrane');
  expect(await store?.write('default', large)).toEqual({ diagnostics: [] });
  expect(kept.get('default')?.equals(large)).toBe(true);
  expect(Buffer.from((await store?.read('default'))?.bytes ?? []).equals(large)).toBe(true);
  expect(await store?.states()).toEqual({ ids: ['default'], diagnostics: [] });
  expect(await store?.lock('default', 'apply')).toEqual({ lockId: 'apply', diagnostics: [] });
  expect((await store?.lock('default', 'plan'))?.diagnostics).toMatchObject([
    { summary: 'locked' },
  ]);
  expect((await store?.unlock('default', 'plan'))?.diagnostics).toMatchObject([
    { summary: 'not held' },
  ]);
  expect(await store?.unlock('default', 'apply')).toEqual({ diagnostics: [] });
  expect(await store?.delete('default')).toEqual({ diagnostics: [] });
  expect((await store?.delete('default'))?.diagnostics).toMatchObject([
    { summary: 'no such state' },
  ]);
  const full = await store?.write('full', Buffer.from('x'));
  expect(full?.diagnostics?.[0]?.detail).toContain('disk is full');
});
