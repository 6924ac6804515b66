// Runs a case through a program and collects everything that is compared.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canonicalise } from './canonical.ts';
import type { Before, Case, Step } from './case.ts';
import { elements, isObject, member, parseJson, text, unparseJson } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import { run, writeCliConfig } from './program.ts';
import type { Program, Ran } from './program.ts';
import { instanceAddress } from './state-address.ts';
import { unhurried } from './unhurried.ts';

/** A finished run: the record in canonical form, and the folder where it is kept. */
export interface CaseRun {
  readonly record: JsonObject;
  readonly directory: string;
  readonly milliseconds: number;
  /** The output of failing processes by step; for people, never compared. */
  readonly logs: readonly string[][];
}

/** Is told of each plan that was saved as `tfplan` in the folder, before it is applied. */
export type OnPlan = (
  work: string,
  environment: Readonly<Record<string, string>>,
  step: Step,
) => Promise<void>;

/** Is told of each step before anything is done for it: the folder is as the step before has left it. */
export type OnStep = (work: string, step: Step) => void;

/** Sections of the plan's JSON that are recorded. */
const planSections = [
  'format_version',
  'variables',
  'planned_values',
  'resource_drift',
  'resource_changes',
  'deferred_changes',
  'deferred_action_invocations',
  'action_invocations',
  'output_changes',
  'prior_state',
  'relevant_attributes',
  'checks',
  'applyable',
  'complete',
  'errored',
];

/** Flags that a later plan of the same configuration needs again. */
function inputFlags(args: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const flag = args[index] ?? '';
    if (!/^--?var(-file)?(=|$)/.test(flag)) continue;
    kept.push(flag);
    if (!flag.includes('=')) kept.push(args[(index += 1)] ?? '');
  }
  return kept;
}

class Workplace {
  readonly root: string;
  readonly work: string;
  readonly env: Record<string, string>;
  readonly program: Program;
  readonly onPlan: OnPlan | undefined;
  crashes: string[] = [];
  logs: string[] = [];

  constructor(program: Program, testCase: Case, onPlan?: OnPlan) {
    this.program = program;
    this.onPlan = onPlan;
    this.root = realpathSync(mkdtempSync(join(tmpdir(), `differential-${program.name}-`)));
    this.work = join(this.root, 'work');
    mkdirSync(this.work);
    mkdirSync(join(this.root, 'home'));
    this.env = {
      PATH: process.env['PATH'] ?? '',
      HOME: join(this.root, 'home'),
      TMPDIR: this.root,
      CHECKPOINT_DISABLE: '1',
      TF_CLI_CONFIG_FILE: writeCliConfig(program, this.root, testCase.providers),
      ...testCase.env,
    };
  }

  async run(args: readonly string[], step?: Step): Promise<Ran> {
    const { exit, stdout, stderr } = await run(this.program, args, {
      cwd: this.work,
      env: { ...this.env, ...step?.env },
      input: step?.input,
    });
    const ran = { exit, stdout: unhurried(stdout), stderr: unhurried(stderr) };
    if (ran.stderr.trim() !== '' || (ran.exit !== 0 && ran.exit !== 2)) {
      const output = ran.stderr.trim() === '' ? ran.stdout : ran.stderr;
      this.logs.push(
        `$ ${this.program.name} ${args.join(' ')}  (exit ${ran.exit})\n${output.slice(0, 6000)}`,
      );
    }
    return ran;
  }

  /** JSON of a command's output; what is no JSON is remembered as a crash. */
  json(ran: Ran, what: string): Json | undefined {
    try {
      return parseJson(ran.stdout);
    } catch {
      this.crashes.push(
        `${what}: exit ${ran.exit}\n${ran.stdout.slice(0, 1000)}${ran.stderr.slice(0, 4000)}`,
      );
      return undefined;
    }
  }

