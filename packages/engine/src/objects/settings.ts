import type { Value } from '@terrane/cty';
import type { FunctionPorts } from '@terrane/functions';
import type { Diagnostic, Range } from '@terrane/hcl';
import type { Configuration, Local, Schemas } from '../config/model.ts';
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
  /** Where providers come from; each start gives one of its own, held to the contract. */
  readonly providers: ProviderPort;
  readonly provisioners: ProvisionerPort;
  /** The access of language functions to the outside world. */
  readonly functions: FunctionPorts;
  /** `terraform.workspace`. */
  readonly workspace: string;
  /** `path.cwd`. */
  readonly cwd: string;
  /** Local values that validating worked out already; it adds to them. */
  readonly constants?: Map<Local, Value>;
  /** Final values of the root module's variables. */
  readonly variables: ReadonlyMap<string, Value>;
  /** Where those that were given in files are written. */
  readonly variableRanges?: ReadonlyMap<string, Range>;
  /** Where the values that were given came from. */
  readonly variableOrigins?: ReadonlyMap<string, VariableOrigin>;
  /** Errors of values that do not fit their variables, by name; nothing that needs those is done. */
  readonly unsuitable?: ReadonlyMap<string, readonly Diagnostic[]>;
  /** In tests: the outputs of module instances that are replaced. */
  readonly moduleOverride?: ModuleOverride | undefined;
  /** How many operations of providers may be under way at once. */
  readonly parallelism: number;
  readonly emit: (event: RunEvent) => void;
  /** Ends the run softly: nothing new starts, what is under way is awaited. */
  readonly signal?: AbortSignal;
  /** Asks providers to give up what they are doing. */
  readonly abort?: AbortSignal;
  /** The lock of the state. Once it is lost nothing new starts; what is under way is finished and recorded. */
  readonly lock?: LockGuard;
  readonly now: () => Date;
  readonly monotonicMs: () => number;
  /** as `Clock.sleep` */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}
