import { applyPath, CtyError, NULL, unknownAsNull } from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import type { ProviderDiagnostic } from '../contract.ts';
import type { Json } from './json-value.ts';
import { signalOf } from './handling.ts';
import type { Surroundings, Work } from './handling.ts';
import type { Log } from './log.ts';
import { changeObject, placeIn, readObject, timeoutOf, writeObject } from './part.ts';
import type { Part } from './part.ts';
import type { PrivateState } from './private-state.ts';

// The contexts of handlers. There are many requests, and a handler uses few properties of its context, so these are
// computed lazily. Handlers destructure their context, so its functions are bound.

/** A path as handlers write it. */
export type Place = string | readonly (string | number)[];

/** Context of every handler. */
export class BaseContext {
  protected readonly work: Work;
  protected readonly around: Surroundings;
  readonly #signal: AbortSignal | undefined;

  constructor(work: Work, around: Surroundings, signal?: AbortSignal) {
    this.work = work;
    this.around = around;
    this.#signal = signal;
  }

  get client(): unknown {
    return this.around.client;
  }

  get log(): Log {
    return this.work.log;
  }

  get signal(): AbortSignal {
    return signalOf(this.around, this.#signal);
  }

  get warn(): (summary: string, detail?: string, at?: Place) => void {
    return (summary, detail, at) => this.work.findings.warn(summary, detail, at);
  }

  get error(): (summary: string, detail?: string, at?: Place) => void {
    return (summary, detail, at) => this.work.findings.error(summary, detail, at);
  }

  get report(): (diagnostics: readonly ProviderDiagnostic[]) => void {
    return (diagnostics) => this.work.findings.report(diagnostics);
  }

  get pathTo(): (at: Place) => Path {
    return (at) => this.work.findings.pathTo(at);
  }
}

/** An object as handlers see it, computed once. Null stays null. */
export class Lazy {
  readonly #part: Pick<Part, 'fields'>;
  readonly #value: Value;
  #object: Readonly<Record<string, unknown>> | undefined;

  constructor(part: Pick<Part, 'fields'>, value: Value) {
    this.#part = part;
    this.#value = value;
  }

  get object(): Readonly<Record<string, unknown>> | null {
    if (this.#value.isNull) return null;
    this.#object ??= readObject(this.#part, this.#value);
    return this.#object;
  }
}

/** Context of handlers of configured objects. */
export class ConfigContext extends BaseContext {
  readonly #config: Lazy;

  constructor(work: Work, around: Surroundings, config: Lazy, signal?: AbortSignal) {
    super(work, around, signal);
    this.#config = config;
  }

  get config(): unknown {
    return this.#config.object;
  }
}

/** The values that a request about an object carries. */
export interface ObjectValues {
  readonly part: Part;
  readonly identityPart: Part | undefined;
  readonly prior: Value;
  readonly planned: Value;
  readonly config: Value;
  readonly identity: Value | undefined;
  readonly meta: Value | undefined;
  /** the operation whose time-out applies */
  readonly operation: string;
  /** receives the cause of a delay */
  readonly progress?: ((note: string) => void) | undefined;
}

/** Context of handlers of stored objects; each handler type exposes a part of it. */
export class ObjectContext extends BaseContext {
  protected readonly values: ObjectValues;
  readonly #kept: PrivateState;
  readonly #state: Lazy;
  readonly #plan: Lazy;
  readonly #config: Lazy;
  readonly isNew: boolean;

  constructor(
    work: Work,
    around: Surroundings,
    values: ObjectValues,
    kept: PrivateState,
    signal?: AbortSignal,
  ) {
    super(work, around, signal);
    this.values = values;
    this.#kept = kept;
    this.#state = new Lazy(values.part, values.prior);
    this.#plan = new Lazy(values.part, values.planned);
    this.#config = new Lazy(values.part, values.config);
    this.isNew = values.prior.isNull;
  }

  get state(): unknown {
    return this.#state.object;
  }

  get plan(): unknown {
    return this.#plan.object;
  }

  get config(): unknown {
    return this.#config.object;
  }

  get identity(): unknown {
    const { identityPart, identity } = this.values;
    if (identityPart === undefined || identity === undefined || identity.isNull) return null;
    return readObject(identityPart, identity);
  }

  get private(): Readonly<Record<string, Json>> {
    return this.#kept.entries;
  }

  get setPrivate(): PrivateState['change'] {
    return (changes) => this.#kept.change(changes);
  }

  get timeout(): number {
    const { part, operation, planned, prior } = this.values;
    return timeoutOf(part, operation, planned.isNull ? prior : planned);
  }

  get progress(): (note: string) => void {
    return this.values.progress ?? (() => undefined);
  }

  get providerMeta(): unknown {
    return this.around.meta(this.values.meta);
  }

  get changed(): (at: Place) => boolean {
    const { part, prior, planned } = this.values;
    return (at) => differ(placeIn(part.type, at), prior, planned);
  }
}

/** Additional context of planning. */
export class PlanningContext extends ObjectContext {
  readonly replace: Path[] = [];
  /** the identity as the handler plans it */
  plannedIdentity: Value | undefined;

  get planIdentity(): (identity: unknown) => void {
    const { identityPart } = this.values;
    return (identity) => {
      if (identityPart === undefined) throw new TypeError('the resource type has no identity');
      this.plannedIdentity = writeObject(identityPart, identity, undefined);
    };
  }

  get requireReplace(): (at: Place) => void {
    return (at) => void this.replace.push(this.pathTo(at));
  }
}

/** Additional context of creating and updating. */
export class ChangingContext extends ObjectContext {
  /** the object as the handler has recorded it so far */
  saved: Value | undefined;

  get save(): (soFar: unknown) => void {
    const { part, planned } = this.values;
    return (soFar) => {
      this.saved = unknownAsNull(changeObject(part, this.saved ?? planned, soFar));
    };
  }
}

/** Additional context of importing. */
export class ImportingContext extends ObjectContext {
  /** undefined: the object is addressed by its identity */
  readonly id: string | undefined;

  constructor(
    work: Work,
    around: Surroundings,
    values: ObjectValues,
    kept: PrivateState,
    id: string | undefined,
  ) {
    super(work, around, values, kept);
    this.id = id;
  }

  override get identity(): unknown {
    return super.identity ?? undefined;
  }
}

/** Returns true if two objects differ at a path; every part of null is null. */
function differ(path: Path, before: Value, after: Value): boolean {
  const [a, b] = [valueAt(before, path), valueAt(after, path)];
  return a.isNull || b.isNull ? a.isNull !== b.isNull : !a.rawEquals(b);
}

function valueAt(v: Value, path: Path): Value {
  if (v.isNull) return NULL;
  try {
    return applyPath(v, path);
  } catch (problem) {
    if (problem instanceof CtyError) return NULL;
    throw problem;
  }
}
