import { gunzipSync, gzipSync } from 'node:zlib';
import {
  decodeMsgpack,
  DYNAMIC,
  encodeMsgpack,
  type Path,
  type PathMarks,
  SENSITIVE_MARKS,
  type Value,
} from '@terrane/cty';
import type { FileSystem } from '@terrane/host';
import { ActionInstanceAddr } from '../addrs/action-addr.ts';
import { parseActionTarget } from '../addrs/parse-action-address.ts';
import { quoteHcl, UNKNOWN_KEY } from '../addrs/instance-key.ts';
import { parseInstanceAddr } from '../addrs/parse-address.ts';
import { ProviderConfigAddr } from '../addrs/provider-source.ts';
import type { InstanceAddr } from '../addrs/resource-addr.ts';
import type { FunctionResult } from '../evaluate/function-results.ts';
import type { VariableOrigin } from '../config/variable-origin.ts';
import { TERRANE_VERSION } from '../lang/version.ts';
import { eventFromJson, eventToJson } from '../state/event-json.ts';
import type { CheckResults, State, StateFile } from '../state/model.ts';
import { sensitivePathsFromJson, sensitivePathsToJson } from '../state/sensitive-paths.ts';
import { readStateFile } from '../state/statefile-read.ts';
import { stateFileBytes } from '../state/statefile-write.ts';
import {
  type DeferredChange,
  type DeferredInvocation,
  identities,
  type InvocationTrigger,
  type OutputChange,
  type Plan,
  type PlannedChange,
  type PlannedInvocation,
} from './model.ts';
import { snapshotFiles } from './snapshot-files.ts';
import type { Step } from './step.ts';

/** A plan as it is kept in a file, with what it was made for. */
export interface PlanFile {
  /** The plan without the parts that are made again from the snapshot of the configuration. */
  readonly plan: Omit<Plan, 'configuration' | 'schemas'>;
  /** The files of the configuration, to be loaded in place of the directory. */
  readonly files: Pick<FileSystem, 'readFileSync' | 'readDirectorySync' | 'statSync'>;
  readonly origin: PlanOrigin;
}

/** What a plan was made for: it may be applied only to that. */
export interface PlanOrigin {
  readonly workspace: string;
  readonly backend: string;
  /** its configuration as JSON; absent: it is not known (from earlier versions) */
  readonly backendConfig?: unknown;
  /** Lineage of the state that it was made from; "" where there was none. */
  readonly lineage: string;
  readonly serial: number;
  /** addresses of what may have been created by interrupted runs that the plan knew of; absent: none */
  readonly interrupted?: readonly string[];
}

/** What keeps a file from being read as a plan. */
export class PlanFileError extends Error {
  /** `foreign`: another program's plan; `damaged`: cut off or changed; `newer`: of a later version. */
  readonly kind: 'not-a-plan' | 'foreign' | 'damaged' | 'newer';

