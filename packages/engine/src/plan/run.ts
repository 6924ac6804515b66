import type { InstanceAddr } from '@terrane/addresses';
import type { Diagnostic } from '@terrane/hcl';
import type { Pool } from '@terrane/host';
import type { Resource } from '../config/model.ts';
import type { ConfigurationsOf } from '../evaluate/provider-users.ts';
import type { importsByResource } from '../evaluate/imports.ts';
import type { Ephemerals } from '../session/ephemerals.ts';
import type { ProviderSessions } from '../session/provider-sessions.ts';
import type { StateEvent } from '../state/event.ts';
import type { InstanceMap } from '../state/instance-map.ts';
import type { State, StoredObject } from '../state/model.ts';
import type { StateDraft } from '../state/draft.ts';
import type { DependencyIndex } from '../evaluate/dependencies.ts';
import type { PlannedChange, PlannedInvocation } from '../objects/change.ts';
import type { QueryResult } from '../objects/event.ts';
import type { ObjectRun } from '../objects/run.ts';
import type { PlanOptions } from './plan-options.ts';
import type { Adoption } from './settings.ts';
import type { Targeting } from './targets.ts';
import type { UnchangedObjects } from './unchanged-objects.ts';

/** The choices of a planning pass, derived from the plan options. */
export interface PlanChoices {
  readonly mode: 'normal' | 'destroy' | 'refresh-only';
  /** true if stored objects are refreshed */
  readonly refresh: boolean;
  /** The first of the two legs of a destroy plan: conditions only warn. */
  readonly beforeDestroy: boolean;
  /** Addresses of instances to replace, regardless of the planned action. */
  readonly replace: ReadonlySet<string>;
  readonly targeting: Targeting | undefined;
  readonly parallelism: number;
  /** the file for which configuration of imported objects is written */
  readonly generateConfigOut?: string;
  /** the object that the `import` command adopts */
  readonly adoption?: Adoption;
  /** true if changes may be deferred */
  readonly allowDeferral: boolean;
  /** true if `prevent_destroy` is ignored */
  readonly ignorePreventDestroy: boolean;
}

/** The shared state of a planning run. */
export interface PlanRun extends ObjectRun {
  /** Options of the caller, as requested; `choices` derives from them what differs between the passes of a plan. */
  readonly options: PlanOptions;
  readonly choices: PlanChoices;
  readonly sessions: ProviderSessions;
  readonly configurationsOf: ConfigurationsOf;
  readonly ephemerals: Ephemerals;
  readonly pool: Pool;
  readonly dependencies: DependencyIndex;
  /** Addresses of all creations without a result, including those whose object no provider can look up. */
  readonly open: ReadonlySet<InstanceAddr>;
  /** Objects that interrupted runs may have created, until it is known whether they exist. */
  readonly uncertain: Map<InstanceAddr, StoredObject>;
  /** Import blocks by the resource that they are for. */
  readonly imports: ReturnType<typeof importsByResource>;
  /** The state at the end of the previous run, after moves. */
  readonly previous: State;
  /** The prior state during its refresh; only `adopt` changes it. */
  readonly prior: StateDraft;
  /** Records a fact about an existing object, which the apply of the plan stores. */
  readonly adopt: (event: StateEvent) => void;
  /** Changes of current objects, by instance. */
  readonly changes: InstanceMap<PlannedChange>;
  /** Retains the changes of unchanged objects. */
  readonly unchanged: UnchangedObjects;
  /** Changes of deposed objects. */
  readonly deposedChanges: PlannedChange[];
  /** Actions that changes trigger, or the user requests. */
  readonly invocations: PlannedInvocation[];
  /** Instances whose stored object was changed by the refresh. */
  readonly refreshed: Set<InstanceAddr>;
  /** Data sources that a destroy plan forgets, which are not shown. */
  readonly leftData: InstanceAddr[];
  /** Resources with known expansion, regardless of the result for their instances. */
  readonly expanded: Set<Resource>;
  /** Results of `list` blocks. */
  readonly queries: QueryResult[];
  /** Stops softly: running operations are awaited. */
  readonly signal?: AbortSignal | undefined;
  /** Changes outside Terrane that the refresh found. */
  readonly drift: PlannedChange[];
}

/** The severity of failed conditions: plans that must not be held up by them only warn. */
export function conditionSeverity(choices: PlanChoices): Diagnostic['severity'] {
  return choices.mode === 'refresh-only' || choices.beforeDestroy ? 'warning' : 'error';
}
