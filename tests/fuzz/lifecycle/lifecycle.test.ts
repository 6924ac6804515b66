import { afterEach, expect, test, vi } from 'vitest';
import { attempt } from '../attempt.ts';
import { FuzzProject } from './fuzz-project.ts';

afterEach(() => vi.restoreAllMocks());

test('a first sample of histories finds nothing', async () => {
  for (let seed = 1; seed <= 10; seed++) {
    expect(await attempt(seed, ['lifecycle'])).toStrictEqual({
      target: 'lifecycle',
      fault: undefined,
    });
  }
});

test('an object that a run creates outside of the state is an error, and is shown with its history', async () => {
  const { follow } = FuzzProject.prototype;
  vi.spyOn(FuzzProject.prototype, 'follow').mockImplementation(async function (
    this: FuzzProject,
    ...args
  ) {
    const ran = await follow.apply(this, args);
    this.world.add({ id: 'unheard-of' });
    return ran;
  });
  const { fault } = await attempt(1, ['lifecycle']);
  expect(fault).toMatch(/^unheard-of is forgotten\n/);
  expect(fault).toMatch('provider "test"');
});
