import type { InstanceAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import type { Pool } from '@terrane/host';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { ResourceNode } from '../evaluate/node.ts';
import type { Program } from '../evaluate/program.ts';
import type { DependencyIndex } from '../evaluate/dependencies.ts';
import type { InvocationTrigger, PlannedChange, PlannedInvocation } from '../objects/change.ts';
import type { Plan } from '../plan/model.ts';
import type { RunSettings } from '../objects/settings.ts';
import type { Ephemerals } from '../session/ephemerals.ts';
import type { ProviderSessions } from '../session/provider-sessions.ts';
import type { StateRecorder } from '../state/recorder.ts';

/** What to apply, and where what happens is recorded. */
export interface ApplyRequest extends RunSettings {
  readonly plan: Plan;
  readonly recorder: StateRecorder;
  /** Whether uses of deprecated outputs and variables are warned of, as in a run that did not make the plan. */
  readonly warnsOfDeprecations?: boolean;
  /** Everything in the configuration is worked out in the end, also what no change needed. */
  readonly evaluateAll?: boolean;
}

/** How many objects were changed in each way. */
export interface ApplyCounts {
  added: number;
  changed: number;
  removed: number;
  /** Objects that were removed from the state without being destroyed; those of replacements do not count. */
  forgotten: number;
  imported: number;
  /** Actions that were invoked, and those of them that failed. */
  invoked: number;
  actionsFailed: number;
}

/** An invocation that a resource instance triggers. */
export type TriggeredInvocation = Omit<PlannedInvocation, 'trigger'> & {
  readonly trigger: Extract<InvocationTrigger, { readonly kind: 'lifecycle' }>;
};

/** What the steps of one applying run share. */
export interface ApplyRun {
  readonly request: ApplyRequest;
  readonly plan: Plan;
  readonly program: Program;
  readonly evaluation: Evaluation;
  readonly sessions: ProviderSessions;
  readonly ephemerals: Ephemerals;
  readonly recorder: StateRecorder;
  readonly dependencies: DependencyIndex;
  readonly pool: Pool;
  /** Planned changes of current objects. */
  readonly changes: ReadonlyMap<InstanceAddr, PlannedChange>;
  /** The root outputs whose planned values are wholly known, which are stored as planned. */
  readonly plannedOutputs: ReadonlyMap<string, Value>;
  /** What of current objects is left to a later plan. */
  readonly deferred: ReadonlyMap<InstanceAddr, PlannedChange>;
  /** Planned changes of deposed objects, by instance and key. */
  readonly deposedChanges: ReadonlyMap<string, PlannedChange>;
  /** Invocations that changes of an instance trigger, in their order. */
  readonly invocations: ReadonlyMap<InstanceAddr, readonly TriggeredInvocation[]>;
  /** Resources whose replacements are created first. */
  readonly createsFirst: ReadonlySet<ResourceNode>;
  readonly counts: ApplyCounts;
  /** The diagnostics of each step that did not begin its change because the lock of the state was lost. */
  readonly halted: (readonly Diagnostic[])[];
}

/** The key of `deposedChanges`. */
export function deposedKeyText(addr: InstanceAddr, deposed: string): string {
  return `${addr.text} ${deposed}`;
}
