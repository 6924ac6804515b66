import {
  DYNAMIC,
  STRING,
  attrStep,
  bool,
  double,
  indexStep,
  list,
  nullOf,
  object,
  refineNotNull,
  set,
  str,
  unknownOf,
} from '@terrane/cty';
import { expect, it } from 'vitest';
import { CAPABILITIES, TYPE, providerWith, text, thing } from './fixtures/thing-provider.ts';
import { through } from './fixtures/through.ts';

it('values, paths and private data cross exactly, in both directions', async () => {
  const asked: object[] = [];
  const unknown = refineNotNull(unknownOf(STRING));
  const planned = thing(unknown, object({ deep: unknownOf(DYNAMIC), n: double(1.5) }));
  const { provider } = through(
    providerWith({
      planResourceChange: (request) => {
        asked.push(request);
        return {
          planned,
          requiresReplace: [[attrStep('deep'), indexStep(0), attrStep('n')]],
          private: text('kept'),
          identity: object({ key: str('k') }),
          deferred: { reason: 'absent_prereq' },
          diagnostics: [
            {
              severity: 'warning',
              summary: 's',
              detail: 'd',
              attribute: [attrStep('any'), indexStep('k')],
            },
            {
              severity: 'warning',
              summary: 't',
              detail: '',
              attribute: [attrStep('one'), attrStep('two'), indexStep(object({}))],
            },
          ],
        };
      },
    }),
  );
  const request = {
    type: 'thing',
    prior: nullOf(TYPE),
    proposed: thing(unknownOf(STRING), list(STRING, [])),
    config: thing(nullOf(STRING), bool(true)),
    priorPrivate: text('before'),
    providerMeta: object({ module: str('m') }),
    priorIdentity: object({ key: str('old') }),
    capabilities: CAPABILITIES,
  };
  const answer = await provider.planResourceChange(request);
  expect(asked).toEqual([request]);
  expect(answer).toEqual({
    planned,
    requiresReplace: [[attrStep('deep'), indexStep(0), attrStep('n')]],
    private: text('kept'),
    identity: object({ key: str('k') }),
    deferred: { reason: 'absent_prereq' },
    diagnostics: [
      {
        severity: 'warning',
        summary: 's',
        detail: 'd',
        attribute: [attrStep('any'), indexStep('k')],
      },
      // The element of a set has no place in the protocol.
      {
        severity: 'warning',
        summary: 't',
        detail: '',
        attribute: [attrStep('one'), attrStep('two')],
      },
    ],
  });
});

it('reading, importing, upgrading, moving, data and ephemeral resources cross', async () => {
  const state = thing(str('i'));
  const renewAt = new Date('2026-01-02T03:04:05.678Z');
  const { provider } = through(
    providerWith({
      readResource: ({ prior }) => ({ state: prior, private: text('p') }),
      importResourceState: ({ id, identity }) => ({
        imported: [
          {
            type: 'thing',
            state: thing(identity?.attr('key') ?? str(id ?? '')),
            private: text('i'),
          },
        ],
      }),
      upgradeResourceState: ({ json, flatmap, version }) => ({
        state: thing(str(`${version} ${json ?? JSON.stringify(flatmap)}`)),
      }),
      moveResourceState: ({ sourceType, sourceJson, sourceVersion }) => ({
        state: thing(str(`${sourceType} ${sourceVersion} ${sourceJson}`)),
        private: text('m'),
      }),
      readDataSource: ({ config }) => ({ state: config }),
      openEphemeralResource: () => ({
        result: object({ token: str('t') }),
        private: text('e'),
        renewAt,
      }),
      renewEphemeralResource: ({ private: kept }) => ({
        private: text(`${Buffer.from(kept ?? []).toString()}+`),
        renewAt,
      }),
      closeEphemeralResource: ({ private: kept }) => ({
        diagnostics: [
          { severity: 'warning', summary: Buffer.from(kept ?? []).toString(), detail: '' },
        ],
      }),
    }),
  );
  const type = 'thing';
  expect(await provider.readResource({ type, prior: state, capabilities: CAPABILITIES })).toEqual({
    state,
    private: text('p'),
    diagnostics: [],
  });
  expect(await provider.importResourceState({ type, id: 'x' })).toMatchObject({
    imported: [{ state: thing(str('x')), private: text('i') }],
  });
  expect(
    await provider.importResourceState({ type, identity: object({ key: str('y') }) }),
  ).toMatchObject({
    imported: [{ state: thing(str('y')) }],
  });
  expect(await provider.upgradeResourceState({ type, version: 3, json: '{"a":1}' })).toMatchObject({
    state: thing(str('3 {"a":1}')),
  });
  expect(
    await provider.upgradeResourceState({ type, version: 0, flatmap: { a: '1' } }),
  ).toMatchObject({ state: thing(str('0 {"a":"1"}')) });
  expect(
    await provider.moveResourceState?.({
      sourceProvider: 'p',
      sourceType: 'old',
      sourceVersion: 7,
      sourceJson: '{}',
      targetType: type,
    }),
  ).toMatchObject({ state: thing(str('old 7 {}')), private: text('m') });
  const config = object({ q: set(STRING, [str('a'), str('b')]) });
  expect(
    await provider.readDataSource({ type: 'look', config, capabilities: CAPABILITIES }),
  ).toMatchObject({ state: config });
  const lease = { type: 'lease', config: object({ token: nullOf(STRING) }) };
  expect(await provider.openEphemeralResource?.(lease)).toMatchObject({
    result: object({ token: str('t') }),
    private: text('e'),
    renewAt,
  });
  expect(
    await provider.renewEphemeralResource?.({ type: 'lease', private: text('e') }),
  ).toMatchObject({ private: text('e+'), renewAt });
  expect(
    await provider.closeEphemeralResource?.({ type: 'lease', private: text('z') }),
  ).toMatchObject({ diagnostics: [{ summary: 'z' }] });
});

it('progress is sent to the caller until the operation ends', async () => {
  let late: ((note: string) => void) | undefined;
  const notes: string[] = [];
  const { provider } = through(
    providerWith({
      applyResourceChange: async ({ planned, progress }) => {
        late = progress;
        progress?.('retrying, attempt 2 of 26');
        progress?.('');
        // The notes come by a stream of their own.
        while (progress !== undefined && notes.length < 2) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        return { state: planned };
      },
    }),
  );
  const request = { type: 'thing', prior: thing(str('i')), planned: thing(str('i')) };
  const apply = { ...request, config: thing(str('i')) };
  await provider.applyResourceChange({ ...apply, progress: (note) => void notes.push(note) });
  expect(notes).toEqual(['retrying, attempt 2 of 26', '']);
  late?.('too late');
  await provider.applyResourceChange(apply);
  expect(late).toBeUndefined();
  expect(notes).toHaveLength(2);
});
