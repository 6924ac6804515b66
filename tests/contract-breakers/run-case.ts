// Runs a case with a program that takes Terraform's command line, and tells what is left.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Provider } from '@terrane/provider';
import { runWithin } from 'terrane/testing/with-providers';
import type { BreakerCase } from './cases.ts';

/** The result of a case. */
export interface Outcome {
  readonly exit: number | null;
  /** of the last run, in the order of their texts */
  readonly diagnostics: readonly Said[];
  /** objects in the state afterwards, without what differs from run to run */
  readonly objects: Readonly<Record<string, Stored>>;
}

interface Said {
  readonly severity: string;
  readonly summary: string;
  readonly detail: string;
  readonly address?: string;
}

interface Stored {
  readonly status?: string;
  readonly attributes: unknown;
}

/** The start of a program: its command, the plugin that it runs, and its environment. */
export interface Runner {
  readonly command: string;
  /** directory with the plugin's executable */
  readonly plugin: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A new directory with the CLI configuration that names the plugin's. */
export function workDirectory(plugin: string): string {
  const work = mkdtempSync(join(tmpdir(), 'breaker-'));
  mkdirSync(join(work, 'home'));
  const overrides = `provider_installation {\n  dev_overrides {\n    "acme/breaker" = ${JSON.stringify(plugin)}\n  }\n  direct {}\n}\n`;
  writeFileSync(join(work, 'home/cli.tfrc'), overrides);
  return work;
}

/** The environment of a run: nothing of the tester's own settings. */
export function environmentOf(work: string, more: Runner['env'] = {}): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: join(work, 'home'),
    TF_CLI_CONFIG_FILE: join(work, 'home/cli.tfrc'),
    CHECKPOINT_DISABLE: '1',
    ...more,
  };
}

/** Runs a case. What is applied before comes to the same state each time, which is kept for the next case. */
export function runCase(runner: Runner, breaker: BreakerCase): Outcome {
  const work = workDirectory(runner.plugin);
  try {
    writeFileSync(join(work, 'terraform.tfstate'), stateBefore(runner, breaker.before));
    const { status, stdout, stderr } = execute(runner, work, breaker.config, breaker.command);
    const diagnostics = diagnosticsOf(stdout);
    if (status !== 0 && diagnostics.length === 0) throw new Error(`${breaker.name}: ${stderr}`);
    return { exit: status, diagnostics, objects: objectsOf(join(work, 'terraform.tfstate')) };
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Runs a case with the provider in the process of the tests. */
export async function runCaseWithin(
  create: () => Provider,
  breaker: BreakerCase,
): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'breaker-'));
  try {
    const run = (config: string, args: readonly string[]): ReturnType<typeof runWithin> => {
      writeFileSync(join(directory, 'main.tf'), config);
      return runWithin([...args, '-no-color'], {
        directory,
        environment: { HOME: directory, CHECKPOINT_DISABLE: '1' },
        providers: new Map([
          ['registry.terraform.io/acme/breaker', { kind: 'in-process', create }],
        ]),
      });
    };
    const before = await run(breaker.before, ['apply', '-auto-approve']);
    if (before.exit !== 0) throw new Error(`the run before failed: ${before.stderr}`);
    const { exit, stdout, stderr } = await run(breaker.config, breaker.command);
    const diagnostics = diagnosticsOf(stdout);
    if (exit !== 0 && diagnostics.length === 0) throw new Error(`${breaker.name}: ${stderr}`);
    return { exit, diagnostics, objects: objectsOf(join(directory, 'terraform.tfstate')) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const states = new Map<string, string>();

/** The state after applying a configuration. */
export function stateBefore(runner: Runner, config: string): string {
  const known = states.get(config);
  if (known !== undefined) return known;
  const work = workDirectory(runner.plugin);
  try {
    const { status, stderr } = execute(runner, work, config, ['apply', '-auto-approve']);
    if (status !== 0) throw new Error(`the run before failed: ${stderr}`);
    const state = readFileSync(join(work, 'terraform.tfstate'), 'utf8');
    states.set(config, state);
    return state;
  } finally {
    rmSync(work, { recursive: true });
  }
}

function execute(
  { command, env }: Runner,
  work: string,
  config: string,
  args: readonly string[],
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  writeFileSync(join(work, 'main.tf'), config);
  const ran = spawnSync(command, [...args, '-no-color'], {
    cwd: work,
    env: environmentOf(work, env),
    encoding: 'utf8',
    timeout: 240_000,
  });
  return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

/** The diagnostics of a run with `-json`, but for the warning that the plugin is under development. */
function diagnosticsOf(stdout: string): Said[] {
  const diagnostics: Said[] = [];
  for (const line of stdout.split('\n')) {
    if (!line.startsWith('{')) continue;
    const { diagnostic } = JSON.parse(line) as { readonly diagnostic?: Said };
    if (diagnostic === undefined || diagnostic.summary.includes('development overrides')) continue;
    const { severity, summary, detail, address } = diagnostic;
    diagnostics.push({ severity, summary, detail, ...(address === undefined ? {} : { address }) });
  }
  return diagnostics.sort((a, b) => (a.detail < b.detail ? -1 : 1));
}

/** The objects of a state by address. */
export function objectsOf(path: string): Record<string, Stored> {
  if (!existsSync(path)) return {};
  const state = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly resources: readonly {
      readonly mode: string;
      readonly type: string;
      readonly name: string;
      readonly instances: readonly {
        readonly status?: string;
        readonly deposed?: string;
        readonly attributes: Readonly<Record<string, unknown>>;
      }[];
    }[];
  };
  const objects: Record<string, Stored> = {};
  for (const { mode, type, name, instances } of state.resources) {
    for (const { status, deposed, attributes } of instances) {
      const address = `${mode === 'data' ? 'data.' : ''}${type}.${name}${deposed === undefined ? '' : ' (deposed)'}`;
      // Identifiers count what was made in one process.
      const comparable = { ...attributes, ...(attributes['id'] == null ? {} : { id: 't' }) };
      objects[address] = { ...(status === undefined ? {} : { status }), attributes: comparable };
    }
  }
  return objects;
}