  /** Lines of a `-json` stream; other lines are remembered as a crash. */
  stream(ran: Ran, what: string): Json[] {
    const lines: Json[] = [];
    const other: string[] = [];
    for (const line of ran.stdout.split('\n')) {
      if (line.trim() === '') continue;
      try {
        lines.push(parseJson(line));
      } catch {
        other.push(line);
      }
    }
    if (ran.stderr.trim() !== '') other.push(ran.stderr.slice(0, 4000));
    if (other.length > 0) this.crashes.push(`${what}: exit ${ran.exit}\n${other.join('\n')}`);
    return lines;
  }

  takeLogs(): string[] {
    const taken = this.logs;
    this.logs = [];
    return taken;
  }

  takeCrashes(): string[] {
    const taken = this.crashes;
    this.crashes = [];
    return taken;
  }
}

/** Runs all steps of a case and gives the record in canonical form. */
export async function runCase(
  program: Program,
  testCase: Case,
  onPlan?: OnPlan,
  onStep?: OnStep,
): Promise<CaseRun> {
  const started = Date.now();
  const place = new Workplace(program, testCase, onPlan);
  const steps: JsonObject[] = [];
  const logs: string[][] = [];
  for (const [index, step] of testCase.steps.entries()) {
    onStep?.(place.work, step);
    steps.push(await runStep(place, testCase, step, index + 1));
    logs.push(place.takeLogs());
  }
  const record: JsonObject = { case: testCase.name, steps };
  const last = testCase.steps.at(-1);
  if (testCase.settle && last !== undefined && existsSync(join(place.work, 'terraform.tfstate'))) {
    const ran = await place.run(
      [
        'plan',
        '-input=false',
        '-no-color',
        '-detailed-exitcode',
        ...inputFlags(settleArgs(testCase)),
      ],
      last,
    );
    record['settle'] = { exit: ran.exit };
  }
  const canonical = canonicalise(
    record,
    { [place.work]: '<dir>', [place.root]: '<root>' },
    testCase.oracle,
  );
  return { record: canonical, directory: place.root, milliseconds: Date.now() - started, logs };
}

/** The arguments of the last step that planned something. */
function settleArgs(testCase: Case): readonly string[] {
  const last = testCase.steps.findLast((step) => /^(plan|apply|destroy)/.test(step.run));
  return last?.args ?? [];
}

/** Removes what a run left. */
export function discard(result: CaseRun): void {
  rmSync(result.directory, { recursive: true, force: true });
}

/** Plans with a program what a run of another left; exit code 0 means no changes. */
export async function planOnTop(program: Program, testCase: Case, previous: CaseRun): Promise<Ran> {
  const work = join(previous.directory, 'work');
  rmSync(join(work, '.terraform'), { recursive: true, force: true });
  rmSync(join(work, '.terraform.lock.hcl'), { force: true });
  const last = testCase.steps.at(-1);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(previous.directory, 'home'),
    TMPDIR: previous.directory,
    CHECKPOINT_DISABLE: '1',
    TF_CLI_CONFIG_FILE: writeCliConfig(
      program,
      join(previous.directory, 'other'),
      testCase.providers,
    ),
    ...testCase.env,
    ...last?.env,
  };
  const init = await run(program, ['init', '-input=false', '-no-color'], { cwd: work, env });
  if (init.exit !== 0) return init;
  return run(
    program,
    [
      'plan',
      '-input=false',
      '-no-color',
      '-detailed-exitcode',
      ...inputFlags(settleArgs(testCase)),
    ],
    { cwd: work, env },
  );
}

