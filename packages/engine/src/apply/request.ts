import type { InstanceAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import type { Pool } from '@terrane/host';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { ResourceNode } from '../evaluate/node.ts';
import type { Program } from '../evaluate/program.ts';
import type { DependencyIndex } from '../evaluate/dependencies.ts';
import type { InvocationTrigger, PlannedChange, PlannedInvocation } from '../objects/change.ts';
import type { Inspector } from '../plan/inspector.ts';
import type { Plan } from '../plan/model.ts';
import type { RunSettings } from '../objects/settings.ts';
import type { Ephemerals } from '../session/ephemerals.ts';
import type { ProviderSessions } from '../session/provider-sessions.ts';
import type { StateRecorder } from '../state/recorder.ts';

/** The input of an apply. */
export interface ApplyInput extends RunSettings {
  readonly plan: Plan;
  readonly recorder: StateRecorder;
  /** Warns of uses of deprecated outputs and variables, for an apply of a saved plan. */
  readonly warnsOfDeprecations?: boolean;
  /** Judges changes before they are made. */
  readonly inspector?: Inspector;
  /** The inspector judges the plan first: another run made it. */
  readonly inspectsPlan?: boolean;
  /** Evaluates the rest of the configuration after the last step. */
  readonly evaluateAll?: boolean;
}

/** Numbers of changed objects by kind of change. */
export interface ApplyCounts {
  added: number;
  changed: number;
  removed: number;
  /** Objects that were removed from the state without being destroyed, except in replacements. */
  forgotten: number;
  imported: number;
  /** Invoked actions; `actionsFailed` is the number of those that failed. */
  invoked: number;
  actionsFailed: number;
}

/** An invocation that a resource instance triggers. */
export type TriggeredInvocation = Omit<PlannedInvocation, 'trigger'> & {
  readonly trigger: Extract<InvocationTrigger, { readonly kind: 'lifecycle' }>;
};

/** The context of the steps of one apply. */
export interface ApplyRun {
  readonly request: ApplyInput;
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
  /** The root outputs whose planned values are wholly known; they are stored as planned. */
  readonly plannedOutputs: ReadonlyMap<string, Value>;
  /** Deferred changes of current objects. */
  readonly deferred: ReadonlyMap<InstanceAddr, PlannedChange>;
  /** Planned changes of deposed objects, by instance and key. */
  readonly deposedChanges: ReadonlyMap<string, PlannedChange>;
  /** Invocations in order, by the instance whose change triggers them. */
  readonly invocations: ReadonlyMap<InstanceAddr, readonly TriggeredInvocation[]>;
  /** Resources whose replacements are created before the old objects are destroyed. */
  readonly createsFirst: ReadonlySet<ResourceNode>;
  /** Resources whose values no expression reads. */
  readonly unread: ReadonlySet<ResourceNode>;
  readonly counts: ApplyCounts;
  /** The diagnostics of each step that was not executed because the state lock was lost. */
  readonly halted: (readonly Diagnostic[])[];
}

/** The key of `deposedChanges`. */
export function deposedKeyText(addr: InstanceAddr, deposed: string): string {
  return `${addr.text} ${deposed}`;
}
