import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';

interface Case {
  readonly text: string;
  /** what terraform 1.11.4 told about it */
  readonly told: string;
}

// The recorded file is of this form.
const cases = JSON.parse(
  readFileSync(new URL('../../../../tests/init/cli-config.json', import.meta.url), 'utf8'),
) as readonly Case[];

it.each(cases)('reports errors in the CLI configuration $text', async ({ text, told }) => {
  const bench = await Workbench.with({ rc: text });
  const environment = { TF_CLI_CONFIG_FILE: 'rc', HOME: '/home/tester' };
  const { stderr } = await bench.run('version', { environment });
  expect(stderr).toBe(told.replaceAll('Terraform', 'Terrane'));
});