async function runStep(
  place: Workplace,
  testCase: Case,
  step: Step,
  number: number,
): Promise<JsonObject> {
  const overlay = join(testCase.directory, String(number));
  const overlaid = existsSync(overlay);
  prepare(place.work, step.before, place.env);
  if (overlaid) cpSync(overlay, place.work, { recursive: true });

  const result: JsonObject = { step: [step.run, ...(step.args ?? [])].join(' ') };
  const { init = overlaid && step.run !== 'init' } = step;
  if (init !== false) {
    const args = init === true ? [] : init;
    const ran = await place.run(['init', '-input=false', '-no-color', '-json', ...args], step);
    result['init'] = { exit: ran.exit, diagnostics: diagnosticsOf(place.stream(ran, 'init')) };
  }
  await runCommand(place, step, result);
  if (step.capture !== undefined) {
    const files: JsonObject = {};
    for (const path of step.capture) files[path] = captured(join(place.work, path));
    result['files'] = files;
  }
  const crashes = place.takeCrashes();
  if (crashes.length > 0) result['crashes'] = crashes;
  return result;
}

async function runCommand(place: Workplace, step: Step, result: JsonObject): Promise<void> {
  const args = step.args ?? [];
  switch (step.run) {
    case 'init': {
      const ran = await place.run(['init', '-input=false', '-no-color', '-json', ...args], step);
      result['exit'] = ran.exit;
      result['diagnostics'] = diagnosticsOf(place.stream(ran, 'init'));
      return;
    }
    case 'validate': {
      const ran = await place.run(['validate', '-no-color', '-json', ...args], step);
      const report = place.json(ran, 'validate');
      result['exit'] = ran.exit;
      for (const key of ['valid', 'error_count', 'warning_count']) {
        result[key] = member(report, key) ?? null;
      }
      result['diagnostics'] = elements(member(report, 'diagnostics'))
        .map(diagnosticOf)
        .sort(byText);
      return;
    }
    case 'plan':
      await plan(place, step, args, result);
      return;
    case 'apply':
    case 'destroy': {
      const mode = step.run === 'destroy' ? ['-destroy'] : [];
      const planned = await plan(place, step, [...mode, ...args], result);
      if (planned) {
        const flags = args.filter((argument) => /^--?parallelism=/.test(argument));
        await apply(
          place,
          step,
          ['apply', '-input=false', '-no-color', '-json', ...flags, 'tfplan'],
          result,
        );
      }
      await leftovers(place, step, result);
      return;
    }
    case 'apply-planned':
      await apply(
        place,
        step,
        ['apply', '-input=false', '-no-color', '-json', ...args, 'tfplan'],
        result,
      );
      await leftovers(place, step, result);
      return;
    case 'apply-auto':
    case 'destroy-auto': {
      const command = step.run === 'destroy-auto' ? 'destroy' : 'apply';
      await apply(
        place,
        step,
        [command, '-auto-approve', '-input=false', '-no-color', '-json', ...args],
        result,
      );
      await leftovers(place, step, result);
      return;
    }
    case 'show': {
      const ran = await place.run(['show', '-no-color', '-json', ...args], step);
      result['exit'] = ran.exit;
      result['shown'] = place.json(ran, 'show') ?? null;
      return;
    }
    case 'test': {
      const ran = await place.run(['test', '-no-color', '-json', ...args], step);
      result['exit'] = ran.exit;
      result['messages'] = testMessages(place.stream(ran, 'test'));
      return;
    }
    case 'command': {
      const ran = await place.run(args, step);
      result['exit'] = ran.exit;
      const json = args.some((argument) => /^--?json$/.test(argument));
      result['stdout'] = json
        ? (messagesIn(ran.stdout) ?? place.json(ran, args.join(' ')) ?? ran.stdout)
        : lines(ran.stdout);
      if (step.stderr === true) result['stderr'] = lines(ran.stderr);
      if (step.state !== false && existsSync(join(place.work, 'terraform.tfstate'))) {
        result['state'] = readState(place);
      }
      return;
    }
  }
}

