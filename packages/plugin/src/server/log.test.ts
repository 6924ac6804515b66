import { STRING, nullOf, object, setType, str } from '@terrane/cty';
import type { Provider } from '@terrane/provider';
import { expect, it } from 'vitest';
import { CAPABILITIES, providerWith, text, thing } from './fixtures/thing-provider.ts';
import { through } from './fixtures/through.ts';

it('log entries of a provider go to the log of the host, with their call', async () => {
  let log: Parameters<NonNullable<Provider['logTo']>>[0] = () => {};
  const { provider, process } = through(
    providerWith({
      logTo: (sink) => {
        log = sink;
      },
      readDataSource: async ({ config }) => {
        await Promise.resolve();
        log({ level: 'warn', message: 'slow', fields: { seconds: 3, why: new Error('late') } });
        log({ level: 'trace', message: 'nobody asked', fields: {} });
        return { state: config };
      },
    }),
    { env: { TF_LOG_PROVIDER_THING: 'warn' } },
  );
  const config = object({ q: nullOf(setType(STRING)) });
  await provider.readDataSource({ type: 'look', config, capabilities: CAPABILITIES });
  expect(process.log()).toMatchObject([
    { '@level': 'warn', '@message': 'slow', seconds: 3, tf_rpc: 'ReadDataSource', tf_type: 'look' },
  ]);
  expect(process.log()[0]?.['why']).toMatch(/^Error: late\n/);
});

it('exceptions of a provider become diagnostics, with the stack in the log only', async () => {
  const { provider, process } = through(
    providerWith({
      applyResourceChange: () => {
        throw new TypeError('no such thing');
      },
      callFunction: () => Promise.reject(new Error('not today')),
      readDataSource: () => ({ state: str('of the wrong type') }),
    }),
  );
  const prior = thing(str('before'));
  const answer = await provider.applyResourceChange({
    type: 'thing',
    prior,
    planned: thing(str('after')),
    config: prior,
    plannedPrivate: text('kept'),
  });
  expect(answer).toEqual({
    state: prior,
    private: text('kept'),
    diagnostics: [
      {
        severity: 'error',
        summary: 'Provider error',
        detail:
          'The provider failed in ApplyResourceChange for thing: no such thing\n\nThis is a fault of the provider, which should be reported to its developers. The log has the place in its code (TF_LOG=error).',
      },
    ],
  });
  expect(process.log()).toMatchObject([
    {
      '@level': 'error',
      '@module': 'provider',
      '@message': 'the provider failed',
      tf_rpc: 'ApplyResourceChange',
      tf_type: 'thing',
    },
  ]);
  expect(process.log()[0]?.['error']).toMatch(/^TypeError: no such thing\n +at /);
  expect(process.log()[0]?.['@timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  expect(await provider.callFunction?.({ name: 'join', args: [str('')] })).toMatchObject({
    error: { message: expect.stringContaining('not today') as unknown },
  });
  const config = object({ q: nullOf(setType(STRING)) });
  expect(
    await provider.readDataSource({ type: 'look', config, capabilities: CAPABILITIES }),
  ).toMatchObject({
    diagnostics: [
      {
        summary: 'Provider error',
        detail: expect.stringContaining('ReadDataSource for look') as unknown,
      },
    ],
  });
});
