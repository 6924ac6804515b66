import type { ActionTarget, InstanceAddr, TargetAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import type { FunctionPorts } from '@terrane/functions';
import type { Diagnostic, Range } from '@terrane/hcl';
import type { Configuration, Local, Schemas } from '../config/model.ts';
import type { VariableOrigin } from '../config/variable-origin.ts';
import type { ModuleOverride } from '../evaluate/evaluation.ts';
import type { ProviderPort } from '../session/provider-sessions.ts';
import type { ProvisionerPort } from '../session/provisioner-port.ts';
import type { LockGuard } from '../state/held-lock.ts';
import type { InterruptedCreate } from '../state/interrupted.ts';
import type { State } from '../state/model.ts';
import type { RunEvent } from './model.ts';

/** What every run over a configuration needs. */
export interface RunSettings {
  readonly configuration: Configuration;
  readonly schemas: Schemas;
  /** Where providers come from; each start gives one of its own, held to the contract. */
  readonly providers: ProviderPort;
  readonly provisioners: ProvisionerPort;
  /** What functions of the language reach of the world outside. */
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

/** An object that is to be taken into the state by itself, as the `import` command does it. */
export interface Adoption {
  readonly addr: InstanceAddr;
  readonly id: string;
}

/** What to plan. */
export interface PlanRequest extends RunSettings {
  /** What the caller gave for root variables, not converted: a plan keeps these. */
  readonly givenVariables: ReadonlyMap<string, Value>;
  readonly state: State;
  readonly mode: 'normal' | 'destroy' | 'refresh-only';
  /** Whether stored objects are compared with what really exists. */
  readonly refresh: boolean;
  /**
   * Only looks at objects for which something is planned, before that is planned finally, and not at
   * those that go: as Terraform 1.17. In normal and destroy plans with `refresh`.
   */
  readonly minimalRefresh?: boolean;
  /** Whether objects are destroyed that `prevent_destroy` would keep; default: no. */
  readonly ignorePreventDestroy?: boolean;
  readonly targets: readonly TargetAddr[];
  /** The targets as the user wrote them. */
  readonly targetTexts: readonly string[];
  /**
   * What is left out, with all that builds on it; not together with `targets`. As in OpenTofu.
   */
  readonly excludes?: readonly TargetAddr[];
  /** The excluded addresses as the user wrote them. */
  readonly excludeTexts?: readonly string[];
  /**
   * Whether changes may be left to a later plan: those of instances that are not known yet, those for
   * which a provider asks, and what builds on them. As `-allow-deferral` of Terraform's experiments.
   */
  readonly allowDeferral?: boolean;
  readonly replace: readonly InstanceAddr[];
  /** Omits the warnings for targets, excludes and replacements that match nothing, as test runs do. */
  readonly allowUnmatched?: boolean;
  /** what may have been created by runs that ended before they knew; it is looked for where that can be done */
  readonly interrupted?: readonly InterruptedCreate[];
  /** the action to invoke, in a refresh-only plan that is about nothing else */
  readonly invoke?: ActionTarget;
  /** the file for which configuration is written, of imported objects that have none; its name alone counts here */
  readonly generateConfigOut?: string;
  /** only `list` blocks, and what they need, are worked out */
  readonly query?: boolean;
  /** in a refresh-only plan without refresh: what to take into the state; nothing moves then */
  readonly adoption?: Adoption;
}