/** The messages of a `-json` stream, without times and versions; undefined where a text is none. */
function messagesIn(text: string): Json[] | undefined {
  if (!text.startsWith('{"@level"')) return undefined;
  const messages: Json[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const message = parseJson(line);
    if (!isObject(message) || isPassing(message['type'])) continue;
    const kept: JsonObject = {};
    for (const [key, value] of Object.entries(message)) {
      if (key === '@timestamp' || key === '@module') continue;
      kept[key] = key === 'diagnostic' ? diagnosticOf(value) : timelessHook(value);
    }
    messages.push(kept);
  }
  return messages;
}

/** Returns true for messages about the program itself, and for those that only appear if an operation is slow. */
function isPassing(type: Json | undefined): boolean {
  return ['version', 'state_lock_acquire', 'state_lock_release'].includes(String(type));
}

/** Returns a message about an operation without its duration. */
function timelessHook(value: Json): Json {
  if (!isObject(value) || !('elapsed_seconds' in value)) return value;
  const { elapsed_seconds: _, ...rest } = value;
  return rest;
}

/** Returns the messages of `test` without times, and without those that only appear if an operation is slow. */
function testMessages(stream: readonly Json[]): Json[] {
  const messages: Json[] = [];
  let pending: Json[] = [];
  const settle = (): void => {
    // Terraform looks through maps: what it says of one thing has no order. It reports problems of a file twice.
    const isRepeated = (message: Json, index: number): boolean =>
      member(message, '@testrun') === undefined &&
      JSON.stringify(message) === JSON.stringify(pending[index - 1] ?? null);
    messages.push(...pending.sort(byText).filter((message, index) => !isRepeated(message, index)));
    pending = [];
  };
  for (const line of stream) {
    const type = member(line, 'type');
    if (!isObject(line) || type === 'version') continue;
    if (member(line, 'test_run', 'progress') === 'running') continue;
    const kept: JsonObject = {};
    for (const [key, value] of Object.entries(line)) {
      if (key === '@timestamp' || key === '@module') continue;
      kept[key] = key === 'diagnostic' ? diagnosticOf(value) : value;
    }
    for (const key of ['test_plan', 'test_state']) {
      const shown = kept[key];
      // The schemas themselves are compared elsewhere.
      if (isObject(shown) && isObject(shown['provider_schemas'])) {
        kept[key] = { ...shown, provider_schemas: Object.keys(shown['provider_schemas']) };
      }
    }
    if (type === 'diagnostic') pending.push(kept);
    else {
      settle();
      messages.push(kept);
    }
  }
  settle();
  return messages;
}

function lines(output: string): Json {
  const split = output.split('\n');
  return split.length > 1 ? split : output;
}

async function plan(
  place: Workplace,
  step: Step,
  args: readonly string[],
  result: JsonObject,
): Promise<boolean> {
  rmSync(join(place.work, 'tfplan'), { force: true });
  const ran = await place.run(
    ['plan', '-input=false', '-no-color', '-json', '-detailed-exitcode', '-out=tfplan', ...args],
    step,
  );
  const stream = place.stream(ran, 'plan');
  result['exit'] = ran.exit;
  result['diagnostics'] = diagnosticsOf(stream);
  result['events'] = eventsOf(stream).sort();
  if (ran.exit !== 0 && ran.exit !== 2) return false;
  const shown = await place.run(['show', '-no-color', '-json', 'tfplan'], step);
  const json = place.json(shown, 'show -json tfplan');
  const sections: JsonObject = {};
  for (const key of step.configuration === true
    ? [...planSections, 'configuration']
    : planSections) {
    const section = member(json, key);
    if (section !== undefined) sections[key] = section;
  }
  result['plan'] = sections;
  await place.onPlan?.(place.work, { ...place.env, ...step.env }, step);
  return true;
}

