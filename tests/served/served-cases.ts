// Cases for the test provider: the format of the differential tests, with the provider as a plugin or in the process.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { loadCase } from '../differential/case.ts';
import type { Case } from '../differential/case.ts';
import { isObject } from '../differential/json.ts';
import type { Json, JsonObject } from '../differential/json.ts';
import { findTerraneShim } from '../differential/program.ts';
import { oracleOf } from '../differential/run-terraform.ts';
import type { Program } from '../differential/program.ts';
import { discard, runCase } from '../differential/run-case.ts';
import { buildPlugins } from './build-plugins.ts';
import type { Built } from './build-plugins.ts';
import { ADDRESS, VERSION } from './test-provider/provider.ts';

const here = import.meta.dirname;

/** Returns the path of a recording, for the functions that read and write recordings. */
export const recordedName = (name: string): string => `../../served/recorded/${name}`;

/** All cases, or those named. */
export function servedCases(wanted: readonly string[] = []): Case[] {
  return readdirSync(join(here, 'cases'))
    .filter((name) => wanted.length === 0 || wanted.includes(name))
    .sort()
    .map((name) => loadCase(name, '../served/cases'));
}

/** The implementation of the provider: the real one of the case, or Terrane as a plugin or in its process. */
export type Way = 'the oracle' | 'terrane over the plugin' | 'terrane in-process';

/** The executables that the ways need. */
export class Workshop {
  readonly #built: Built;
  readonly #config: string;
  readonly #inProcess: string;

  private constructor(built: Built, config: string, inProcess: string) {
    this.#built = built;
    this.#config = config;
    this.#inProcess = inProcess;
  }

  /** Builds the plugins. */
  static async open(): Promise<Workshop> {
    const built = await buildPlugins([{ entry: 'probe.ts', address: ADDRESS, version: VERSION }]);
    const config = join(built.directory, 'cli.tfrc');
    const folder = built.overrides.get(ADDRESS) ?? '';
    writeFileSync(
      config,
      `provider_installation {\n  dev_overrides {\n    "${ADDRESS}" = "${folder}"\n  }\n  direct {}\n}\n`,
    );
    return new Workshop(built, config, await buildTerrane(built.directory));
  }

  dispose(): void {
    this.#built.dispose();
  }

  /** Runs a case. `undefined`: its oracle is not there. */
  async run(way: Way, testCase: Case): Promise<JsonObject | undefined> {
    const program = this.#program(way, testCase);
    if (program === undefined) return undefined;
    const plugin = way !== 'terrane in-process';
    const env = { ...testCase.env, ...(plugin ? { TF_CLI_CONFIG_FILE: this.#config } : {}) };
    const result = await runCase(program, { ...testCase, env });
    discard(result);
    const record = withoutOverrides(result.record) as JsonObject;
    // Terraform knows identities since 1.12, OpenTofu those of 1.12.
    return testCase.oracle === undefined ? (withoutIdentities(record) as JsonObject) : record;
  }

  #program(way: Way, { oracle }: Case): Program | undefined {
    if (way === 'the oracle') return oracleOf({ oracle });
    if (way === 'terrane over the plugin') return findTerraneShim();
    return { name: 'terrane', command: this.#inProcess };
  }
}

/** Terrane with the test provider in it, as one file, called as terraform so that its advice has the same words. */
async function buildTerrane(directory: string): Promise<string> {
  const root = join(here, '../..');
  const folder = join(directory, 'in-process');
  const outfile = join(folder, 'terraform');
  mkdirSync(folder);
  await build({
    entryPoints: [join(here, 'plugins/terrane-with-probe.ts')],
    outfile,
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node22.18',
    format: 'cjs',
    conditions: ['terrane-source'],
    supported: { 'dynamic-import': false },
    alias: { yaml: join(root, 'node_modules/yaml/browser/dist/index.js') },
    external: ['cpu-features', '*.node'],
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'error',
  });
  chmodSync(outfile, 0o755);
  return outfile;
}

const WARNING = 'Provider development overrides are in effect';
const WARNING_TEXT = new RegExp(`\\n?Warning: ${WARNING}\\n[^]*?releases\\.\\n`, 'g');

/** Leaves out the warning about `dev_overrides`, which there is none of without a plugin. */
export function withoutOverrides(json: Json): Json {
  if (typeof json === 'string') return json.replaceAll(WARNING_TEXT, '');
  if (Array.isArray(json)) {
    const from = json.indexOf(`Warning: ${WARNING}`);
    const to = json.findIndex((line, at) => at > from && line === 'releases.');
    // Lines of what a command printed.
    if (from > 0 && to > from) return [...json.slice(0, from - 1), ...json.slice(to + 2)];
    return json
      .filter((each) => !(isObject(each) && each['summary'] === WARNING))
      .map((each) => withoutOverrides(each));
  }
  if (!isObject(json)) return json;
  const diagnostics = json['diagnostics'];
  const warned =
    Array.isArray(diagnostics) &&
    diagnostics.some((each) => isObject(each) && each['summary'] === WARNING);
  return Object.fromEntries(
    Object.entries(json).map(([name, each]) =>
      name === 'warning_count' && warned
        ? [name, Number(each) - 1]
        : [name, withoutOverrides(each)],
    ),
  );
}

const IDENTITIES: ReadonlySet<string> = new Set([
  'identity',
  'identity_schema_version',
  'before_identity',
  'after_identity',
]);

export function withoutIdentities(json: Json): Json {
  if (Array.isArray(json)) return json.map((each) => withoutIdentities(each));
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json)
      .filter(([name]) => !IDENTITIES.has(name))
      .map(([name, each]) => [name, withoutIdentities(each)]),
  );
}

/** Returns true if terraform on PATH is the release of the recordings. */
export function isRecordedRelease(program: Program): boolean {
  const { stdout } = spawnSync(program.command, ['version', '-json'], { encoding: 'utf8' });
  return stdout.includes('"terraform_version": "1.11.');
}
