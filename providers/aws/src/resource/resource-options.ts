import type {
  Attributes,
  Blocks,
  Deadline,
  Log,
  ObjectValidator,
  PathIn,
  PlannedOf,
  ProposedOf,
  RemoteObject,
  StateOf,
  WrittenOf,
} from '@terrane/provider/sdk';
import type { Awaitable } from '@terrane/provider';
import type { RegionalAws } from '../clients/aws.ts';
import type { AwsTag, TagChange, Tags } from '../tags/tags.ts';
import type { AmazonNames, Casing } from './amazon-form.ts';
import type { List } from './listing.ts';
import type { LooseObject } from './loose.ts';

/** The context of every handler of a resource type. */
export interface Around {
  /** Amazon in the region of the object: `aws.sqs.createQueue({ … })` */
  readonly aws: RegionalAws;
  /** runs, retries and awaits operations of the object, and names them in errors; see docs/providers.md */
  readonly object: RemoteObject;
  readonly log: Log;
  readonly warn: (summary: string, detail?: string) => void;
  readonly signal: AbortSignal;
}

/** The context of creations and updates. `C`: the configuration, with write-only arguments. */
interface Change<P, C, S> extends Around {
  readonly plan: P;
  readonly config: C;
  /** returns true if the plan changes the stored value; in a creation: if it is not null */
  readonly changed: (...at: readonly PathIn<S>[]) => boolean;
  /** the time-out in milliseconds: from `timeouts`, or 20 minutes */
  readonly timeout: number;
  /** the end of that time-out, counted from the start of the operation, for waits that share it */
  readonly deadline: Deadline;
  /**
   * Returns a request with the configured arguments, and the members that are passed: `aws.ec2.createVolume(request({
   * TagSpecifications: … }))`. `amazon` names the members that differ from their arguments.
   */
  readonly request: Requesting;
}

/** Builds requests from arguments. The members are those of the request whose names correspond to arguments. */
export type Requesting = <T extends object>(more?: NoInfer<Partial<T>>) => T;

export interface Creation<P, C, S> extends Change<P, C, S> {
  /** tags of the object: its own and those of the provider block */
  readonly tags: Tags;
}

export interface Created<P, C, S> extends Creation<P, C, S> {
  readonly id: string;
}

export interface Update<P, C, S> extends Change<P, C, S> {
  readonly id: string;
  readonly state: S;
  /** as `request`, of the arguments that change */
  readonly changes: Requesting;
}

/** Some of the arguments that are stored, as a request has them: `stored('function_name', 'qualifier')`. */
export type Storing<S> = <T extends object>(...names: readonly Names<S>[]) => T;

/** The context of reading and finding. */
export interface Reading<S> extends Around {
  readonly stored: Storing<S>;
  readonly id: string;
  /** the prior state; for a new object, its known arguments; for an import, only the id */
  readonly state: S;
  readonly isNew: boolean;
}

export interface Deletion<S> extends Around {
  readonly stored: Storing<S>;
  readonly id: string;
  readonly state: S;
  readonly timeout: number;
}

/** The context of planning. */
export interface Planning<P, C, S> {
  readonly aws: RegionalAws;
  /** the plan so far, with region and tags */
  readonly plan: P;
  readonly config: C;
  /** null: the object is to be created */
  readonly state: S | null;
  readonly changed: (...at: readonly PathIn<S>[]) => boolean;
  /** has the object replaced because of that argument */
  readonly requireReplace: (at: PathIn<S>) => void;
}

type Names<T> = Extract<keyof T, string>;

/** The result of reading an object. */
type Found<S> = Omit<LooseObject<S>, 'tags'> & {
  readonly tags?: readonly AwsTag[] | Tags | null | undefined;
};

/** The polling of an object, in milliseconds; see `WaitOptions` of the SDK. */
interface Polling<F> {
  readonly delay?: number;
  readonly minTimeout?: number;
  readonly continuousTargetOccurrences?: number;
  readonly notFoundChecks?: number;
  /** why the object is in its state, for the error of a wait that fails */
  readonly reason?: (object: F) => string | undefined;
}

/** The state that a new object is polled for. `F`: the object as it is read. */
export interface Readiness<F> extends Polling<F> {
  /** intermediate states; others are errors. Default: any */
  readonly pending?: readonly string[];
  readonly target: readonly [string, ...string[]];
  readonly state: (object: F) => string | undefined;
  /** milliseconds, where that is less than the operation may take */
  readonly timeout?: number;
}

