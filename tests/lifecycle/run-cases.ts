// Runs cases by the real terraform, or by Terrane over the plugin or in this process, and keeps the calls.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeHost } from '@terrane/host';
import type { OwnProcess } from '@terrane/host';
import { serveIn } from '@terrane/plugin/server';
import type { Provider } from '@terrane/provider';
import { runWithin } from 'terrane/testing/with-providers';
import type { Case } from '../differential/case.ts';
import type { JsonObject } from '../differential/json.ts';
import { findTerraform, findTerrane, run } from '../differential/program.ts';
import type { Program, Ran, RunInPlace } from '../differential/program.ts';
import { discard, runCase } from '../differential/run-case.ts';
import { buildPlugins } from '../served/build-plugins.ts';
import type { Built } from '../served/build-plugins.ts';
import { withoutIdentities, withoutOverrides } from '../served/served-cases.ts';
import type { Way } from '../served/served-cases.ts';
import { readLog } from './call-order.ts';
import type { Call } from './call-order.ts';
import { ADDRESS, lifecycleProvider, VERSION } from './provider/provider.ts';
import type { Surroundings } from './provider/provider.ts';
import { slowness } from './provider/slowness.ts';

/** The result of a case: its record, and the provider calls of each command. */
export interface LifecycleRun {
  readonly record: JsonObject;
  readonly calls: readonly { readonly command: string; readonly calls: readonly Call[] }[];
}

/** The executable of the provider. */
export class Workshop {
  readonly #built: Built;
  readonly #config: string;

  private constructor(built: Built, config: string) {
    this.#built = built;
    this.#config = config;
  }

  static async open(): Promise<Workshop> {
    const entry = join(import.meta.dirname, 'provider/plugin.ts');
    const built = await buildPlugins([{ entry, address: ADDRESS, version: VERSION }]);
    const config = join(built.directory, 'cli.tfrc');
    const folder = built.overrides.get(ADDRESS) ?? '';
    writeFileSync(
      config,
      `provider_installation {\n  dev_overrides {\n    "${ADDRESS}" = "${folder}"\n  }\n  direct {}\n}\n`,
    );
    return new Workshop(built, config);
  }

  dispose(): void {
    this.#built.dispose();
  }

  /** Runs a case with the provider as a plugin. `slow`: which objects are slow, as `slowness` has it. */
  async run(
    way: Exclude<Way, 'terrane in-process'>,
    testCase: Case,
    slow = 0,
  ): Promise<LifecycleRun> {
    const program = way === 'the oracle' ? findTerraform() : findTerrane();
    if (program === undefined) throw new Error('there is no terraform on PATH');
    return await runLogged(testCase, program.name, this.#config, async (args, options) => {
      const env = {
        ...options.env,
        LIFECYCLE_DIRECTORY: options.cwd,
        LIFECYCLE_LOG: logOf(options.cwd),
        LIFECYCLE_APPLYING: String(isApply(args)),
        LIFECYCLE_SLOWNESS: String(slow),
      };
      return await run(program, args, { ...options, env });
    });
  }
}

/**
 * Runs a case by terraform with the provider in this process, which terraform is attached to. `brief`:
 * plans and outputs are not shown, for who wants to know of calls only.
 */
export async function runAttached(
  testCase: Case,
  wait: Surroundings['wait'],
  brief: boolean,
): Promise<LifecycleRun> {
  const program = findTerraform();
  if (program === undefined) throw new Error('there is no terraform on PATH');
  const around = { directory: '', log: '', applying: false, place: '1', wait };
  const attached = await attach(lifecycleProvider(around));
  try {
    return await runLogged(testCase, program.name, undefined, async (args, options) => {
      if (brief && (args[0] === 'show' || args[0] === 'output'))
        return { exit: 0, stdout: '{}', stderr: '' };
      around.directory = options.cwd;
      around.log = logOf(options.cwd);
      around.applying = isApply(args);
      const env = { ...options.env, TF_REATTACH_PROVIDERS: attached.reattach };
      return await run(program, args, { ...options, env });
    });
  } finally {
    attached.end();
  }
}

/** Serves a provider from this process, and gives what terraform has to know of it. */
async function attach(provider: Provider): Promise<{ reattach: string; end: () => void }> {
  let end: () => void = () => undefined;
  const reattach = await new Promise<string>((resolve, reject) => {
    const fakeProcess: OwnProcess = {
      args: ['-debug'],
      executable: process.execPath,
      parentPid: () => process.ppid,
      write: (stream, text) => {
        const match = /TF_REATTACH_PROVIDERS='(.*)'/.exec(text)?.[1];
        if (stream === 'stdout' && match !== undefined) resolve(match);
      },
      divert: () => undefined,
      onSignal: (handle) => {
        end = () => handle('SIGTERM');
      },
      onUncaught: () => undefined,
      exit: () => undefined,
    };
    serveIn(provider, { address: ADDRESS }, { process: fakeProcess, host: nodeHost() }).catch(
      reject,
    );
  });
  return { reattach, end };
}

const logOf = (cwd: string): string => join(cwd, '../calls.log');
const isApply = ([command]: readonly string[]): boolean =>
  command === 'apply' || command === 'destroy';

/** Runs a case in this process. */
export async function runInProcess(testCase: Case, slow = 0): Promise<LifecycleRun> {
  return await runLogged(testCase, 'terrane', undefined, async (args, { cwd, env, input }) => {
    let made = 0;
    const create = () =>
      lifecycleProvider({
        directory: cwd,
        log: logOf(cwd),
        place: String((made += 1)),
        applying: isApply(args),
        wait: slowness(slow),
      });
    const providers = new Map([[ADDRESS, { kind: 'in-process' as const, create }]]);
    return await runWithin(args, { directory: cwd, environment: env, input, providers });
  });
}

async function runLogged(
  testCase: Case,
  name: Program['name'],
  config: string | undefined,
  inPlace: RunInPlace,
): Promise<LifecycleRun> {
  const calls: LifecycleRun['calls'][number][] = [];
  const program: Program = {
    name,
    command: name,
    inPlace: async (args, options): Promise<Ran> => {
      rmSync(logOf(options.cwd), { force: true });
      const ran = await inPlace(args, options);
      const text = existsSync(logOf(options.cwd)) ? readFileSync(logOf(options.cwd), 'utf8') : '';
      if (/^(plan|apply|destroy|refresh|import|validate)$/.test(args[0] ?? ''))
        calls.push({ command: args.filter(isTelling).join(' '), calls: readLog(text) });
      return ran;
    },
  };
  const env = { ...testCase.env, ...(config === undefined ? {} : { TF_CLI_CONFIG_FILE: config }) };
  const result = await runCase(program, { ...testCase, env });
  discard(result);
  return { record: withoutIdentities(withoutOverrides(result.record)) as JsonObject, calls };
}

/** Options that every run has say nothing. */
const isTelling = (argument: string): boolean =>
  !/^-(input=false|no-color|json|detailed-exitcode|auto-approve|out=)/.test(argument);
