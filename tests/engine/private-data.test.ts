import type { PlanResourceRequest } from '@terrane/provider';
import { expect, test } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';

test('the second plan of a change receives the private data of the first, beside the stored data', async () => {
  const project = new TestProject();
  const { world } = project;
  const makeProvider = world.provider.bind(world);
  const seen: (readonly [prior: string, planned: string])[] = [];
  const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
  world.provider = () => {
    const provider = makeProvider();
    const answer = provider.planResourceChange.bind(provider);
    return {
      ...provider,
      planResourceChange: async (request: PlanResourceRequest) => {
        expect(request.capabilities.storePlannedPrivate).toBe(true);
        seen.push([textOf(request.priorPrivate), textOf(request.plannedPrivate)]);
        return { ...(await answer(request)), private: Buffer.from(`plan ${seen.length}`) };
      },
      readResource: async (request) => ({
        ...(await provider.readResource(request)),
        ...(request.private && { private: request.private }),
      }),
      applyResourceChange: async (request) => ({
        ...(await provider.applyResourceChange(request)),
        private: Buffer.from(`after ${textOf(request.plannedPrivate)}`),
      }),
    };
  };
  project.write({ 'main.tf': 'resource "test_thing" "a" {\n  name = "a"\n  size = 1\n}\n' });
  expect(errorsOf(await project.apply())).toEqual([]);
  expect(seen).toEqual([
    ['', ''],
    ['', 'plan 1'],
  ]);
  seen.length = 0;
  project.write({ 'main.tf': 'resource "test_thing" "a" {\n  name = "a"\n  size = 2\n}\n' });
  expect(errorsOf(await project.apply())).toEqual([]);
  expect(seen).toEqual([
    ['after plan 2', ''],
    ['after plan 2', 'plan 1'],
  ]);
});
