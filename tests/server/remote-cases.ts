// Differential cases through a run server, by unchanged clients, beside the recorded results of local runs.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalise } from '../differential/canonical.ts';
import { type Case, selectCases, type Step } from '../differential/case.ts';
import { differences, type Difference } from '../differential/difference.ts';
import {
  elements,
  isObject,
  type Json,
  type JsonObject,
  member,
  parseJson,
} from '../differential/json.ts';
import { readRecorded } from '../differential/recorded.ts';
import { prepare } from '../differential/run-case.ts';

/** A client of a server, and the environment in which it finds it. */
export interface RemoteClient {
  readonly program: string;
  /** `localhost:PORT` */
  readonly hostname: string;
  readonly organization: string;
  readonly environment: NodeJS.ProcessEnv;
}

const STEPS: ReadonlySet<string> = new Set([
  'plan',
  'apply',
  'apply-auto',
  'destroy',
  'destroy-auto',
]);
/** Options that the servers of the API accept for a run. */
const OPTIONS = /^-(var|target|replace|refresh|refresh-only|destroy)(=|$)/;
/** Configurations whose values depend on where they are, or that name a backend. */
const LOCAL_TEXT = /backend\s+"|cloud\s*\{|"(backend|cloud)"|path\.|terraform\.workspace|timestamp/;
const CHANGES: ReadonlySet<string> = new Set(['remove', 'write', 'append', 'copy']);

/** Cases that a client cannot repeat with remote runs, with the reason. */
export const NOT_REMOTE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'functions-encoding',
    'functions-numeric',
    'json-expressions',
    'number-literals-and-extremes',
    'numbers-exact',
  ].map((name) => [name, 'terraform decodes the numbers of outputs of a server as binary64']),
);

/** Returns the cases that make sense with remote runs: without published providers, local states and paths. */
export function remoteCases(names: readonly string[] = []): readonly Case[] {
  return selectCases(names).filter(
    (each) =>
      NOT_REMOTE[each.name] === undefined &&
      each.oracle === undefined &&
      each.needs.length === 0 &&
      each.providers.length === 0 &&
      Object.keys(each.env).length === 0 &&
      each.steps.every(isRemoteStep) &&
      filesOf(each.directory).every(
        ({ path, text }) => !path.endsWith('.tfstate') && !LOCAL_TEXT.test(text),
      ),
  );
}

function isRemoteStep({ run, env, input, capture, before, args = [], init }: Step): boolean {
  return (
    STEPS.has(run) &&
    env === undefined &&
    input === undefined &&
    capture === undefined &&
    !Array.isArray(init) &&
    Object.keys(before ?? {}).every((key) => CHANGES.has(key)) &&
    !JSON.stringify(before ?? {}).includes('tfstate') &&
    args.every((arg) => OPTIONS.test(arg))
  );
}

function filesOf(directory: string): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { path, text: readFileSync(path, 'utf8') };
    });
}

/** Runs a case with a workspace of its own. Returns how exit codes, states and outputs differ from the recording. */
export async function compareRemotely(
  client: RemoteClient,
  testCase: Case,
): Promise<readonly Difference[]> {
  const root = await mkdtemp(join(tmpdir(), 'remote-case-'));
  try {
    const record = await runRemotely(client, testCase, join(root, 'work'));
    const expected = readRecorded(testCase.name);
    if (expected === undefined) throw new Error(`${testCase.name} is not recorded`);
    const canonical = canonicalise(record, { [join(root, 'work')]: '<dir>', [root]: '<root>' });
    return differences(comparable(expected), comparable(canonical), testCase.exceptions);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function runRemotely(
  client: RemoteClient,
  testCase: Case,
  work: string,
): Promise<JsonObject> {
  await mkdir(work);
  const environment = { ...client.environment, TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' };
  const run = (...args: readonly string[]): Promise<Ran> =>
    runProgram(client.program, args, work, environment);
  const steps: JsonObject[] = [];
  for (const [index, step] of testCase.steps.entries()) {
    prepare(work, step.before, {});
    const overlay = join(testCase.directory, String(index + 1));
    const isOverlaid = existsSync(overlay);
    if (isOverlaid) cpSync(overlay, work, { recursive: true });
    await writeFile(join(work, 'zz_cloud.tf'), cloudBlock(client, testCase.name));
    const result: JsonObject = {};
    steps.push(result);
    if (step.init ?? isOverlaid) {
      const { exit } = await run('init', '-input=false', '-no-color');
      result['init'] = { exit };
    }
    await runStep(step, run, result);
    if (step.run !== 'plan') {
      result['state'] = parsed((await run('state', 'pull')).stdout);
      result['outputs'] = parsed((await run('output', '-no-color', '-json')).stdout);
    }
  }
  return { case: testCase.name, steps };
}

async function runStep(
  step: Step,
  run: (...args: readonly string[]) => Promise<Ran>,
  result: JsonObject,
): Promise<void> {
  const args = step.args ?? [];
  const isDestroy = step.run === 'destroy' || step.run === 'destroy-auto';
  const options = [...(isDestroy ? ['-destroy'] : []), ...args];
  const isAutomatic = step.run === 'apply-auto' || step.run === 'destroy-auto';
  if (!isAutomatic) {
    const planned = await run(
      'plan',
      '-input=false',
      '-no-color',
      '-detailed-exitcode',
      ...options,
    );
    result['exit'] = planned.exit;
    if (step.run === 'plan' || planned.exit === 1) return;
  }
  const { exit } = await run('apply', '-auto-approve', '-input=false', '-no-color', ...options);
  result['apply'] = { exit };
}

interface Ran {
  readonly exit: number;
  readonly stdout: string;
}

function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { cwd, env, maxBuffer: 64 << 20 }, (error, stdout) =>
      resolve({ exit: child.exitCode ?? (error === null ? 0 : 1), stdout }),
    );
  });
}

const cloudBlock = ({ hostname, organization }: RemoteClient, name: string): string =>
  `terraform {\n  cloud {\n    hostname     = ${JSON.stringify(hostname)}\n    organization = ${JSON.stringify(organization)}\n    workspaces {\n      name = ${JSON.stringify(name)}\n    }\n  }\n}\n`;

function parsed(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Returns what a remote run shows, too: exit codes, the objects in the state, and the outputs. */
function comparable(record: Json): JsonObject {
  return {
    steps: elements(member(record, 'steps')).map((step): JsonObject => {
      const kept: JsonObject = {};
      for (const key of ['exit', 'outputs']) {
        const value = member(step, key);
        if (value !== undefined) kept[key] = value;
      }
      for (const key of ['init', 'apply']) {
        const exit = member(step, key, 'exit');
        if (exit !== undefined) kept[key] = { exit };
      }
      // No state and an empty one are the same: clients of a server export no state as an empty one.
      const state = member(step, 'state');
      kept['state'] = { resources: (isObject(state) ? state['resources'] : undefined) ?? [] };
      return kept;
    }),
  };
}
