import fc from 'fast-check';
import type { FaultKind, FaultMethod } from './fuzz-world.ts';

/** The repetition of a thing or of a module. */
export type Repeat =
  | { readonly kind: 'single' }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'each'; readonly keys: readonly string[] };

/** In which module a thing is: the root, `module.m`, or `module.m.module.n`. */
export type Place = 'root' | 'm' | 'n';

/**
 * The reference of a thing to another: an attribute whose change replaces it, updates it or may do either; a data source
 * with the other as argument or dependency; a replacement trigger (the resource, an attribute, or the instance of the
 * same key); or only `depends_on`.
 */
export type Link =
  | 'kind'
  | 'secret'
  | 'size'
  | 'note'
  | 'data'
  | 'waiting-data'
  | 'trigger'
  | 'trigger-size'
  | 'trigger-one'
  | 'depends';

/** The treatment of a removed thing's objects. */
export type Leaving = 'plain' | 'forget' | 'destroy';

/** One resource of a random configuration. */
export interface Thing {
  readonly present: boolean;
  /** of the other resource type, which takes over what moves to it */
  readonly other: boolean;
  readonly leaving: Leaving;
  readonly place: Place;
  readonly repeat: Repeat;
  /** `lifecycle { enabled }`, where it is not repeated */
  readonly enabled: boolean | undefined;
  readonly createBeforeDestroy: boolean | undefined;
  readonly ignore: 'size' | 'note' | 'all' | undefined;
  readonly preventDestroy: boolean;
  readonly keep: boolean;
  readonly precondition: 'pass' | 'late' | 'fail' | undefined;
  readonly postcondition: 'pass' | 'fail' | undefined;
  readonly provisioner:
    | 'create'
    | 'destroy'
    | 'create-fails'
    | 'destroy-fails'
    | 'goes-on'
    | undefined;
  /** another configuration of the provider, in the root only */
  readonly alias: boolean;
  readonly size: number | undefined;
  readonly kind: string | undefined;
  readonly label: string | undefined;
  readonly note: string | undefined;
  readonly secret: 'value' | 'note' | undefined;
  /** what is only written comes from something ephemeral, which may be opened with what is not known yet */
  readonly token: 'plain' | 'linked' | undefined;
  readonly parts: number;
  /**
   * whether its stray objects are adopted, one by one or by one block for all instances; from the second release on by what
   * they are known by
   */
  readonly imported: 'first' | 'each' | undefined;
  /** by slot; things refer to those of lower rank only */
  readonly links: Readonly<Record<number, Link>>;
  /** what it is called: its number grows with each renaming */
  readonly name: number;
}

/** A statement of what has moved, as texts of addresses within the module that it stands in. */
export interface Moved {
  readonly place: Place;
  readonly from: string;
  readonly to: string;
}

/** A random configuration. */
export interface Model {
  readonly things: readonly Thing[];
  /** how often `module.m` is there, and `module.n` in each of it */
  readonly m: Repeat;
  readonly n: Repeat;
  /** a slot below those in it that `module.m` depends on as a whole */
  readonly moduleDepends: number | undefined;
  readonly moduleAlias: boolean;
  /** the second provider configuration is made from the first thing */
  readonly linkedProvider: boolean;
  readonly check: 'pass' | 'fail' | 'deep' | undefined;
  /** the key of the second provider configuration is ephemeral */
  readonly ephemeralKey: boolean;
  /** files whose names end in `.tofu`, beside others of the same name that they hide */
  readonly tofu: boolean;
  readonly moved: readonly Moved[];
}

/** The number of slots; the rank of a thing is its slot. */
export const SLOTS = 6;

/** Something that is changed outside. */
export interface Drift {
  /** which of the objects there are */
  readonly pick: number;
  readonly change: 'size' | 'note' | 'gone';
}

/** A call that fails, by the slot that it is about. */
export interface Fault {
  readonly slot: number;
  readonly method: FaultMethod;
  readonly kind: FaultKind;
  readonly after: number;
}

/** The actions of a round. */
export type Operation =
  | 'apply'
  | 'plan-file'
  | 'plan'
  | 'destroy'
  | 'refresh-only'
  | 'taint'
  | 'untaint'
  | 'rm'
  | 'mv'
  | 'import'
  | 'generate';

/** The target or exclusion of a run: a slot, the first of its instances, or its module. */
export interface Aim {
  readonly slot: number;
  readonly what: 'resource' | 'instance' | 'module';
}

