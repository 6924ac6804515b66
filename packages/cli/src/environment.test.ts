import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { effectiveEnvironment } from './environment.ts';
import { Workbench } from './testing/run-terrane.ts';

const TABLE = readFileSync(new URL('../../../docs/commands.md', import.meta.url), 'utf8');

/** The variables that the documentation lists, with an ending where they stand for several. */
const documented = [
  ...new Set(
    [...TABLE.matchAll(/^\| (`(?:TF|TERRAFORM)_[^|]*) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(TF_[A-Za-z_]+)…?`/g)].map(([, name = '']) => name.replace(/_$/, '_x')),
    ),
  ),
];

describe('aliases of variables', () => {
  it('are documented in one table', () => {
    expect(documented.length).toBeGreaterThan(25);
  });

  it.each(documented)('%s', (name) => {
    const alias = name.replace(/^TF_/, 'TERRANE_');
    expect(effectiveEnvironment({ [alias]: 'a' })[name]).toBe('a');
    expect(effectiveEnvironment({ [alias]: 'a', [name]: 'b' })[name]).toBe('a');
    expect(effectiveEnvironment({ [name]: 'b' })[name]).toBe('b');
  });

  it('count wherever a variable does', async () => {
    const bench = await Workbench.with({
      'main.tf': 'variable "size" {}\noutput "o" {\n  value = var.size\n}\n',
    });
    const run = async (command: string, environment: Record<string, string>) =>
      await bench.run(command, { environment });
    expect((await run('plan', { TERRANE_INPUT: '0' })).stderr).toContain('No value for required');
    const advised = await run('plan', { TERRANE_VAR_size: '1' });
    expect(advised.stdout).toContain("didn't use the -out option");
    const quiet = await run('plan', { TERRANE_VAR_size: '1', TERRANE_IN_AUTOMATION: '1' });
    expect(quiet.stdout).not.toContain("didn't use the -out option");
    const json = await run('version', { TERRANE_CLI_ARGS_version: '-json' });
    expect(JSON.parse(json.stdout)).toHaveProperty('terraform_version');
    const missing = await run('validate', { TERRANE_CLI_CONFIG_FILE: '/none' });
    expect(missing.stderr).toContain('The CLI configuration file at "/none" does not exist.');
    expect((await run('workspace show', { TERRANE_WORKSPACE: 'w' })).stdout).toBe('w\n');
    const logged = await run('validate', { TERRANE_LOG: 'trace' });
    expect(logged.stderr).toContain('[INFO]');
    await run('workspace new two', { TERRANE_DATA_DIR: 'elsewhere' });
    expect((await run('workspace show', {})).stdout).toBe('default\n');
    expect((await run('workspace show', { TERRANE_DATA_DIR: 'elsewhere' })).stdout).toBe('two\n');
  });
});
