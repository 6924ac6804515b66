import type { Path, Value } from '@terrane/cty';
import type { Range } from '@terrane/hcl';
import type { VariableOrigin } from '../config/variable-origin.ts';
import type { Action, ActionReason, DeferredReason } from '../objects/change.ts';

/** The properties of causes, by the meaning that they have in every kind. */
export interface CauseProperties {
  /** The address of the subject: an instance, `var.x`, `module.m.local.x`, … */
  readonly address: string;
  /** The part of the subject. */
  readonly attribute: Path;
  /** The location in the configuration. */
  readonly range: Range;
  /** The value in the state, or evaluated from the state; with its marks. */
  readonly before: Value;
  /** The current value; with its marks. */
  readonly after: Value;
  /** The action that is planned for the instance at `address`. */
  readonly action: Action;
  /** The source of the value of a variable. */
  readonly origin: VariableOrigin;
  /** The name of a function, argument, event or option. */
  readonly name: string;
  /** The key that a repetition has, or lacks. */
  readonly key: string | number;
  /** The existence of the instance of a repetition, of the object after drift, or of a sensitive mark. */
  readonly present: boolean;
}

type Property = keyof CauseProperties;

/** The properties that any cause can have: its subject, location and values. */
type Common = 'address' | 'attribute' | 'range' | 'before' | 'after';

/** A kind of cause with its required properties, and its optional ones in addition to the common ones. */
type CauseOf<
  K extends string,
  R extends Property = never,
  O extends Property = never,
> = K extends string ? OneCause<K, R, O> : never;

type OneCause<K extends string, R extends Property, O extends Property> = CauseLink<K> &
  Pick<CauseProperties, R> &
  Partial<Pick<CauseProperties, O | Common>> & {
    readonly [P in Exclude<Property, R | O | Common>]?: never;
  };

/** Properties of every cause. An interface, because the members of a type alias may not refer to the alias in TypeScript 6. */
interface CauseLink<K extends string> {
  readonly kind: K;
  /** True for one of several possible causes. */
  readonly possible?: boolean;
  /** True if its own causes are explained elsewhere. */
  readonly isExplainedElsewhere?: boolean;
  /** Its own causes; none at the end of a chain. */
  readonly causes: readonly Cause[];
}

/** A reason of a planned action or value, with its own causes. Links have further causes; others end a chain. */
export type Cause =
  | ValueCause
  | ReferenceCause
  | ProviderCause
  | ExistenceCause
  | RunCause
  | NoChangeCause;

/** Causes in the configuration of an object. */
type ValueCause =
  /** link: an attribute of the object differs from the state */
  | CauseOf<'attribute', 'attribute'>
  /** the text of an argument or value decides */
  | CauseOf<'source', 'range', 'name'>
  /** an argument was removed */
  | CauseOf<'argument-removed', 'attribute'>
  /** link: the number or content of nested blocks differs */
  | CauseOf<'block', 'attribute'>
  /** a function returns a new value in every run */
  | CauseOf<'function', 'name' | 'range'>
  /** a file is read, which may have changed */
  | CauseOf<'file', 'name' | 'range'>
  /** `path` or `terraform`: the environment of the run */
  | CauseOf<'environment', 'address'>
  /** only the sensitivity differs */
  | CauseOf<'sensitivity', 'address', 'present'>
  /** link: the configuration of a data source is unknown */
  | CauseOf<'unknown-configuration', 'address'>;

/** Causes that an expression refers to. */
type ReferenceCause =
  /** a variable of the root module */
  | CauseOf<'variable', 'address', 'origin'>
  /** link: a variable of a child module, set by the call; a local value; an output of a child module */
  | CauseOf<'argument' | 'local' | 'output', 'address', 'name'>
  /** link: an attribute of another resource, which changes */
  | CauseOf<'resource', 'address', 'action'>
  /** link: a changing instance that the subject waits for or depends on */
  | CauseOf<'dependency', 'address', 'name' | 'action'>
  /** link: `replace_triggered_by` */
  | CauseOf<'replace-triggered-by', 'address', 'action'>
  /** link: a change triggers an action */
  | CauseOf<'action-trigger', 'address' | 'name', 'action'>;

