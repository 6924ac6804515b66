// The built-in provider, served as a plugin under another address and run by the real terraform: differential cases
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

/** Each shows another part of the provider. None has modules, which would have to say where it comes from too. */
const NAMES = [
  'basic-lifecycle',
  'dynamic-typed-attribute',
  'functions-provider-terraform',
  'import-id-errors',
  'moved-implied-and-explicit',
  'remote-state-data',
  'unknown-refinements',
];

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
});

afterAll(() => built.dispose());

it.runIf(process.env['CI'] === 'true')('terraform is on PATH', () => {
  expect(program).toBeDefined();
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** The case with the provider under its other address. */
function elsewhere(testCase: Case): Case {
  const directory = mkdtempSync(join(tmpdir(), 'served-built-in-'));
  cpSync(testCase.directory, directory, { recursive: true });
  let isReplaced = false;
  for (const path of filesOf(directory)) {
    const text = readFileSync(path);
    if (!text.includes(BUILT_IN)) continue;
    writeFileSync(path, text.toString().replaceAll(BUILT_IN, SERVED_BUILT_IN));
    isReplaced ||= path.endsWith('.tf');
  }
  if (!isReplaced) {
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

it
  .skipIf(program === undefined)
  .concurrent.each(selectCases(NAMES).map((each) => [each.name, each] as const))(
  '%s equals the result with the built-in provider',
  async (name, testCase) => {
    const expected = readRecorded(name);
    if (program === undefined || expected === undefined) throw new Error('nothing recorded');
    const moved = elsewhere(testCase);
    const result = await runCase(program, moved);
    try {
      const text = JSON.stringify(result.record).replaceAll(SERVED_BUILT_IN, BUILT_IN);
      const mismatches = differences(expected, JSON.parse(text) as JsonObject, testCase.exceptions);
      expect(report(mismatches.filter(({ level }) => level <= 2))).toBe('');
    } finally {
      discard(result);
      rmSync(moved.directory, { recursive: true, force: true });
    }
  },
);