/** One round of a history. */
export interface Round {
  readonly operation: Operation;
  readonly edits: readonly Edit[];
  readonly modules: Partial<Omit<Model, 'things' | 'moved'>>;
  readonly forgetMoves: boolean;
  /** says where an instance of a module is now whose key has changed */
  readonly followModules: boolean;
  readonly faults: readonly Fault[];
  readonly drift: readonly Drift[];
  /** seed of how long each call takes */
  readonly pace: number;
  readonly parallelism: number;
  readonly refresh: boolean;
  /** the provider is upgraded before it */
  readonly upgrade: boolean;
  /** what the provider leaves to a later run, which it may only if there is any */
  readonly deferrals: readonly { readonly slot: number; readonly method: FaultMethod }[];
  readonly targets: readonly Aim[];
  /** what is left out, where nothing is a target */
  readonly excludes: readonly Aim[];
  /** whether these stand in files */
  readonly aimFiles: boolean;
  /** which of the objects there are is asked to be replaced, tainted, moved or left */
  readonly pick: number | undefined;
  /** the process ends at this step on the disk, in this way, and this survives */
  readonly crash:
    | {
        readonly at: number;
        readonly within: boolean;
        readonly survival: 'nothing' | 'everything' | 'torn';
      }
    | undefined;
  /** somebody asks it to stop at this change */
  readonly stop: number | undefined;
}

/**
 * An edit of one slot; `moved` says where things were that have another address now, `whole` so of all instances at once,
 * where that can be said in their own module.
 */
export interface Edit {
  readonly slot: number;
  readonly change: Partial<Omit<Thing, 'name'>>;
  readonly rename: boolean;
  readonly moved: boolean;
  readonly wholeResource: boolean;
}

const SINGLE: Repeat = { kind: 'single' };
const KEYS = ['x', 'y.z'];

/** Mostly the first; else the second. */
function mostly<A, B>(usual: A, other: fc.Arbitrary<B>, weight = 5): fc.Arbitrary<A | B> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: other },
  );
}

const repeat: fc.Arbitrary<Repeat> = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.constant(SINGLE) },
  { weight: 2, arbitrary: fc.nat(2).map((count) => ({ kind: 'count' as const, count })) },
  { weight: 2, arbitrary: fc.subarray(KEYS).map((keys) => ({ kind: 'each' as const, keys })) },
);

const link = fc.constantFrom<Link>(
  ...(['kind', 'secret', 'secret', 'size', 'note', 'data', 'waiting-data', 'trigger'] as const),
  ...(['trigger-size', 'trigger-one', 'depends', 'depends'] as const),
);

const fields = (slot: number) => ({
  present: fc.nat(4).map((chosen) => chosen > 0),
  other: mostly(false, fc.constant(true)),
  leaving: fc.constantFrom<Leaving>('plain', 'plain', 'forget', 'destroy'),
  place: slot === 0 ? fc.constant<Place>('root') : fc.constantFrom<Place>('root', 'root', 'm', 'n'),
  repeat,
  enabled: mostly(undefined, fc.boolean()),
  createBeforeDestroy: mostly(undefined, fc.boolean(), 2),
  ignore: mostly(undefined, fc.constantFrom('size' as const, 'note' as const, 'all' as const)),
  preventDestroy: mostly(false, fc.constant(true), 8),
  keep: mostly(false, fc.constant(true), 10),
  precondition: mostly(
    undefined,
    fc.constantFrom('pass' as const, 'late' as const, 'fail' as const),
  ),
  postcondition: mostly(undefined, fc.constantFrom('pass' as const, 'fail' as const), 8),
  provisioner: mostly(
    undefined,
    fc.constantFrom(
      ...(['create', 'destroy', 'create-fails', 'destroy-fails', 'goes-on'] as const),
    ),
    8,
  ),
  alias: mostly(false, fc.constant(true)),
  size: mostly(undefined, fc.constantFrom(1, 2, 11), 1),
  kind: mostly(undefined, fc.constantFrom('k1', 'k2'), 1),
  label: mostly(undefined, fc.constantFrom('abc', 'ABC', 'other'), 2),
  note: mostly(undefined, fc.constantFrom('n1', 'n2'), 2),
  secret: mostly(undefined, fc.constantFrom('value' as const, 'note' as const), 4),
  token: mostly(undefined, fc.constantFrom('plain' as const, 'linked' as const)),
  parts: mostly(0, fc.nat(2), 3),
  imported: mostly(undefined, fc.constantFrom('first' as const, 'each' as const)),
  links:
    slot === 0
      ? fc.constant({})
      : fc
          .array(fc.tuple(fc.nat(slot - 1), link), { maxLength: 3 })
          .map((pairs): Readonly<Record<number, Link>> => Object.fromEntries(pairs)),
});