/** Causes in a provider or in the objects that exist. */
type ProviderCause =
  /** an attribute that the provider computes during the change */
  | CauseOf<'computed', 'address', 'action'>
  /** the provider plans another value although the configuration is the same */
  | CauseOf<'provider', 'address'>
  /** a data source returns another value */
  | CauseOf<'data', 'address', 'action'>
  /** the object was changed or removed outside */
  | CauseOf<'drift', 'address', 'present'>
  /** the object is tainted */
  | CauseOf<'tainted', 'address'>
  /** link: the provider cannot change the attribute in place */
  | CauseOf<'requires-replace', 'address' | 'attribute'>
  /** the object was stored with another schema version */
  | CauseOf<'schema-upgrade', 'address'>;

/** Causes of the existence of an object. */
type ExistenceCause =
  /** the state has no object of the block */
  | CauseOf<'new-block', 'address'>
  /** the configuration has no block */
  | CauseOf<'no-block', 'address', 'name'>
  /** a `removed` block; or the object is kept and only forgotten */
  | CauseOf<'removed-block' | 'forget', 'address', 'name'>
  /** the configuration does not call the module */
  | CauseOf<'no-module', 'address'>
  /** link: `count`, `for_each` or `enabled` adds or removes the instance */
  | CauseOf<'repetition', 'address', 'name' | 'key' | 'present'>
  /** the resource changed between `count`, `for_each` and neither */
  | CauseOf<'repetition-form', 'address', 'name'>
  /** a `moved` block, or an implied move */
  | CauseOf<'moved', 'name'>
  /** an `import` block */
  | CauseOf<'import', 'address', 'name'>
  /** a replacement left the object behind */
  | CauseOf<'deposed', 'address' | 'name'>
  /** the block was generated for an import */
  | CauseOf<'generated', 'address'>
  /** a new output has no earlier value */
  | CauseOf<'new-output', 'address'>;

/** Causes in the options or the course of the run. */
type RunCause =
  /** `-replace`, `-destroy`, `-invoke` */
  | CauseOf<'replace-option' | 'destroy-mode' | 'invoke-option', 'address'>
  /** link: the change waits for a later plan */
  | CauseOf<'deferred', 'address' | 'name'>
  /** a data source of a check, which every run reads */
  | CauseOf<'check', 'address' | 'name'>
  /** a data source is read while planning */
  | CauseOf<'read-now', 'address'>;

/** Reasons for a no-op. */
type NoChangeCause =
  /** the object is as configured */
  | CauseOf<'equal', 'address'>
  /** `ignore_changes` hides the difference; or the provider treats both values as equal */
  | CauseOf<'ignored' | 'normalised', 'address' | 'attribute'>
  /** a refresh-only plan; resources outside `-target`; a failed plan; `-exclude` */
  | CauseOf<'refresh-only' | 'not-targeted' | 'incomplete' | 'excluded', 'address'>;

/** A location in the configuration as a cause. */
export type SourceCause = Extract<Cause, { kind: 'source' }>;

/** The kinds of causes. */
export type CauseKind = Cause['kind'];

/** An attribute that is unknown until the plan is applied, with the causes. */
export interface UnknownAttribute {
  readonly attribute: Path;
  readonly causes: readonly Cause[];
}

/** The explanation of one action of a plan. */
export interface Explanation {
  /** the address of a resource instance, an output such as `output.x`, or an action instance */
  readonly address: string;
  readonly kind: 'resource' | 'output' | 'action';
  /** the key of the deposed object */
  readonly deposed?: string;
  readonly action: Action | 'invoke';
  readonly reason?: ActionReason;
  /** the reason of a deferral to a later plan */
  readonly deferred?: DeferredReason;
  readonly causes: readonly Cause[];
  readonly unknown: readonly UnknownAttribute[];
}
