import {
  ActionInstanceAddr,
  type InstanceAddr,
  parseActionTarget,
  parseInstanceAddr,
  ProviderConfigAddr,
  quoteHcl,
  UNKNOWN_KEY,
} from '@terrane/addresses';
import {
  decodeMsgpack,
  DYNAMIC,
  type Path,
  type PathMarks,
  SENSITIVE_MARKS,
  type Value,
} from '@terrane/cty';
import type { FileSystem } from '@terrane/host';
import type { VariableOrigin } from '../config/variable-origin.ts';
import type { FunctionResult } from '../evaluate/function-results.ts';
import { eventFromJson } from '../state/event-json.ts';
import type { State, StateFile } from '../state/model.ts';
import { sensitivePathsFromJson } from '../state/sensitive-paths.ts';
import { readStateFile } from '../state/statefile-read.ts';
import {
  type DeferredChange,
  type DeferredInvocation,
  identities,
  type InvocationTrigger,
  type PlannedChange,
  type PlannedInvocation,
} from '../objects/change.ts';
import type { OutputChange, Plan } from './model.ts';
import type {
  Head,
  PlanOrigin,
  StoredChange,
  StoredInvocation,
  StoredRecord,
  StoredValue,
} from './plan-records.ts';
import { snapshotFiles } from './snapshot-files.ts';
import type { Step } from './step.ts';

/** A plan file: the plan and its origin. */
export interface PlanFile {
  /** The plan without the parts that are restored from the snapshot of the configuration. */
  readonly plan: Omit<Plan, 'configuration' | 'schemas'>;
  /** The files of the configuration, which are loaded in place of the directory. */
  readonly files: Pick<FileSystem, 'readFileSync' | 'readDirectorySync' | 'statSync'>;
  readonly origin: PlanOrigin;
}

/** The error for a file that cannot be read as a plan. */
export class PlanFileError extends Error {
  /** `foreign`: another program's plan; `damaged`: truncated or changed; `newer`: of a later version. */
  readonly kind: 'not-a-plan' | 'foreign' | 'damaged' | 'newer';

  constructor(kind: PlanFileError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Builds a plan from its lines. */
export class PlanRecordsReader {
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
        this.#steps.push(step as unknown as Step); // as `planRecords` wrote it
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
    const { origin, terraneVersion: _, annotations, ...rest } = head;
    const priorState = stateOf(this.#states.prior);
    const plan: PlanFile['plan'] = {
      ...rest,
      ...(annotations === undefined ? {} : { annotations: new Map(Object.entries(annotations)) }),
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
    const { deposed, reason, disabledModule } = stored;
    const provider = this.#provider(stored.provider);
    return {
      addr,
      previousAddr: stored.previous === undefined ? addr : this.#address(stored.previous),
      ...(deposed === undefined ? {} : { deposed }),
      provider,
      action: stored.action,
      ...(reason === undefined ? {} : { reason }),
      ...(disabledModule === undefined ? {} : { disabledModule }),
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

/** Returns an address with its unknown keys, which cannot be written as an address, in text form. */
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

function restoreValue([data, sensitive]: StoredValue): Value {
  const value = decodeMsgpack(Buffer.from(data, 'base64'), DYNAMIC);
  const paths = pathsFrom(sensitive).map((path): PathMarks => ({ path, marks: SENSITIVE_MARKS }));
  return paths.length === 0 ? value : value.markWithPaths(paths);
}

function pathsFrom(text: string): readonly Path[] {
  return sensitivePathsFromJson(text).paths;
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