  constructor(kind: PlanFileError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

const MAGIC = 'TERRANE PLAN 1\n';
/** How much text is packed at a time: no part of a plan of any size becomes one string. */
const BLOCK = 1 << 20;

/**
 * A plan as the bytes of a file: a line that names the format, then lines of JSON, compressed block
 * by block. It holds sensitive values in clear, so the file must be readable by its owner only.
 */
export function encodePlanFile(plan: Plan, origin: PlanOrigin): Uint8Array {
  const blocks: Uint8Array[] = [Buffer.from(MAGIC)];
  let lines: string[] = [];
  let size = 0;
  const flush = (): void => {
    if (lines.length === 0) return;
    blocks.push(gzipSync(Buffer.from(`${lines.join('\n')}\n`), { level: 1 }));
    lines = [];
    size = 0;
  };
  for (const record of recordsOf(plan, origin)) {
    const line = JSON.stringify(record);
    lines.push(line);
    size += line.length;
    if (size >= BLOCK) flush();
  }
  lines.push('"end"');
  flush();
  return Buffer.concat(blocks);
}

/** Reads what `encodePlanFile` wrote. Throws PlanFileError. */
export function decodePlanFile(bytes: Uint8Array): PlanFile {
  const magic = Buffer.from(bytes.subarray(0, MAGIC.length)).toString();
  if (magic !== MAGIC) throw refuse(bytes, magic);
  let text: Buffer;
  try {
    text = gunzipSync(bytes.subarray(MAGIC.length));
  } catch {
    throw new PlanFileError('damaged', 'the file is cut off or was changed');
  }
  const reader = new PlanReader();
  let complete = false;
  for (let start = 0; start < text.length;) {
    const end = text.indexOf(10, start);
    if (end < 0) break;
    const record = JSON.parse(text.toString('utf8', start, end)) as StoredRecord | 'end'; // written by encodePlanFile
    if (record === 'end') complete = true;
    else reader.read(record);
    start = end + 1;
  }
  if (!complete) throw new PlanFileError('damaged', 'the file is cut off');
  return reader.finish();
}

function refuse(bytes: Uint8Array, magic: string): PlanFileError {
  if (magic.startsWith('TERRANE PLAN ')) {
    return new PlanFileError('newer', 'it was made by a later version of this program');
  }
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    return new PlanFileError('foreign', 'it is a plan file of Terraform or OpenTofu');
  }
  return new PlanFileError('not-a-plan', 'it is not a plan file');
}

type StoredRecord =
  | { readonly k: 'head'; readonly head: Head }
  | { readonly k: 'source'; readonly name: string; readonly text: string }
  | { readonly k: 'variable'; readonly name: string; readonly value: StoredValue }
  | { readonly k: 'origin'; readonly name: string; readonly origin: VariableOrigin }
  | {
      readonly k: 'deferred';
      readonly change: StoredChange;
      readonly reason: DeferredChange['reason'];
    }
  | { readonly k: 'change' | 'drift'; readonly change: StoredChange }
  | {
      readonly k: 'deferred-invocation';
      readonly invocation: StoredInvocation;
      readonly reason: DeferredChange['reason'];
    }
  | { readonly k: 'output'; readonly output: StoredOutput }
  | { readonly k: 'invocation'; readonly invocation: StoredInvocation }
  | { readonly k: 'step'; readonly step: StoredStep }
  | { readonly k: 'relevant'; readonly resource: string; readonly path: string }
  | { readonly k: 'function'; readonly function: FunctionResult }
  | { readonly k: 'event'; readonly event: string }
  | { readonly k: 'state'; readonly which: 'prior' | 'previous'; readonly part: string };

interface Head extends Pick<
  Plan,
  | 'mode'
  | 'timestamp'
  | 'applyable'
  | 'complete'
  | 'errored'
  | 'targets'
  | 'excludes'
  | 'deferredModules'
  | 'replace'
  | 'terraformVersion'
  | 'applyTimeVariables'
> {
  readonly terraneVersion: string;
  readonly origin: PlanOrigin;
  readonly checks: CheckResults;
}

/** MessagePack of the unmarked value with its type, and the paths of what is sensitive. */
type StoredValue = readonly [data: string, sensitive: string];

interface StoredChange {
  readonly addr: string;
  readonly previous?: string;
  readonly deposed?: string;
  readonly provider: string;
  readonly action: PlannedChange['action'];
  readonly reason?: PlannedChange['reason'];
  readonly before: StoredValue;
  /** Absent where it is the same as before. */
  readonly after?: StoredValue;
  readonly version: number;
  readonly replace: string;
  readonly private?: string;
  readonly importing?: { readonly id?: string; readonly identity?: StoredValue };
  readonly generated?: string;
  readonly identity?: StoredValue;
  readonly newIdentity?: StoredValue;
}

interface StoredOutput {
  readonly name: string;
  readonly action: OutputChange['action'];
  readonly before: StoredValue;
  readonly after: StoredValue;
  readonly sensitive: boolean;
}

interface StoredInvocation {
  readonly addr: string;
  readonly provider: string;
  readonly config: StoredValue;
  readonly trigger: Readonly<Record<string, unknown>> & {
    readonly kind: InvocationTrigger['kind'];
    readonly resource?: string;
    readonly caller?: string;
  };
}

/** A step with the text of its address. */
type StoredStep = Readonly<Record<string, unknown>> & { readonly addr?: string };

function* recordsOf(plan: Plan, origin: PlanOrigin): Iterable<StoredRecord> {
  const {
    mode,
    timestamp,
    applyable,
    complete,
    errored,
    targets,
    excludes,
    deferredModules,
    replace,
    terraformVersion,
    checks,
  } = plan;
  const { applyTimeVariables } = plan;
  yield {
    k: 'head',
    head: {
      mode,
      timestamp,
      applyable,
      complete,
      errored,
      targets,
      excludes,
      deferredModules,
      replace,
      terraformVersion,
      checks,
      origin,
      applyTimeVariables,
      terraneVersion: TERRANE_VERSION,
    },
  };
  for (const [name, source] of plan.configuration.sources)
    yield { k: 'source', name, text: source.text };
  for (const [name, value] of plan.variables)
    yield { k: 'variable', name, value: storeValue(value) };
  for (const [name, origin] of plan.variableOrigins ?? []) yield { k: 'origin', name, origin };
  for (const change of plan.changes) yield { k: 'change', change: storeChange(change) };
  for (const change of plan.drift) yield { k: 'drift', change: storeChange(change) };
  for (const { change, reason } of plan.deferred)
    yield { k: 'deferred', change: storeChange(change), reason };
  for (const { invocation, reason } of plan.deferredInvocations)
    yield { k: 'deferred-invocation', invocation: storeInvocation(invocation), reason };
  for (const output of plan.outputs) {
    const { name, action, sensitive } = output;
    yield {
      k: 'output',
      output: {
        name,
        action,
        sensitive,
        before: storeValue(output.before),
        after: storeValue(output.after),
      },
    };
  }
  for (const one of plan.invocations) yield { k: 'invocation', invocation: storeInvocation(one) };
  for (const step of plan.steps) {
    yield { k: 'step', step: 'addr' in step ? { ...step, addr: step.addr.text } : { ...step } };
  }
  for (const { resource, attribute } of plan.relevant) {
    yield { k: 'relevant', resource, path: sensitivePathsToJson([attribute]) };
  }
  for (const one of plan.functionResults) yield { k: 'function', function: one };
  for (const event of plan.adopted) yield { k: 'event', event: eventToJson(event) };
  yield* stateRecords('prior', plan.priorState);
  if (plan.previousState !== plan.priorState) yield* stateRecords('previous', plan.previousState);
}

function* stateRecords(which: 'prior' | 'previous', state: State): Iterable<StoredRecord> {
  const bytes = stateFileBytes({ state, lineage: 'plan', serial: 1, terraformVersion: '' });
  for (let at = 0; at < bytes.length; at += BLOCK) {
    yield {
      k: 'state',
      which,
      part: Buffer.from(bytes.subarray(at, at + BLOCK)).toString('base64'),
    };
  }
}

function storeValue(value: Value): StoredValue {
  const { value: plain, paths } = value.unmarkDeepWithPaths();
  const sensitive = paths.filter(({ marks }) => marks.has('sensitive')).map(({ path }) => path);
  return [
    Buffer.from(encodeMsgpack(plain, DYNAMIC)).toString('base64'),
    sensitivePathsToJson(sensitive),
  ];
}

function restoreValue([data, sensitive]: StoredValue): Value {
  const value = decodeMsgpack(Buffer.from(data, 'base64'), DYNAMIC);
  const paths = pathsFrom(sensitive).map((path): PathMarks => ({ path, marks: SENSITIVE_MARKS }));
  return paths.length === 0 ? value : value.markWithPaths(paths);
}

function pathsFrom(text: string): readonly Path[] {
  return sensitivePathsFromJson(text).paths;
}

function storeChange(change: PlannedChange): StoredChange {
  const { addr, previousAddr, deposed, provider, action, reason, before, after } = change;
  return {
    addr: addr.text,
    ...(previousAddr === addr ? {} : { previous: previousAddr.text }),
    ...(deposed === undefined ? {} : { deposed }),
    provider: provider.text,
    action,
    ...(reason === undefined ? {} : { reason }),
    before: storeValue(before),
    ...(before === after ? {} : { after: storeValue(after) }),
    version: change.schemaVersion,
    replace: sensitivePathsToJson(change.requiredReplace),
    ...(change.private === undefined
      ? {}
      : { private: Buffer.from(change.private).toString('base64') }),
    ...(change.importing === undefined ? {} : { importing: storeImporting(change.importing) }),
    ...(change.generatedConfig === undefined ? {} : { generated: change.generatedConfig }),
    ...(change.beforeIdentity === undefined ? {} : { identity: storeValue(change.beforeIdentity) }),
    ...(change.afterIdentity === undefined
      ? {}
      : { newIdentity: storeValue(change.afterIdentity) }),
  };
}

function storeImporting({
  id,
  identity,
}: NonNullable<PlannedChange['importing']>): NonNullable<StoredChange['importing']> {
  return {
    ...(id === undefined ? {} : { id }),
    ...(identity === undefined ? {} : { identity: storeValue(identity) }),
  };
}

function restoreImporting({
  id,
  identity,
}: NonNullable<StoredChange['importing']>): NonNullable<PlannedChange['importing']> {
  return {
    ...(id === undefined ? {} : { id }),
    ...(identity === undefined ? {} : { identity: restoreValue(identity) }),
  };
}

function storeInvocation({ addr, provider, config, trigger }: PlannedInvocation): StoredInvocation {
  const common = { addr: addr.text, provider: provider.text, config: storeValue(config) };
  if (trigger.kind === 'lifecycle')
    return { ...common, trigger: { ...trigger, resource: trigger.resource.text } };
  const { kind, caller } = trigger;
  return { ...common, trigger: caller === undefined ? { kind } : { kind, caller: caller.text } };
}

class PlanReader {
  #head: Head | undefined;
  readonly #sources = new Map<string, string>();
  readonly #variables = new Map<string, Value>();
  readonly #origins = new Map<string, VariableOrigin>();
  readonly #changes: PlannedChange[] = [];
  readonly #drift: PlannedChange[] = [];
  readonly #deferred: DeferredChange[] = [];
  readonly #deferredInvocations: DeferredInvocation[] = [];
  readonly #outputs: OutputChange[] = [];
  readonly #invocations: PlannedInvocation[] = [];
  readonly #steps: Step[] = [];
  readonly #relevant: Plan['relevant'][number][] = [];
  readonly #functionResults: FunctionResult[] = [];
  readonly #events: Plan['adopted'][number][] = [];
  readonly #states = { prior: [] as Buffer[], previous: [] as Buffer[] };
  readonly #addresses = new Map<string, InstanceAddr>();