async function apply(
  place: Workplace,
  step: Step,
  args: readonly string[],
  result: JsonObject,
): Promise<void> {
  const ran = await place.run(args, step);
  const stream = place.stream(ran, 'apply');
  const events = eventsOf(stream);
  const applied: JsonObject = {
    exit: ran.exit,
    diagnostics: diagnosticsOf(stream),
    events: [...events].sort(),
  };
  if (step.ordered === true)
    applied['order'] = events.filter((event) => /^(apply|ephemeral_op)_/.test(event));
  result['apply'] = applied;
}

async function leftovers(place: Workplace, step: Step, result: JsonObject): Promise<void> {
  result['state'] = readState(place);
  const ran = await place.run(['output', '-no-color', '-json'], step);
  result['outputs'] = place.json(ran, 'output -json') ?? null;
}

function readState(place: Workplace): Json {
  const path = join(place.work, 'terraform.tfstate');
  if (!existsSync(path)) return null;
  try {
    return parseJson(readFileSync(path, 'utf8'));
  } catch (error) {
    place.crashes.push(`terraform.tfstate is no JSON: ${String(error)}`);
    return null;
  }
}

/** A file, and who may read it. */
function captured(path: string): Json {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0');
  if (stats.isDirectory()) return { directory: true, mode };
  const text = unhurried(readFileSync(path, 'utf8'));
  const messages = messagesIn(text);
  return messages === undefined ? { content: timeless(path, text), mode } : { messages, mode };
}

/** Reports of tests in XML tell when everything was, and how long it took. */
function timeless(path: string, content: string): string {
  if (!path.endsWith('.xml')) return content;
  return content
    .replaceAll(/ time="[^"]*"/g, ' time="#"')
    .replaceAll(/ timestamp="[^"]*"/g, ' timestamp="#"');
}

/** Does to a folder what a step wants before it. */
export function prepare(
  work: string,
  before: Before | undefined,
  env?: Readonly<Record<string, string>>,
): void {
  if (before === undefined) return;
  for (const [command, ...args] of before.commands ?? []) {
    execFileSync(command ?? '', args, { cwd: work, env, stdio: ['ignore', 'ignore', 'pipe'] });
  }
  for (const path of before.remove ?? [])
    rmSync(join(work, path), { recursive: true, force: true });
  for (const [path, content] of Object.entries(before.write ?? {})) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), content);
  }
  for (const [path, content] of Object.entries(before.append ?? {})) {
    if (existsSync(join(work, path))) chmodSync(join(work, path), 0o600);
    writeFileSync(join(work, path), content, { flag: 'a' });
  }
  for (const [from, to] of before.copy ?? []) {
    if (existsSync(join(work, from))) cpSync(join(work, from), join(work, to), { recursive: true });
  }
  if (before.taint !== undefined || before.editState !== undefined) editState(work, before);
}

function editState(work: string, before: Before): void {
  const path = join(work, 'terraform.tfstate');
  // A program that left no state shows as missing results, not as a fault of the harness.
  if (!existsSync(path)) return;
  const state = parseJson(readFileSync(path, 'utf8'));
  for (const resource of elements(member(state, 'resources'))) {
    for (const instance of elements(member(resource, 'instances'))) {
      if (
        isObject(instance) &&
        (before.taint ?? []).includes(instanceAddress(resource, instance))
      ) {
        // At the position where Terraform writes it: after the index key, before the schema version.
        const entries = Object.entries(instance);
        for (const [key] of entries) delete instance[key];
        for (const [key, value] of entries) {
          if (key === 'schema_version') instance['status'] = 'tainted';
          instance[key] = value;
        }
      }
    }
  }
  if (isObject(state) && typeof state['serial'] === 'number') state['serial'] += 1;
  let source = `${unparseJson(state)}\n`;
  for (const [from, to] of before.editState ?? []) source = source.replaceAll(from, to);
  writeFileSync(path, source);
}

