import type { Path, Value } from '@terrane/cty';
import type { Range } from '@terrane/hcl';
import type { VariableOrigin } from '../config/variable-origin.ts';
import type { Action, ActionReason, DeferredReason } from '../objects/change.ts';

/** What a cause is. Those marked as links lead to further causes, the others end a chain. */
export type CauseKind =
  /** link: an attribute of the object differs from what the state has */
  | 'attribute'
  /** the text of an argument or value: it gives what it gives now */
  | 'source'
  /** an argument that is not there any more */
  | 'argument-removed'
  /** link: a nested block that is there, or gone, or more or less often there */
  | 'block'
  /** a variable of the root module */
  | 'variable'
  /** link: a variable of a child module, given by the call */
  | 'argument'
  /** link: a local value */
  | 'local'
  /** link: an output of a child module */
  | 'output'
  /** link: an attribute of another resource, which changes */
  | 'resource'
  /** link: the instance that something waits for, or builds on, and that changes */
  | 'dependency'
  /** an attribute that only the provider can tell, once the change is made */
  | 'computed'
  /** the provider plans another value, though the configuration is the same */
  | 'provider'
  /** a data source gives something else than it did */
  | 'data'
  /** a function gives something new each time */
  | 'function'
  /** a file is read; it may have changed */
  | 'file'
  /** `path` or `terraform`: where and how the run takes place */
  | 'environment'
  /** what exists was changed, or removed, outside */
  | 'drift'
  /** the object is tainted */
  | 'tainted'
  /** `-replace` */
  | 'replace-option'
  /** `-destroy` */
  | 'destroy-mode'
  /** link: the provider cannot change the attribute of an object that exists */
  | 'requires-replace'
  /** link: `replace_triggered_by` */
  | 'replace-triggered-by'
  /** a block that the state has no object of */
  | 'new-block'
  /** there is no block of it (any more) */
  | 'no-block'
  /** a `removed` block */
  | 'removed-block'
  /** there is no call of the module (any more) */
  | 'no-module'
  /** link: `count`, `for_each` or `enabled` asks for it, or does not any more */
  | 'repetition'
  /** the resource has instances of another kind now: with `count`, with `for_each`, or alone */
  | 'repetition-form'
  /** a `moved` block, or `count` that came or went */
  | 'moved'
  /** an `import` block */
  | 'import'
  /** the object is left as it is and only forgotten */
  | 'forget'
  /** the object is left over from a replacement */
  | 'deposed'
  /** the object was stored by an older version of its schema */
  | 'schema-upgrade'
  /** only what is sensitive differs */
  | 'sensitivity'
  /** link: the configuration of a data source is not known yet */
  | 'unknown-configuration'
  /** link: it waits for a later plan, because of what is not known yet or waits itself */
  | 'deferred'
  /** the block was written for an import, with what the object has */
  | 'generated'
  /** a data source of a check, which is read in every run */
  | 'check'
  /** a data source is read while planning */
  | 'read-now'
  /** link: a change triggers an action */
  | 'action-trigger'
  /** `-invoke` */
  | 'invoke-option'
  /** nothing to do: the object is as the configuration asks for */
  | 'equal'
  /** nothing to do: `ignore_changes` hides the difference */
  | 'ignored'
  /** nothing to do: the provider takes both for the same */
  | 'normalised'
  /** nothing to do: a refresh-only plan changes nothing */
  | 'refresh-only'
  /** nothing to do: the plan is about other resources */
  | 'not-targeted'
  /** nothing is decided: planning failed */
  | 'incomplete'
  /** nothing to do: `-exclude` names it, or what it builds on */
  | 'excluded'
  /** an object that is not known to the provider yet has no earlier value */
  | 'new-output';

/** Why something is as it is, and what is behind it. */
export interface Cause {
  readonly kind: CauseKind;
  /** what it is about: an instance, `var.x`, `module.m.local.x`, … */
  readonly address?: string;
  /** the part of it */
  readonly attribute?: Path;
  /** where that is written */
  readonly range?: Range;
  /** what it was: in the state, or worked out from it; with its marks */
  readonly before?: Value;
  /** what it is now; with its marks */
  readonly after?: Value;
  /** what is planned for the instance at `address` */
  readonly action?: Action;
  /** where the value of a variable came from */
  readonly origin?: VariableOrigin;
  /** name of the function, argument, event or option */
  readonly name?: string;
  /** the key that the repetition has, or lacks */
  readonly key?: string | number;
  /** whether something is there: the instance that a repetition asks for, the object after drift */
  readonly present?: boolean;
  /** not sure: one of several that may be it */
  readonly possible?: boolean;
  /** what is behind it was told before, or is told where that is explained */
  readonly told?: boolean;
  /** what is behind it; none at the end of a chain */
  readonly causes: readonly Cause[];
}

/** An attribute that is not known until the plan is applied, and what it waits for. */
export interface UnknownAttribute {
  readonly attribute: Path;
  readonly causes: readonly Cause[];
}

/** Why a plan does with one thing what it does. */
export interface Explanation {
  /** of a resource instance, `output.x`, or an action instance */
  readonly address: string;
  readonly kind: 'resource' | 'output' | 'action';
  /** key of the deposed object that is meant */
  readonly deposed?: string;
  readonly action: Action | 'invoke';
  readonly reason?: ActionReason;
  /** why it is left to a later plan, which then does so */
  readonly deferred?: DeferredReason;
  readonly causes: readonly Cause[];
  readonly unknown: readonly UnknownAttribute[];
}
