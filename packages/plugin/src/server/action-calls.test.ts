import { object, str } from '@terrane/cty';
import { expect, it } from 'vitest';
import { CAPABILITIES, providerWith } from './fixtures/thing-provider.ts';
import { through } from './fixtures/through.ts';

it('actions report their progress', async () => {
  const { provider } = through(
    providerWith({
      planAction: () => ({ diagnostics: [{ severity: 'warning', summary: 'looked', detail: '' }] }),
      invokeAction: async ({ config, progress }) => {
        progress('one');
        await Promise.resolve();
        progress('two');
        return {
          diagnostics: [{ severity: 'error', summary: config.attr('how').asString(), detail: '' }],
        };
      },
    }),
  );
  const config = object({ how: str('fast') });
  expect(
    await provider.planAction?.({ type: 'act', config, capabilities: CAPABILITIES }),
  ).toMatchObject({ diagnostics: [{ summary: 'looked' }] });
  const messages: string[] = [];
  const answer = await provider.invokeAction?.({
    type: 'act',
    config,
    progress: (message) => messages.push(message),
  });
  expect(messages).toEqual(['one', 'two']);
  expect(answer).toMatchObject({ diagnostics: [{ severity: 'error', summary: 'fast' }] });
});
