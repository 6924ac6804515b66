import type { Value } from '@terrane/cty';
import type { FunctionPorts } from '@terrane/functions';
import type { Diagnostic, Range } from '@terrane/hcl';
import type { Configuration, Local, Output, Schemas } from '../config/model.ts';
import type { LockGuard } from '../state/held-lock.ts';
import type { ModuleOverride } from '../evaluate/evaluation.ts';
import type { ProviderPort } from '../session/provider-sessions.ts';
import type { ProvisionerPort } from '../session/provisioner-port.ts';
import type { VariableOrigin } from '../config/variable-origin.ts';
import type { RunEvent } from './event.ts';

/** The settings of every run over a configuration. */
export interface RunSettings {
  readonly configuration: Configuration;
  readonly schemas: Schemas;
  /** The source of providers; each start returns a new provider that enforces the contract. */
  readonly providers: ProviderPort;
  readonly provisioners: ProvisionerPort;
  /** The access of language functions to the outside world. */
  readonly functions: FunctionPorts;
  /** `terraform.workspace`. */
  readonly workspace: string;
  /** `path.cwd`. */
  readonly cwd: string;
  /** Values of expressions of locals and outputs evaluated during validation, which adds to them. */
  readonly constants?: Map<Local | Output, Value>;
  /** Final values of the root module's variables. */
  readonly variables: ReadonlyMap<string, Value>;
  /** Source ranges of variable values in files. */
  readonly variableRanges?: ReadonlyMap<string, Range>;
  /** Origins of the variable values. */
  readonly variableOrigins?: ReadonlyMap<string, VariableOrigin>;
  /** Errors of values that do not match their variables, by name; dependents are skipped. */
  readonly unsuitable?: ReadonlyMap<string, readonly Diagnostic[]>;
  /** For tests: overridden outputs of module instances. */
  readonly moduleOverride?: ModuleOverride | undefined;
  /** The maximum number of parallel provider operations. */
  readonly parallelism: number;
  readonly emit: (event: RunEvent) => void;
  /** Stops the run softly: no new operations start, running ones are awaited. */
  readonly signal?: AbortSignal;
  /** Requests that providers cancel their operations. */
  readonly abort?: AbortSignal;
  /** The state lock. Once it is lost, no new operations start; running ones are completed and recorded. */
  readonly lock?: LockGuard;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
  /** see `Clock.sleep` */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}
