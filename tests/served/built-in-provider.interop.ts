// The built-in provider, served as a plugin under another address and run by the real terraform: the differential cases
// that use it come out as they do with the one that is built into terraform.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { selectCases } from '../differential/case.ts';
import type { Case } from '../differential/case.ts';
import { differences, report } from '../differential/difference.ts';
import type { JsonObject } from '../differential/json.ts';
import { findTerraform } from '../differential/program.ts';
import { readRecorded } from '../differential/recorded.ts';
import { discard, runCase } from '../differential/run-case.ts';
import { buildPlugins } from './build-plugins.ts';
import type { Built } from './build-plugins.ts';
import { BUILT_IN, SERVED_BUILT_IN } from './served-built-in.ts';

const program = findTerraform();

/** Cases that show what only the program can do that the provider is built into, by why. */
const APART: Readonly<Record<string, string>> = {
  'remote-state-errors': 'a plugin knows no backends that it could check',
};

const USES = /terraform_data|terraform_remote_state|provider::terraform::/;
/** What says itself where providers come from, runs what would say it, or has modules that would have to. */
const SAYS = /required_providers|^ *module "|"(?:required_providers|module)"/m;

let built: Built;
let config: string;

beforeAll(async () => {
  built = await buildPlugins([
    { entry: 'terraform.ts', address: SERVED_BUILT_IN, version: '1.0.0' },
  ]);
  config = join(built.directory, 'cli.tfrc');
  writeFileSync(
    config,
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(built.mirror)}\n  }\n}\n`,
  );
}, 120_000);

afterAll(() => built.dispose());

it.runIf(process.env['CI'] === 'true')('terraform is on PATH', () => {
  expect(program).toBeDefined();
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

function uses({ name, directory, providers, oracle, steps }: Case): boolean {
  if (Object.hasOwn(APART, name) || oracle !== undefined || providers.length > 0) return false;
  if (steps.some(({ run }) => run === 'init' || run === 'command')) return false;
  // What is built in needs no init, and a plugin does.
  if (steps[0]?.init === false) return false;
  const texts = filesOf(directory)
    .filter((path) => /\.tf(\.json)?$/.test(path))
    .map((path) => readFileSync(path, 'utf8'));
  return (
    texts.some((text) => USES.test(text)) &&
    texts.every(
      (text) => !SAYS.test(text) || (text.includes(BUILT_IN) && !/^ *module "/m.test(text)),
    )
  );
}

/** The case with the provider under its other address. */
function elsewhere(testCase: Case): Case {
  const directory = mkdtempSync(join(tmpdir(), 'served-built-in-'));
  cpSync(testCase.directory, directory, { recursive: true });
  let said = false;
  for (const path of filesOf(directory)) {
    const text = readFileSync(path);
    if (!text.includes(BUILT_IN)) continue;
    writeFileSync(path, text.toString().replaceAll(BUILT_IN, SERVED_BUILT_IN));
    said ||= path.endsWith('.tf');
  }
  if (!said) {
    const first = join(directory, '1');
    if (!existsSync(first)) mkdirSync(first);
    writeFileSync(
      join(first, 'served-built-in.tf'),
      `terraform {\n  required_providers {\n    terraform = { source = "${SERVED_BUILT_IN}" }\n  }\n}\n`,
    );
  }
  const steps = JSON.parse(
    JSON.stringify(testCase.steps).replaceAll(BUILT_IN, SERVED_BUILT_IN),
  ) as Case['steps'];
  return { ...testCase, directory, steps, env: { ...testCase.env, TF_CLI_CONFIG_FILE: config } };
}

// INTEROP_SAMPLE=N: every Nth case, for runs that have little time.
const every = Number(process.env['INTEROP_SAMPLE'] ?? 1);
const sample = selectCases([])
  .filter(uses)
  .filter((_, index) => index % every === 0);

it.skipIf(program === undefined).concurrent.each(sample.map((each) => [each.name, each] as const))(
  '%s comes out as with the provider that is built in',
  async (name, testCase) => {
    const expected = readRecorded(name);
    if (program === undefined || expected === undefined) throw new Error('nothing recorded');
    const moved = elsewhere(testCase);
    const result = await runCase(program, moved);
    try {
      const text = JSON.stringify(result.record).replaceAll(SERVED_BUILT_IN, BUILT_IN);
      const found = differences(expected, JSON.parse(text) as JsonObject, testCase.exceptions);
      expect(report(found.filter(({ level }) => level <= 2))).toBe('');
    } finally {
      discard(result);
      rmSync(moved.directory, { recursive: true, force: true });
    }
  },
);
