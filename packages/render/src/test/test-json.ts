import {
  type Plan,
  providersRequired,
  type Schemas,
  type State,
  type TestedFile,
  type TestedRun,
  type TestEvent,
  type VerboseRun,
} from '@terrane/engine';
import type { Diagnostic } from '@terrane/hcl';
import { jsonArray, JsonMembers, jsonObject, jsonString, jsonStrings } from '../json/json-text.ts';
import { changesJson, outputChanges, relevantAttributes } from '../json/plan-json.ts';
import { providerJson } from '../json/provider-schemas-json.ts';
import { moduleJson, outputsMember } from '../json/state-json.ts';
import { diagnosticMessage, lineOf, type Message } from '../json/stream-lines.ts';
import { stateTree } from '../state/state-tree.ts';
import { coverageJson, coverageLine } from './coverage-text.ts';
import {
  cleanupLine,
  leftovers,
  type Leftover,
  statusWord,
  suiteCounts,
  summaryLine,
} from './test-words.ts';

/** The subject of a message. */
interface Place {
  readonly file?: TestedFile | undefined;
  readonly run?: TestedRun | undefined;
}

const PROGRESS = {
  starting: 'starting',
  running: 'running',
  teardown: 'teardown',
  complete: 'complete',
} as const;

/** Formats a test event as lines of the machine-readable stream; "" for events without output. */
export function testLines(event: TestEvent, timestamp: Date): string {
  return messagesOf(event)
    .map((message) => lineOf(message, timestamp))
    .join('');
}

/** Diagnostics of a file or a run as lines. */
export function testDiagnosticLines(
  diagnostics: readonly Diagnostic[],
  place: Place,
  timestamp: Date,
): string {
  return diagnosticMessages(diagnostics, place)
    .map((message) => lineOf(message, timestamp))
    .join('');
}

function diagnosticMessages(diagnostics: readonly Diagnostic[], place: Place): Message[] {
  return diagnostics.map((diagnostic) => {
    const message = diagnosticMessage(diagnostic);
    return { ...message, body: [...message.body, ...placeMembers(place)] };
  });
}

function placeMembers({ file, run }: Place): Message['body'] {
  return [
    ...(file === undefined ? [] : [['@testfile', jsonString(file.name)] as const]),
    ...(run === undefined ? [] : [['@testrun', jsonString(run.name)] as const]),
  ];
}

function message(
  level: Message['level'],
  text: string,
  type: string,
  json: string,
  place: Place = {},
): Message {
  return { level, text, type, body: [[type, json], ...placeMembers(place)] };
}

function messagesOf(event: TestEvent): readonly Message[] {
  switch (event.kind) {
    case 'abstract': {
      const { files } = event.suite;
      const runs = files.reduce((sum, file) => sum + file.runs.length, 0);
      const text = `Found ${files.length} ${files.length === 1 ? 'file' : 'files'} and ${runs} ${runs === 1 ? 'run block' : 'run blocks'}`;
      const json = jsonObject(
        files.map((file) => [
          file.name,
          file.runs.length === 0 ? 'null' : jsonStrings(file.runs.map(({ name }) => name)),
        ]),
      );
      return [message('info', text, 'test_abstract', json)];
    }
    case 'file':
      return fileMessages(event.file, event.progress);
    case 'run':
      return runMessages(event);
    case 'cleanup':
      return cleanupMessages(event);
    case 'interrupt':
      return interruptMessages(event);
    case 'coverage': {
      const { report } = event;
      return [message('info', coverageLine(report), 'test_coverage', coverageJson(report))];
    }
    case 'conclusion': {
      const { suite } = event;
      const counts = suiteCounts(suite);
      const json = new JsonMembers()
        .add('status', jsonString(suite.status))
        .add('passed', String(counts.pass))
        .add('failed', String(counts.fail))
        .add('errored', String(counts.error))
        .add('skipped', String(counts.skip))
        .text();
      const line = suite.onlyCleansUp === true ? cleanupLine(suite) : summaryLine(suite);
      return [message('info', line, 'test_summary', json)];
    }
  }
}

function fileMessages(
  file: TestedFile,
  progress: 'starting' | 'teardown' | 'complete',
): readonly Message[] {
  const words = {
    starting: 'in progress',
    teardown: 'tearing down',
    complete: statusWord(file.status),
  };
  const json = new JsonMembers()
    .add('path', jsonString(file.name))
    .add('progress', jsonString(progress))
    .add('status', progress === 'complete' ? jsonString(file.status) : undefined)
    .text();
  const progressMessage = message('info', `${file.name}... ${words[progress]}`, 'test_file', json, {
    file,
  });
  const fileDiagnostics =
    progress === 'complete' ? diagnosticMessages(file.diagnostics, { file }) : [];
  return [progressMessage, ...fileDiagnostics];
}

