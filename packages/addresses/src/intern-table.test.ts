import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { InternTable } from './intern-table.ts';
import { MODULE_ROOT, ROOT_INSTANCE } from './module-path.ts';
import { AbsResource, ResourceAddr } from './resource-addr.ts';

setFlagsFromString('--expose-gc');
// The flag adds the function to new contexts only.
const collectGarbage = runInNewContext('gc') as () => void;

/** Clears the weak references that this job has read, then collects garbage. */
async function collect(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
}

test('an object is canonical while it is referenced', async () => {
  const addr = ResourceAddr.of('managed', 'aws_instance', 'kept');
  const instance = AbsResource.of(ROOT_INSTANCE.child('m', 1), addr).instance('k');
  const path = MODULE_ROOT.child('m').child('n');
  await collect();
  expect(ResourceAddr.of('managed', 'aws_instance', 'kept')).toBe(addr);
  expect(AbsResource.of(ROOT_INSTANCE.child('m', 1), addr).instance('k')).toBe(instance);
  expect(MODULE_ROOT.child('m').child('n')).toBe(path);
});

test('an instance is canonical in whatever order the keys are requested', () => {
  const addr = ResourceAddr.of('managed', 'aws_instance', 'any_order');
  const resource = AbsResource.of(ROOT_INSTANCE, addr);
  const keys = [3, 1, 0, 2, 1_000_000_000, 4, 5, '0', undefined, 'k', 6];
  const instances = keys.map((key) => resource.instance(key));
  expect(instances.map(({ key }) => key)).toEqual(keys);
  expect(new Set(instances).size).toBe(keys.length);
  for (const [index, key] of keys.entries()) expect(resource.instance(key)).toBe(instances[index]);
});

test('unreferenced addresses are collected, with their instances', async () => {
  const references = Array.from({ length: 100 }, (_, index) => {
    const resource = AbsResource.of(
      ROOT_INSTANCE.child(`gone${index}`, undefined),
      ResourceAddr.of('managed', 'aws_instance', `gone${index}`),
    );
    return [resource, resource.resource, resource.instance(index)].map(
      (item) => new WeakRef<object>(item),
    );
  }).flat();
  await collect();
  expect(references.filter((reference) => reference.deref() !== undefined)).toEqual([]);
});

test('a table does not grow with the number of objects that it has had', async () => {
  const table = new InternTable<number, object>();
  // Each collection takes as long as the heap of all tests in this worker is large.
  for (let round = 0; round < 5; round++) {
    for (let index = 0; index < 4000; index++) table.set(round * 4000 + index, {});
    await collect();
  }
  expect(table.size).toBeLessThan(16_000);
});
