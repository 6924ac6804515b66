import { STRING, nullOf, str, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { expect, it } from 'vitest';
import { providerWith } from './fixtures/thing-provider.ts';
import { through } from './fixtures/through.ts';

it('functions cross with their arguments, results and errors', async () => {
  const { provider } = through(
    providerWith({
      callFunction: ({ args }) => {
        if (args.some((arg) => !arg.isKnown)) return { result: unknownOf(STRING) };
        const at = args.findIndex((arg) => arg.isNull);
        if (at >= 0) return { error: { message: 'null', argument: at } };
        if (args.length === 1) return { error: { message: 'nothing to join' } };
        const [between, ...rest] = args.map((arg) => arg.asString());
        return { result: str(rest.join(between)) };
      },
    }),
  );
  const call = (...args: Value[]) => provider.callFunction?.({ name: 'join', args });
  expect(await call(str('-'), str('a'), str('b'))).toEqual({ result: str('a-b') });
  expect(await call(str('-'), unknownOf(STRING))).toEqual({ result: unknownOf(STRING) });
  expect(await call(str('-'), str('a'), nullOf(STRING))).toEqual({
    error: { message: 'null', argument: 2 },
  });
  expect(await call(str('-'))).toEqual({ error: { message: 'nothing to join' } });
});