function runMessages({
  run,
  file,
  progress,
  elapsedMs,
}: Extract<TestEvent, { readonly kind: 'run' }>): readonly Message[] {
  const place = { file, run };
  const members = new JsonMembers()
    .add('path', jsonString(file.name))
    .add('run', jsonString(run.name))
    .add('progress', jsonString(PROGRESS[progress]));
  if (progress !== 'complete') {
    const json = members.add('elapsed', String(elapsedMs)).text();
    const words = progress === 'teardown' ? 'tearing down' : 'in progress';
    return [message('info', `  "${run.name}"... ${words}`, 'test_run', json, place)];
  }
  const json = members.add('status', jsonString(run.status)).text();
  const text = `  "${run.name}"... ${statusWord(run.status)}`;
  return [
    message('info', text, 'test_run', json, place),
    ...verboseMessages(run.verbose, place),
    ...diagnosticMessages(run.diagnostics, place),
  ];
}

function verboseMessages(verbose: VerboseRun | undefined, place: Place): readonly Message[] {
  if (verbose === undefined) return [];
  const { plan, state } = verbose;
  if (plan !== undefined) {
    const text = '-verbose flag enabled, printing plan';
    return [message('info', text, 'test_plan', planJson(plan, verbose), place)];
  }
  if (state === undefined) return [];
  const text = '-verbose flag enabled, printing state';
  return [message('info', text, 'test_state', stateJson(state, verbose), place)];
}

function planJson(plan: Plan, verbose: VerboseRun): string {
  const drift = plan.drift.filter(
    (change) => plan.mode === 'refresh-only' || change.action !== 'no-op',
  );
  return new JsonMembers()
    .add('plan_format_version', '"1.2"')
    .add('output_changes', outputChanges(plan.outputs))
    .add('resource_changes', changesJson(plan.changes, plan.schemas))
    .add('resource_drift', changesJson(drift, plan.schemas))
    .add('relevant_attributes', relevantAttributes(plan))
    .add('provider_format_version', '"1.0"')
    .add('provider_schemas', schemasJson(verbose, plan.priorState))
    .text();
}

function stateJson(state: State, verbose: VerboseRun): string {
  return new JsonMembers()
    .add('state_format_version', '"1.0"')
    .add('root_module', moduleJson(stateTree(state, verbose.schemas)))
    .add('outputs', outputsMember(state.outputs))
    .add('provider_format_version', '"1.0"')
    .add('provider_schemas', schemasJson(verbose, state))
    .text();
}

/** The schemas of all providers of the configuration and the state. */
function schemasJson({ configuration, schemas }: VerboseRun, state: State): string | undefined {
  const sources = new Set(providersRequired(configuration).keys());
  for (const resource of state.resources()) {
    const provider = state.resourceProvider(resource)?.provider;
    if (provider !== undefined) sources.add(provider);
  }
  const members = [...sources].flatMap((source) => {
    const schema: ReturnType<Schemas['provider']> = schemas.provider(source);
    if (schema === undefined) return [];
    const isBuiltIn = source.text.startsWith('terraform.io/builtin/');
    return [[source.text, providerJson(schema, isBuiltIn)] as const];
  });
  return members.length === 0 ? undefined : jsonObject(members);
}

function cleanupMessages({
  run,
  file,
  state,
  diagnostics,
}: Extract<TestEvent, { readonly kind: 'cleanup' }>): readonly Message[] {
  const place = { file, run };
  const remaining = leftovers(state);
  const messages = diagnosticMessages(diagnostics, place);
  if (remaining.length === 0) return messages;
  if (run.config.skipCleanup) {
    const json = new JsonMembers().add('skipped_resources', leftoversJson(remaining)).text();
    const text = `Terraform left some resources in state after executing ${file.name}/${run.name} because the skip_cleanup attribute was set.`;
    return [message('info', text, 'test_cleanup', json, place), ...messages];
  }
  const json = new JsonMembers().add('failed_resources', leftoversJson(remaining)).text();
  const text = `Terraform left some resources in state after executing ${file.name}/${run.name}, they need to be cleaned up manually.`;
  return [message('error', text, 'test_cleanup', json, place), ...messages];
}

function interruptMessages({
  run,
  file,
  state,
  states,
  created,
}: Extract<TestEvent, { readonly kind: 'interrupt' }>): readonly Message[] {
  const remaining = leftovers(state);
  const others = states.flatMap(({ run: otherRun, state: its }) =>
    its.isEmpty ? [] : [[otherRun.name, leftoversJson(leftovers(its))] as const],
  );
  if (remaining.length === 0 && others.length === 0 && created.length === 0) return [];
  const json = new JsonMembers()
    .add('state', remaining.length === 0 ? undefined : leftoversJson(remaining))
    .add('states', others.length === 0 ? undefined : jsonObject(others))
    .add('planned', created.length === 0 ? undefined : jsonStrings(created))
    .text();
  const text =
    'Terraform was interrupted during test execution, and may not have performed the expected cleanup operations.';
  return [message('error', text, 'test_interrupt', json, { file, run })];
}

function leftoversJson(objects: readonly Leftover[]): string {
  return jsonArray(
    objects.map(({ address, deposed }) =>
      new JsonMembers().add('instance', jsonString(address)).addText('deposed_key', deposed).text(),
    ),
  );
}
