import type { ProviderOption } from '@terrane/ops';
import type { Expected, ExpectedAttributes } from './expected.ts';
import type { Attributes, Plain } from './plain-value.ts';

/** The expected planned action on an object. `replace` matches either order. */
export type ExpectedAction =
  | 'create'
  | 'update'
  | 'replace'
  | 'delete-then-create'
  | 'create-then-delete'
  | 'delete'
  | 'forget'
  | 'read'
  | 'no-op';

/** The expected change of one object, if the action alone is not sufficient. */
export interface ExpectedChange {
  readonly action: ExpectedAction;
  readonly before?: ExpectedAttributes;
  /** `UNKNOWN`: known after the apply */
  readonly after?: ExpectedAttributes;
  /** all attributes that require the replacement, such as `name` or `tags.env` */
  readonly replacedBy?: readonly string[];
}

/**
 * The expectation for a plan: no changes (`empty`), some changes (`changes`), or exactly these actions by address;
 * unlisted objects must not change. Data sources may be read without being named.
 */
export type ExpectedPlan =
  | 'empty'
  | 'changes'
  | { readonly [address: string]: ExpectedAction | ExpectedChange };

/** The state after a step. */
export interface Snapshot {
  /** the working directory of the test */
  readonly directory: string;
  /** attributes of the objects by address: resources and data sources, in all modules */
  readonly objects: ReadonlyMap<string, Attributes>;
  readonly outputs: ReadonlyMap<string, Plain>;
}

interface AnyStep {
  /** a description of the step for failure messages */
  readonly name?: string;
  /** called before the step: for an external change, for example */
  readonly before?: (snapshot: Snapshot) => void | Promise<void>;
  /** checks of your own, at the end of the step; they fail by throwing */
  readonly check?: (snapshot: Snapshot) => void | Promise<void>;
  /** values of variables, as with `-var`; steps without a configuration keep the previous values */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Expectations for the state. */
interface StateExpectations {
  /** attributes of objects by address, or `null` for an object that must not exist */
  readonly state?: { readonly [address: string]: ExpectedAttributes | null };
  readonly outputs?: { readonly [name: string]: Expected };
}

/** Applies a configuration. */
export interface ConfigStep extends AnyStep, StateExpectations {
  /** text of the configuration, or of several files by their names */
  readonly config: string | Readonly<Record<string, string>>;
  /** the expected first plan */
  readonly plan?: ExpectedPlan;
  /** true to plan without an apply */
  readonly planOnly?: boolean;
  /** true to destroy everything */
  readonly destroy?: boolean;
  /**
   * The step must end with an error that contains this text (summary, detail, location). Subsequent steps use the last
   * configuration with a successful plan.
   */
  readonly error?: RegExp | string;
  /** the step must report a warning that contains this text */
  readonly warning?: RegExp | string;
  /** the expected plans after the apply, before and after a refresh; default `empty` */
  readonly planAfter?: ExpectedPlan;
}

/** Refreshes the objects with the configuration of the previous step. */
export interface RefreshStep extends AnyStep, StateExpectations {
  readonly refresh: true;
  /**
   * expected changes outside of Terraform since the last step, by address: the attributes afterwards, or `null` for
   * deleted objects
   */
  readonly drift?: { readonly [address: string]: ExpectedAttributes | null };
  /** the expected next plan; default `empty` */
  readonly plan?: ExpectedPlan;
  readonly error?: RegExp | string;
}

/** Imports an object of the last step again, and compares the result with its state. The state is unchanged. */
export interface ImportStep extends AnyStep {
  /** address of the object */
  readonly import: string;
  /** the import ID, or a function of the attributes; default: the attribute `id` */
  readonly id?: string | ((attributes: Attributes) => string);
  /** import by this resource identity instead */
  readonly identity?: Readonly<Record<string, string | number | boolean>>;
  /** paths of attributes that an import cannot know, such as `password` or `timeouts` */
  readonly ignore?: readonly string[];
  /** expected change of the imported object; default `no-op`, or any change if attributes are ignored */
  readonly plan?: ExpectedAction | ExpectedChange;
  readonly error?: RegExp | string;
}

/** A step of a test. */
export type Step = ConfigStep | RefreshStep | ImportStep;

/** A provider under test: in this process, or as a plugin. */
export type ProviderUnderTest = ProviderOption;

/** An acceptance test. */
export interface TestCase {
  /** by source address: `notes`, `acme/notes` or `registry.example.com/acme/notes` */
  readonly providers: Readonly<Record<string, ProviderUnderTest>>;
  readonly steps: readonly Step[];
  /** verifies that no objects remain after the destroy; `last` is the state before it */
  readonly afterDestroy?: (last: Snapshot) => void | Promise<void>;
  /** the parent of the working directory; default: the system's directory for temporary files */
  readonly parentDirectory?: string;
  /** true to keep the working directory after a failure; its path is in the message */
  readonly keepDirectory?: boolean;
  readonly signal?: AbortSignal;
}