function byText(left: Json, right: Json): number {
  const [a, b] = [JSON.stringify(left), JSON.stringify(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function diagnosticsOf(stream: readonly Json[]): Json[] {
  const diagnostics = new Map<string, Json>();
  for (const line of stream) {
    const diagnostic = member(line, 'diagnostic');
    if (member(line, 'type') !== 'diagnostic' || diagnostic === undefined) continue;
    // Said only because the oracle installs its providers from a mirror.
    if (member(diagnostic, 'summary') === 'Incomplete lock file information for providers')
      continue;
    const reduced = diagnosticOf(diagnostic);
    // `terraform init` says everything about a faulty configuration twice.
    diagnostics.set(JSON.stringify(reduced), reduced);
  }
  return [...diagnostics.values()].sort(byText);
}

function diagnosticOf(diagnostic: Json): JsonObject {
  const range = member(diagnostic, 'range');
  const reduced: JsonObject = {};
  const file = member(range, 'filename');
  if (file !== undefined) reduced['file'] = file;
  const line = member(range, 'start', 'line');
  if (line !== undefined) reduced['line'] = line;
  for (const key of ['severity', 'summary', 'detail', 'address']) {
    const value = member(diagnostic, key);
    if (value !== undefined) reduced[key] = value;
  }
  if (range !== undefined) reduced['range'] = rangeText(range);
  const snippet = member(diagnostic, 'snippet');
  if (snippet !== undefined) reduced['snippet'] = snippet;
  const origin = member(diagnostic, 'deprecation_origin_description');
  if (origin !== undefined) reduced['deprecationOrigin'] = origin;
  return reduced;
}

function rangeText(range: Json): string {
  const at = (end: string): string =>
    ['line', 'column', 'byte'].map((part) => String(member(range, end, part))).join(':');
  return `${at('start')}-${at('end')}`;
}

function eventsOf(stream: readonly Json[]): string[] {
  const events: string[] = [];
  for (const line of stream) {
    const type = text(member(line, 'type')) ?? '';
    const change = member(line, 'change') ?? member(line, 'hook');
    const address = text(member(change, 'resource', 'addr')) ?? '';
    const action = text(member(change, 'action')) ?? '';
    switch (type) {
      case 'planned_change':
      case 'resource_drift': {
        const reason = text(member(change, 'reason'));
        const from = text(member(change, 'previous_resource', 'addr'));
        events.push(
          [
            type,
            address,
            action,
            reason === undefined ? '' : `(${reason})`,
            from === undefined ? '' : `from ${from}`,
          ]
            .filter((part) => part !== '')
            .join(' '),
        );
        break;
      }
      case 'change_summary': {
        const changes = member(line, 'changes');
        const counts = ['add', 'change', 'import', 'remove'].map(
          (key) => `${key}=${String(member(changes, key))}`,
        );
        events.push(`change_summary ${String(member(changes, 'operation'))} ${counts.join(' ')}`);
        break;
      }
      case 'outputs': {
        const outputs = member(line, 'outputs');
        const each = isObject(outputs) ? Object.entries(outputs) : [];
        const outputTexts = each.map(([name, output]) => {
          const sensitive = member(output, 'sensitive') === true ? ' sensitive' : '';
          const does = text(member(output, 'action'));
          return `${name}${does === undefined ? '' : ` ${does}`}${sensitive}`;
        });
        events.push(`outputs ${outputTexts.join(', ')}`.trimEnd());
        break;
      }
      case 'apply_start':
      case 'apply_complete':
      case 'apply_errored':
      case 'refresh_start':
      case 'refresh_complete':
      case 'provision_start':
      case 'provision_complete':
      case 'provision_errored':
      case 'ephemeral_op_start':
      case 'ephemeral_op_complete':
      case 'ephemeral_op_errored': {
        const key = text(member(change, 'id_key'));
        const id = key === undefined ? '' : `[${key}=${String(member(change, 'id_value'))}]`;
        events.push([type, address, action, id].filter((part) => part !== '').join(' '));
        break;
      }
      default:
        break;
    }
  }
  return events;
}