const moduleFields = {
  m: repeat,
  n: mostly(SINGLE, repeat, 1),
  moduleDepends: mostly(undefined, fc.nat(1), 4),
  moduleAlias: mostly(false, fc.constant(true), 5),
  linkedProvider: mostly(false, fc.constant(true), 6),
  check: mostly(undefined, fc.constantFrom('pass' as const, 'fail' as const, 'deep' as const), 4),
  ephemeralKey: mostly(false, fc.constant(true)),
  tofu: mostly(false, fc.constant(true)),
};

const model: fc.Arbitrary<Model> = fc.record({
  ...moduleFields,
  moved: fc.constant([]),
  things: fc.tuple(
    ...Array.from({ length: SLOTS }, (_, slot) =>
      fc.record({ ...fields(slot), name: fc.constant(0) }),
    ),
  ),
});

/** A change of one field. */
function oneOf<T>(arbitraries: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }) {
  const changes: fc.Arbitrary<Partial<T>>[] = [];
  for (const key in arbitraries) {
    // Each value of a mapped type belongs to the field of its key.
    changes.push(arbitraries[key].map((value) => ({ [key]: value }) as unknown as Partial<T>));
  }
  return fc.oneof(...changes);
}

const edit: fc.Arbitrary<Edit> = fc.oneof(
  ...Array.from({ length: SLOTS }, (_, slot) =>
    fc.record({
      slot: fc.constant(slot),
      change: fc.oneof(
        { weight: 15, arbitrary: oneOf<Omit<Thing, 'name'>>(fields(slot)) },
        { weight: 1, arbitrary: fc.record({ other: fc.boolean() }) },
      ),
      rename: mostly(false, fc.constant(true), 7),
      moved: fc.boolean(),
      wholeResource: fc.boolean(),
    }),
  ),
);

const fault: fc.Arbitrary<Fault> = fc.record({
  slot: fc.nat(SLOTS - 1),
  method: fc.constantFrom<FaultMethod>(
    ...(['create', 'create', 'create', 'update', 'update', 'update', 'delete', 'delete'] as const),
    ...([
      'delete',
      'read',
      'plan',
      'validate',
      'lookup',
      'import',
      'open',
      'upgrade',
      'move',
    ] as const),
  ),
  kind: fc.constantFrom<FaultKind>(
    ...(['refuse', 'nothing', 'partial', 'lie', 'throw', 'throw-late'] as const),
  ),
  after: mostly(0, fc.nat(3), 2),
});

const crash: fc.Arbitrary<Round['crash']> = fc.record({
  at: fc.nat(40),
  within: fc.boolean(),
  survival: fc.constantFrom('nothing' as const, 'everything' as const, 'torn' as const),
});

const aim: fc.Arbitrary<Aim> = fc.record({
  slot: fc.nat(SLOTS - 1),
  what: fc.constantFrom<Aim['what']>('resource', 'resource', 'instance', 'module'),
});

const round: fc.Arbitrary<Round> = fc.record({
  operation: fc.constantFrom<Operation>(
    ...(['apply', 'apply', 'apply', 'apply', 'apply', 'plan-file', 'plan-file', 'plan'] as const),
    ...(['destroy', 'refresh-only', 'taint', 'untaint', 'rm', 'mv', 'import', 'generate'] as const),
  ),
  edits: fc.array(edit, { maxLength: 4 }),
  modules: mostly({}, oneOf(moduleFields), 3),
  forgetMoves: fc.boolean(),
  followModules: fc.boolean(),
  faults: mostly([], fc.array(fault, { minLength: 1, maxLength: 3 }), 1),
  drift: mostly(
    [],
    fc.array(
      fc.record({
        pick: fc.nat(20),
        change: fc.constantFrom('size' as const, 'note' as const, 'gone' as const),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    4,
  ),
  pace: fc.nat(1000),
  parallelism: fc.constantFrom(10, 10, 2, 1),
  refresh: mostly(true, fc.constant(false), 8),
  upgrade: mostly(false, fc.constant(true), 4),
  deferrals: mostly(
    [],
    fc.array(
      fc.record({
        slot: fc.nat(SLOTS - 1),
        method: fc.constantFrom<FaultMethod>('plan', 'plan', 'read', 'lookup'),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    4,
  ),
  targets: mostly([], fc.array(aim, { minLength: 1, maxLength: 2 }), 6),
  excludes: mostly([], fc.array(aim, { minLength: 1, maxLength: 2 }), 7),
  aimFiles: fc.boolean(),
  pick: mostly(undefined, fc.nat(20), 3),
  crash: mostly(undefined, crash, 6),
  stop: mostly(undefined, fc.nat(6), 12),
});

/** A configuration, and what becomes of it. */
export interface History {
  readonly first: Model;
  readonly rounds: readonly Round[];
}

/** Histories of a configuration. */
export const histories: fc.Arbitrary<History> = fc.record({
  first: model,
  rounds: fc.array(round, { minLength: 1, maxLength: 4 }),
});