/** The states in which a deleted object may be until it is not found any more. */
export interface Deletedness<F> extends Omit<Polling<F>, 'notFoundChecks'> {
  /** intermediate states; others are errors. Default: it exists */
  readonly pending?: readonly string[];
  /** null: the object counts as deleted */
  readonly state?: (object: F) => string | undefined | null;
  /** milliseconds, where that is less than the operation may take */
  readonly timeout?: number;
}

/** The definition of a resource type of AWS; see README.md. `F`: the object as `find` returns it. */
export interface AwsResourceOptions<A extends Attributes, B extends Blocks, F> {
  /** the type name for users: "SQS Queue" */
  readonly type: string;
  /** starts with `...regional` (or `...global`), and `...tagged` if it has tags */
  readonly attributes: A;
  readonly blocks?: B;
  /** the published type uses Terraform's newer SDK, which stores null for missing values */
  readonly newerSdk?: boolean;
  /** version of the stored form; default 0 */
  readonly version?: number;
  readonly validators?: readonly ObjectValidator<NoInfer<Names<A> | Names<B>>>[];
  /** error codes for a missing object */
  readonly notFound?: readonly string[];
  /**
   * Milliseconds for which an existing object must be missing before it is removed from the state, for services whose
   * servers are eventually consistent; default: the first read decides
   */
  readonly missingFor?: number;
  /** the name in errors before it has an ID; default: its argument `name` */
  readonly label?: (plan: PlannedOf<A, B>) => string;
  /** returns changes of the proposed plan, in which region and tags are already planned */
  readonly plan?: (
    context: Planning<ProposedOf<A, B>, StateOf<A, B>, StateOf<A, B>>,
  ) => Partial<ProposedOf<A, B>> | undefined | void;
  /** creates the object and returns its id, or its known arguments with the id, which are recorded immediately */
  readonly create: (
    context: Creation<PlannedOf<A, B>, WrittenOf<A, B>, StateOf<A, B>>,
  ) => Promise<string | (LooseObject<StateOf<A, B>> & { readonly id: string })>;
  /**
   * The names of members of requests and responses that differ from the capitalized argument; null: the argument is not
   * sent. If present, arguments are read from the response, and `read` returns those that differ.
   */
  readonly amazon?: AmazonNames;
  /** the case of member names of requests; default `PascalCase` */
  readonly casing?: Casing;
  /** the state in which a new object, or one with a new id, is ready */
  readonly ready?: Readiness<F>;
  /** the pending states of a deleted object; if present, the deletion is awaited */
  readonly gone?: Deletedness<F>;
  /**
   * completes the creation of an object that has an id, by waits and further requests; the object is read afterwards
   */
  readonly created?: (
    context: Created<PlannedOf<A, B>, WrittenOf<A, B>, StateOf<A, B>>,
  ) => Promise<void>;
  /** the maximum time in milliseconds for which a new object may be missing when it is read; default 2 minutes */
  readonly visibleWithin?: number;
  /** reads the object; undefined: the response has none, which is an error (see `only`) */
  readonly find: (context: Reading<StateOf<A, B>>) => Promise<F | undefined>;
  /**
   * Returns the arguments of the object. Absent ones keep their prior value, or that of `amazon`; undefined is empty.
   * `tags`: all tags of the object, in any form.
   */
  readonly read?: (object: F, context: Reading<StateOf<A, B>>) => Awaitable<Found<StateOf<A, B>>>;
  /**
   * Updates the object. If absent, every change but that of tags requires a replacement. It is not called for changes
   * of tags alone if `retag` is present. Returns the id if the update changes it.
   */
  readonly update?: (
    context: Update<PlannedOf<A, B>, WrittenOf<A, B>, StateOf<A, B>>,
  ) => Promise<string | void>;
  /** changes tags; not needed without tags, or if `update` changes them */
  readonly retag?: (context: Reading<StateOf<A, B>>, change: TagChange) => Promise<void>;
  /** deletes the object, which may be missing; returns false if the object remains, so that it is not awaited */
  readonly delete: (context: Deletion<StateOf<A, B>>) => Promise<void | false>;
  /**
   * returns the known arguments of an imported object, if the text to import by is not its id; `read` completes them
   */
  readonly import?: (
    id: string,
    aws: RegionalAws,
  ) => Awaitable<LooseObject<StateOf<A, B>> & { readonly id: string }>;
  /**
   * The attribute that identifies an object in its account and region, as in the identity of the published type. Its
   * value is also the text to import by, and it must not change.
   */
  readonly identity?: Names<A>;
  /** finds the objects in a region that could be imported; requires `identity` */
  readonly list?: List;
}