  read(record: StoredRecord): void {
    switch (record.k) {
      case 'head':
        this.#head = record.head;
        return;
      case 'source':
        this.#sources.set(record.name, record.text);
        return;
      case 'origin':
        this.#origins.set(record.name, record.origin);
        return;
      case 'variable':
        this.#variables.set(record.name, restoreValue(record.value));
        return;
      case 'change':
        this.#changes.push(this.#change(record.change));
        return;
      case 'drift':
        this.#drift.push(this.#change(record.change));
        return;
      case 'deferred':
        this.#deferred.push({ change: this.#change(record.change), reason: record.reason });
        return;
      case 'deferred-invocation':
        this.#deferredInvocations.push({
          invocation: this.#invocation(record.invocation),
          reason: record.reason,
        });
        return;
      case 'output': {
        const { output } = record;
        this.#outputs.push({
          ...output,
          before: restoreValue(output.before),
          after: restoreValue(output.after),
        });
        return;
      }
      case 'invocation':
        this.#invocations.push(this.#invocation(record.invocation));
        return;
      case 'step': {
        const { addr } = record.step;
        const step =
          addr === undefined ? record.step : { ...record.step, addr: this.#address(addr) };
        this.#steps.push(step as unknown as Step); // as `recordsOf` wrote it
        return;
      }
      case 'relevant': {
        const [attribute = []] = pathsFrom(record.path);
        this.#relevant.push({ resource: record.resource, attribute });
        return;
      }
      case 'function':
        this.#functionResults.push(record.function);
        return;
      case 'event':
        this.#events.push(eventFromJson(Buffer.from(record.event)));
        return;
      case 'state':
        this.#states[record.which].push(Buffer.from(record.part, 'base64'));
        return;
    }
  }

  finish(): PlanFile {
    const head = this.#head;
    if (head === undefined) throw new PlanFileError('damaged', 'the file has no beginning');
    const { origin, terraneVersion: _, ...rest } = head;
    const priorState = stateOf(this.#states.prior);
    const plan: PlanFile['plan'] = {
      ...rest,
      changes: this.#changes,
      drift: this.#drift,
      deferred: this.#deferred,
      deferredInvocations: this.#deferredInvocations,
      invocations: this.#invocations,
      outputs: this.#outputs,
      priorState,
      previousState:
        this.#states.previous.length === 0 ? priorState : stateOf(this.#states.previous),
      adopted: this.#events,
      variables: this.#variables,
      variableOrigins: this.#origins,
      relevant: this.#relevant,
      functionResults: this.#functionResults,
      steps: this.#steps,
    };
    return { plan, files: snapshotFiles(this.#sources), origin };
  }

  #change(stored: StoredChange): PlannedChange {
    const addr = this.#address(stored.addr);
    const before = restoreValue(stored.before);
    const { deposed, reason } = stored;
    const provider = this.#provider(stored.provider);
    return {
      addr,
      previousAddr: stored.previous === undefined ? addr : this.#address(stored.previous),
      ...(deposed === undefined ? {} : { deposed }),
      provider,
      action: stored.action,
      ...(reason === undefined ? {} : { reason }),
      before,
      after: stored.after === undefined ? before : restoreValue(stored.after),
      schemaVersion: stored.version,
      requiredReplace: pathsFrom(stored.replace),
      ...(stored.private === undefined ? {} : { private: Buffer.from(stored.private, 'base64') }),
      ...(stored.importing === undefined ? {} : { importing: restoreImporting(stored.importing) }),
      ...(stored.generated === undefined ? {} : { generatedConfig: stored.generated }),
      ...identities(
        stored.identity === undefined ? undefined : restoreValue(stored.identity),
        stored.newIdentity === undefined ? undefined : restoreValue(stored.newIdentity),
      ),
    };
  }

  #invocation({ addr: text, provider, config, trigger }: StoredInvocation): PlannedInvocation {
    const { target } = parseActionTarget(text);
    if (target === undefined) throw new PlanFileError('damaged', `${text} is no action`);
    const { kind, resource, caller, ...rest } = trigger;
    return {
      addr: new ActionInstanceAddr(target.module, target.action, target.key),
      provider: this.#provider(provider),
      config: restoreValue(config),
      trigger: {
        ...rest,
        kind,
        ...(resource === undefined ? {} : { resource: this.#address(resource) }),
        ...(caller === undefined ? {} : { caller: this.#address(caller) }),
      } as InvocationTrigger, // as `storeInvocation` wrote it
    };
  }

  #provider(text: string): ProviderConfigAddr {
    const provider = ProviderConfigAddr.parse(text);
    if (provider === undefined) throw new PlanFileError('damaged', `no provider is named ${text}`);
    return provider;
  }

  #address(text: string): InstanceAddr {
    let addr = this.#addresses.get(text);
    if (addr === undefined) {
      addr = parseInstanceAddr(withOpenKeys(text)).address;
      if (addr === undefined) throw new PlanFileError('damaged', `${text} is no address`);
      this.#addresses.set(text, addr);
    }
    return addr;
  }
}

/** An address whose open keys, which nobody can write, are written out. */
function withOpenKeys(text: string): string {
  if (!text.includes('[*]')) return text;
  const key = `[${quoteHcl(UNKNOWN_KEY)}]`;
  return text.replace(/"(?:[^"\\]|\\.)*"|\[\*\]/g, (part) => (part === '[*]' ? key : part));
}

function stateOf(parts: readonly Buffer[]): State {
  const file: StateFile | undefined = readStateFile(Buffer.concat(parts)).file;
  if (file === undefined)
    throw new PlanFileError('damaged', 'the state in the file cannot be read');
  return file.state;
}
