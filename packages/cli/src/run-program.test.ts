import { describe, expect, it } from 'vitest';
import { COMMANDS, MAIN_COMMANDS } from './command-table.ts';
import { Workbench } from './testing/run-terrane.ts';

const MAIN = 'resource "terraform_data" "a" {\n  input = 1\n}\n';

describe('the program', () => {
  it('lists its commands without one, and fails', async () => {
    const { code, stdout } = await new Workbench().run('');
    expect(code).toBe(127);
    expect(stdout).toContain('Usage: terrane [global options] <subcommand> [args]');
    expect(stdout).toMatch(/Main commands:\n {2}init +Prepare/);
    expect((await new Workbench().run('-help')).code).toBe(0);
  });

  it('suggests a command for a misspelt one', async () => {
    const { code, stderr } = await new Workbench().run('plann');
    expect(code).toBe(1);
    expect(stderr).toBe(
      'Terrane has no command named "plann". Did you mean "plan"?\n\nTo see all of Terrane\'s top-level commands, run:\n  terrane -help\n\n',
    );
  });

  it('refuses options before the command', async () => {
    const { code, stdout } = await new Workbench().run('-json plan');
    expect(code).toBe(1);
    expect(stdout).toContain('Invalid flags before the subcommand.');
  });

  it.each([...COMMANDS.keys()])('explains %s', async (name) => {
    const { code, stdout } = await new Workbench().run(`${name} -help`);
    expect(code).toBe(0);
    expect(stdout.startsWith(`Usage: terrane [global options] ${name}`)).toBe(true);
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
  });

  it('has the commands of the main workflow', () => {
    expect(MAIN_COMMANDS.every((name) => COMMANDS.has(name))).toBe(true);
  });

  it.each([
    ['state posh', 'state push'],
    ['state lst', 'state list'],
    ['workspace slect x', 'workspace select'],
    ['providers lok', 'providers lock'],
    ['test clenup', 'test cleanup'],
    ['metadata function', 'metadata functions'],
  ])('suggests a subcommand for %s', async (line, suggestion) => {
    const { code, stdout, stderr } = await new Workbench().run(line);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`Did you mean "${suggestion}"?`);
  });

  it('refuses an unknown subcommand of a command that does nothing itself', async () => {
    const { code, stderr } = await new Workbench().run('state frobnicate');
    expect(code).toBe(1);
    expect(stderr).toBe(
      'Terrane has no command named "state frobnicate".\n\nTo see all subcommands of "state", run:\n  terrane state -help\n\n',
    );
  });

  it.each(['help', 'help plan', 'help state mv', 'state help', 'help help'])(
    'takes "%s" for a request for help',
    async (line) => {
      const asked = line.replace(/ ?\bhelp\b ?/, ' ').trim();
      const expected = await new Workbench().run(`${asked} -help`.trim());
      expect(await new Workbench().run(line)).toEqual(expected);
    },
  );

  it('refuses help on an unknown command', async () => {
    expect(await new Workbench().run('help plann')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean "plan"?'),
    });
  });

  it('lists the subcommands of a command that has no action', async () => {
    const { code, stdout } = await new Workbench().run('state');
    expect(code).toBe(1);
    expect(stdout).toMatch(/Subcommands:\n(?:.+\n)* {4}list +List resources in the state\n/);
  });

  it('works in another directory', async () => {
    const bench = await Workbench.with({ 'sub/main.tf': MAIN });
    expect((await bench.run('-chdir=sub plan')).stdout).toContain('Plan: 1 to add');
    const missing = await bench.run('-chdir=nowhere plan');
    expect(missing).toMatchObject({
      code: 1,
      stderr: 'Error handling -chdir option: chdir nowhere: no such file or directory\n',
    });
  });

  it('takes arguments from the environment, under either name', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const variable = await bench.run('plan', { environment: { TF_CLI_ARGS_plan: '-destroy' } });
    expect(variable.stdout).toContain('No changes. No objects need to be destroyed.');
    const alias = await bench.run('plan', { environment: { TERRANE_CLI_ARGS: "-out='p q'" } });
    expect(alias.stdout).toContain('Saved the plan to: p q');
    const broken = await bench.run('plan', { environment: { TF_CLI_ARGS: "'" } });
    expect(broken.stderr).toContain('Error parsing extra CLI args from TF_CLI_ARGS');
  });

  it.each([
    ['plan -foo', 'flag provided but not defined: -foo'],
    ['plan -tagret=x', 'not defined: -tagret. Did you mean -target?'],
    ['apply -auto-aprove', 'not defined: -auto-aprove. Did you mean -auto-approve?'],
    ['state list -stat=x', 'not defined: -stat. Did you mean -state?'],
    ['plan -no-colour', 'not defined: -no-colour. Did you mean -no-color?'],
    ['plan -chdir=x', 'not defined: -chdir. It is a global option: put it before the command.'],
    ['plan x', 'To specify a working directory for the plan, use the global -chdir flag.'],
    ['apply a b', 'Expected at most one positional argument.'],
    ['apply -json', 'Plan file or auto-approve required'],
    ['destroy -destroy', 'because this command always runs in destroy mode'],
    ['plan -destroy -refresh-only', 'Incompatible plan mode options'],
    ['plan -refresh-only -refresh=false', 'Incompatible refresh options'],
    ['plan -target=a..b', 'Invalid target "a..b"'],
    ['plan -replace=data.x.y', 'Only managed resources can be used with the -replace'],
    ['plan -parallelism=-1', 'The parallelism must be a positive value. Not -1.'],
    ['output -raw', 'Output name required'],
    ['output -raw -json x', 'Invalid output format'],
    ['state list -x', 'Error parsing command-line flags: flag provided but not defined: -x'],
    ['state mv a', 'Exactly two arguments expected.'],
    ['taint', 'The taint command expects exactly one argument.'],
    ['force-unlock', 'Expected a single argument: LOCK_ID'],
  ])('refuses "%s"', async (command, message) => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const { code, stderr, stdout } = await bench.run(command);
    expect(code).toBe(1);
    const output = command.includes('-json') && !command.includes('-raw') ? stdout : stderr;
    expect(output.replaceAll('\n', ' ')).toContain(message);
  });

  it('refers to the help of the command after such a fault', async () => {
    const { stderr } = await new Workbench().run('plan -foo');
    expect(stderr).toContain('For more help on using this command, run:\n  terrane plan -help\n');
  });

  it('reports conflicting modes once', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const { stderr } = await bench.run('destroy -destroy -refresh-only');
    expect(stderr.match(/Error: /g)).toHaveLength(1);
  });

  it('rejects an invalid parallelism', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const { stderr, code } = await bench.run('plan -parallelism=-1');
    expect(code).toBe(1);
    expect(stderr).not.toContain('For more help');
    expect((await bench.run('plan -parallelism=0')).code).toBe(0);
  });

  it('prints its versions', async () => {
    const bench = new Workbench();
    expect((await bench.run('version')).stdout).toMatch(
      /^Terrane v\d+\.\d+\.\d+, compatible with Terraform v1\.11\.4\non linux_amd64\n$/,
    );
    expect((await bench.run('plan -version')).stdout).toContain('Terrane v');
    const parsed: unknown = JSON.parse((await bench.run('version -json')).stdout);
    expect(parsed).toMatchObject({
      terraform_version: '1.11.4',
      platform: 'linux_amd64',
      provider_selections: {},
      terraform_outdated: false,
    });
    expect(parsed).toHaveProperty('terrane_version');
  });

  it('prints the provider versions in the lock file', async () => {
    const bench = await Workbench.with({
      '.terraform.lock.hcl':
        'provider "registry.terraform.io/hashicorp/aws" {\n  version     = "5.0.0"\n  constraints = "~> 5.0"\n  hashes = ["h1:x"]\n}\n',
    });
    expect((await bench.run('version')).stdout).toContain(
      '+ provider registry.terraform.io/hashicorp/aws v5.0.0\n',
    );
  });
});
