// The lines of a plan's file.
import type { VariableOrigin } from '../config/variable-origin.ts';
import type { FunctionResult } from '../evaluate/function-results.ts';
import type { CheckResults } from '../state/model.ts';
import type { DeferredChange, InvocationTrigger, PlannedChange } from '../objects/change.ts';
import type { OutputChange, Plan } from './model.ts';

/** The workspace, backend and state that a plan was created from. It may be applied only to these. */
export interface PlanOrigin {
  readonly workspace: string;
  readonly backend: string;
  /** the backend configuration as JSON; absent in plans of earlier versions */
  readonly backendConfig?: unknown;
  /** the lineage of the state; "" if there was no state */
  readonly lineage: string;
  readonly serial: number;
  /** addresses of objects that interrupted runs may have created, as known to the plan; absent if none */
  readonly interrupted?: readonly string[];
}

/** A record of the plan file, one per line. */
export type StoredRecord =
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

/** Properties of the whole plan. */
export interface Head extends Pick<
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
  | 'purpose'
> {
  readonly terraneVersion: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly origin: PlanOrigin;
  readonly checks: CheckResults;
}

/** MessagePack of the unmarked value with its type, and the paths of its sensitive parts. */
export type StoredValue = readonly [data: string, sensitive: string];

/** A planned change: addresses as text, paths as JSON, bytes in Base64. */
export interface StoredChange {
  readonly addr: string;
  readonly previous?: string;
  readonly deposed?: string;
  readonly provider: string;
  readonly action: PlannedChange['action'];
  readonly reason?: PlannedChange['reason'];
  readonly disabledModule?: string;
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

/** A change of an output. */
export interface StoredOutput {
  readonly name: string;
  readonly action: OutputChange['action'];
  readonly before: StoredValue;
  readonly after: StoredValue;
  readonly sensitive: boolean;
}

/** A planned action invocation. */
export interface StoredInvocation {
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
export type StoredStep = Readonly<Record<string, unknown>> & { readonly addr?: string };
