import { STRING, nullOf, object, str } from '@terrane/cty';
import { expect, it } from 'vitest';
import { CAPABILITIES, providerWith, thing } from './fixtures/thing-provider.ts';
import { through } from './fixtures/through.ts';

it('a stop aborts running calls, but no later ones', async () => {
  let started = (): void => {};
  const running = new Promise<void>((resolve) => (started = resolve));
  const { provider } = through(
    providerWith({
      applyResourceChange: ({ signal, prior }) => {
        started();
        if (signal?.aborted === true)
          return {
            state: prior,
            diagnostics: [{ severity: 'error', summary: 'too late', detail: '' }],
          };
        return new Promise((resolve) =>
          signal?.addEventListener('abort', () =>
            resolve({
              state: prior,
              diagnostics: [{ severity: 'error', summary: 'stopped', detail: '' }],
            }),
          ),
        );
      },
      readResource: ({ prior }) => ({ state: prior }),
    }),
  );
  const capabilities = CAPABILITIES;
  await provider.configure({
    terraformVersion: '1.11.4',
    config: object({ region: nullOf(STRING) }),
    capabilities,
  });
  const prior = thing(str('a'));
  const applied = provider.applyResourceChange({
    type: 'thing',
    prior,
    planned: prior,
    config: prior,
  });
  await running;
  await provider.stop();
  expect(await applied).toMatchObject({ diagnostics: [{ summary: 'stopped' }] });
});
