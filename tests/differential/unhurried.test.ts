import { expect, it } from 'vitest';
import { unhurried } from './unhurried.ts';

it.each([
  ['a.b: Creation complete after 1s [id=x]\n', 'a.b: Creation complete after 0s [id=x]\n'],
  ['a.b: Destruction complete after 1h2m3s\n', 'a.b: Destruction complete after 0s\n'],
  ['a.b: Still creating... [10s elapsed]\nkept\n', 'kept\n'],
  ['Acquiring state lock. This may take a few moments...\nkept\n', 'kept\n'],
  ['time_sleep.x is ready after 5s\n', 'time_sleep.x is ready after 5s\n'],
])('the output %j of a busy machine is compared as %j', (busy, compared) => {
  expect(unhurried(busy)).toBe(compared);
});
