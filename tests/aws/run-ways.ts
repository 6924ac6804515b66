// The three ways in which a configuration is run with the provider for AWS.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { nodeHost } from '@terrane/host';
import { hasErrors } from '@terrane/hcl';
import {
  apply,
  DEFAULT_STATE_OPTIONS,
  openProject,
  plan,
  type PlanRequest,
  SILENT,
} from '@terrane/ops';
import { provider } from '@terrane/provider-aws';
import type { Built } from '../served/build-plugins.ts';

const TERRANE = resolve(import.meta.dirname, '../../bin/terrane');
const PLAN = 'it.tfplan';
/** The actions without changes. */
const SAME: ReadonlySet<string> = new Set(['no-op', 'read']);

/** The result of running a configuration: the plan and the state as the programs write them. Afterwards no change is left, and everything is destroyed. */
export interface RunResult {
  readonly plan: unknown;
  readonly state: unknown;
}

/** A way of running a configuration, in a directory of its own. */
export type Way = (source: string, environment: Environment) => Promise<RunResult>;

/** Variables for programs, and those of the configuration. */
export interface Environment {
  readonly programs: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
}

/** A program that runs the provider as its plugin. */
export function asPlugin(program: string, built: Built): Way {
  return async (source, environment) =>
    await inDirectory(source, async (directory) => {
      const run = programIn(directory, environment, built);
      await run(program, 'init', '-input=false', '-backend=false').catch(() => '');
      await run(program, 'plan', '-input=false', '-parallelism=1', `-out=${PLAN}`);
      const planned = await run(program, 'show', '-json', PLAN);
      await run(program, 'apply', '-input=false', '-parallelism=1', PLAN);
      const ran = { plan: JSON.parse(planned), state: stateIn(directory) };
      // Ends with another code, and so in an error, where there is something to do.
      await run(program, 'plan', '-input=false', '-detailed-exitcode');
      await run(program, 'apply', '-destroy', '-input=false', '-auto-approve');
      return ran;
    });
}

/** Terrane as a library, with the provider in the same process. */
export function inProcess(built: Built): Way {
  return async (source, environment) =>
    await inDirectory(source, async (directory) => {
      const host = nodeHost({ cwd: directory });
      const variables = Object.entries(environment.variables).map(([name, value]) => ({
        kind: 'var' as const,
        text: `${name}=${value}`,
      }));
      const programs = { get: (name: string) => environment.programs[name] };
      const providers = new Map([
        [
          provider.address,
          {
            kind: 'in-process' as const,
            create: () =>
              provider.create({ ...host, environment: { ...host.environment, ...programs } }),
          },
        ],
      ]);
      const request: PlanRequest = {
        state: DEFAULT_STATE_OPTIONS,
        variables,
        parallelism: 1,
        mode: 'normal',
        refresh: true,
        targets: [],
        targetTexts: [],
        replace: [],
      };
      const project = openProject(host, { variables, providers });
      const planned = await plan(project, request, SILENT, PLAN);
      if (hasErrors(planned.diagnostics)) throw new Error(JSON.stringify(planned.diagnostics));
      const run = programIn(directory, environment, built);
      const shown = await run(TERRANE, 'show', '-json', PLAN);
      const quiet = { ...SILENT, showPlan: () => undefined, showDiagnostics: () => undefined };
      const applied = await apply(
        openProject(host, { variables: [], providers }),
        { ...request, variables: [], autoApprove: true, planPath: PLAN },
        quiet,
      );
      if (hasErrors(applied.diagnostics)) throw new Error(JSON.stringify(applied.diagnostics));
      const ran = { plan: JSON.parse(shown), state: stateIn(directory) };
      const again = await plan(project, request, SILENT);
      const open = again.result?.plan.changes.filter(({ action }) => !SAME.has(action));
      if (open?.length !== 0) throw new Error(`left to do: ${JSON.stringify(open)}`);
      const destroyed = await apply(
        project,
        { ...request, mode: 'destroy', autoApprove: true },
        quiet,
      );
      if (hasErrors(destroyed.diagnostics)) throw new Error(JSON.stringify(destroyed.diagnostics));
      return ran;
    });
}

async function inDirectory(
  source: string,
  work: (directory: string) => Promise<RunResult>,
): Promise<RunResult> {
  const directory = mkdtempSync(join(tmpdir(), 'terrane-aws-'));
  try {
    cpSync(source, directory, { recursive: true, preserveTimestamps: true });
    // An archive holds the times of its files.
    const build = join(directory, 'build.sh');
    if (existsSync(build)) execFileSync(build);
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function programIn(
  directory: string,
  { programs, variables }: Environment,
  built: Built,
): (program: string, ...args: readonly string[]) => Promise<string> {
  const rc = join(directory, '.terraformrc');
  const overrides = [...built.overrides].map(([address, at]) => `    "${address}" = "${at}"\n`);
  const direct = '    direct {}\n';
  writeFileSync(
    rc,
    `provider_installation {\n  dev_overrides {\n${overrides.join('')}  }\n${direct}}\n`,
  );
  const variableEntries = Object.entries(variables).map(([name, value]) => [
    `TF_VAR_${name}`,
    value,
  ]);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: directory,
    CHECKPOINT_DISABLE: '1',
    TF_CLI_CONFIG_FILE: rc,
    ...programs,
    ...Object.fromEntries(variableEntries),
  };
  return (program, ...args) =>
    new Promise((done, failed) => {
      const child = spawn(program, args, {
        cwd: directory,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let [stdout, complained] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text));
      child.once('error', failed);
      child.once('close', (code) => {
        if (code === 0) done(stdout);
        else failed(new Error(`${program} ${args.join(' ')}: ${stdout}${complained}`));
      });
    });
}

function stateIn(directory: string): unknown {
  return JSON.parse(readFileSync(join(directory, 'terraform.tfstate'), 'utf8'));
}
