import { memoryHost } from '@terrane/testkit';
import { expect, test } from 'vitest';
import { openProject, plan, requestFor, SILENT } from './index.ts';

/** Returns how often a run over a state with so many instances limits the growth of the heap. */
async function limitsWith(instances: number): Promise<number> {
  const host = memoryHost();
  // The run ends after the state is read, because the variable has no value.
  await host.files.writeFile('main.tf', 'variable "v" { type = string }\n');
  const stored = Array.from(
    { length: instances },
    (_, i) => `{"index_key":${i},"schema_version":0,"attributes":{}}`,
  );
  await host.files.writeFile(
    'terraform.tfstate',
    `{"version":4,"serial":1,"lineage":"l","resources":[{"mode":"managed","type":"terraform_data","name":"r","provider":"provider[\\"terraform.io/builtin/terraform\\"]","instances":[${stored.join(',')}]}]}`,
  );
  let limits = 0;
  const limitHeapGrowth = (): Promise<void> => Promise.resolve(void limits++);
  const outcome = await plan(openProject({ ...host, limitHeapGrowth }), requestFor({}), SILENT);
  expect(outcome.diagnostics.map(({ summary }) => summary)).toEqual([
    'No value for required variable',
  ]);
  return limits;
}

test('a run with a large state limits the growth of the heap, others do not', async () => {
  expect(await limitsWith(1_000)).toBe(0);
  expect(await limitsWith(50_001)).toBe(1);
});
