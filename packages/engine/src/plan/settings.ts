import type { InstanceAddr } from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import type { RunSettings } from '../objects/settings.ts';
import type { InterruptedCreate } from '../state/interrupted.ts';
import type { StateEvent } from '../state/event.ts';
import type { State } from '../state/model.ts';
import type { Inspector } from './inspector.ts';
import type { PlanOptions } from './plan-options.ts';

/** An object to import without a plan, as the `import` command does. */
export interface Adoption {
  readonly addr: InstanceAddr;
  readonly id: string;
}

/** The input of a plan. */
export interface PlanInput extends RunSettings, PlanOptions {
  /** Root variables as the caller supplied them, not converted: a plan records these. */
  readonly givenVariables: ReadonlyMap<string, Value>;
  readonly state: State;
  /** Destroys objects despite `prevent_destroy`; false by default. */
  readonly ignorePreventDestroy?: boolean;
  /** Omits the warnings for targets, excludes and replacements that match nothing, as test runs do. */
  readonly allowUnmatched?: boolean;
  /** objects that interrupted runs may have created; they are looked up if providers can identify them */
  readonly interrupted?: readonly InterruptedCreate[];
  /**
   * Returns changes of the state that the plan begins with, before `moved` blocks; they change no object. Applying the
   * plan records them.
   */
  readonly initialEvents?: (
    state: State,
    interrupted: readonly InterruptedCreate[],
  ) => readonly StateEvent[];
  /** judges the plan once it is complete */
  readonly inspector?: Inspector;
  /** plans only `list` blocks and their dependencies */
  readonly query?: boolean;
  /** in a refresh-only plan without refresh: the object to import; moves are disabled then */
  readonly adoption?: Adoption;
}
