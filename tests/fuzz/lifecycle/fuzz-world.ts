import {
  type Path,
  list,
  map,
  NUMBER,
  nullOf,
  number,
  type ObjectType,
  objectOf,
  STRING,
  str,
  unknownOf,
  type Value,
} from '@terrane/cty';
import type {
  ApplyAnswer,
  ApplyResourceRequest,
  ClientCapabilities,
  PlanAnswer,
  PlanResourceRequest,
  Provider,
  ProviderDiagnostic,
} from '@terrane/provider';
import {
  fuzzSchema,
  IDENTITY_TYPE,
  LOOKUP_TYPE,
  PART_TYPE,
  THING_TYPE,
  TOKEN_TYPE,
} from './fuzz-schema.ts';

/** One object that exists. */
export interface WorldObject {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly kind: string | null;
  readonly label: string;
  readonly secret: string | null;
  readonly notes: Readonly<Record<string, string>> | null;
  readonly version: number;
  readonly parts: readonly { readonly size: number | null; readonly serial: number }[];
}

/** The provider calls that may fail. */
export type FaultMethod =
  | 'upgrade'
  | 'validate'
  | 'read'
  | 'plan'
  | 'create'
  | 'update'
  | 'delete'
  | 'lookup'
  | 'import'
  | 'move'
  | 'open';

/**
 * The failure of a call. `refuse`: an error without effect. `nothing`: the same, and the response contains no object.
 * `partial`: the call takes effect, and the response contains the object and an error. `lie`: the call takes effect, and
 * the response contains only an error. `throw` and `throw-late`: the provider crashes before or after the effect. `defer`:
 * where it may, the provider leaves what it is to plan, read or look up to a later run.
 */
export type FaultKind = 'refuse' | 'nothing' | 'partial' | 'lie' | 'throw' | 'throw-late' | 'defer';

/** Calls that fail: those about objects whose name begins so, from the `after`-th on. */
export interface WorldFault {
  readonly method: FaultMethod;
  readonly kind: FaultKind;
  readonly name: string;
  readonly after: number;
}

/** One change that was asked for: where it began and ended among all of them. */
export interface WorldCall {
  readonly action: 'create' | 'update' | 'delete';
  readonly address: string;
  /** of the object, of a new one once it is made */
  id: string;
  readonly began: number;
  /** Infinity while it goes on */
  ended: number;
  failed: boolean;
}

/** The value of all ephemeral attributes, to search for. */
export const EPHEMERAL_SECRET = 'EPHEMERAL-MARK';
/** The value of all sensitive attributes. */
export const SENSITIVE_SECRET = 'SENSITIVE-MARK';
/** The size above which a thing is of another kind. */
export const LARGE = 10;

/** The error of a crashing provider. */
class Breakdown extends Error {}

const NEVER = new Promise<never>(() => undefined);

/** The world that the providers of a run act on. */
export class FuzzWorld {
  readonly objects: Map<string, WorldObject> = new Map();
  /** objects that the answer to their creation did not tell of */
  readonly lost: Set<string> = new Set();
  /** objects that are gone, though nobody was told */
  readonly ghosts: Set<string> = new Set();
  calls: WorldCall[] = [];
  faults: readonly WorldFault[] = [];
  /** called when a change is asked for */
  onChange: () => void = () => undefined;
  /** of the provider, from 0 */
  release = 0;
  /** open ephemeral objects */
  opened = 0;
  #counts = new Map<WorldFault, number>();
  #next = 1;
  #moment = 0;
  #life = 0;
  #pace = 1;

  /** Begins a round: which calls fail, and how long each takes. */
  begin(faults: readonly WorldFault[], pace: number): void {
    this.faults = faults;
    this.#counts = new Map();
    this.#pace = pace + 1;
    this.calls = [];
    this.opened = 0;
    this.onChange = () => undefined;
  }

  /** The process that asked is gone: what has not taken effect never will. */
  die(): void {
    this.#life++;
  }

  /** Creates an object outside of Terrane. */
  add(object: Partial<WorldObject> & { readonly id: string }): void {
    const made = { name: 'stray', size: 1, kind: null, label: 'x', secret: null, notes: null };
    this.objects.set(object.id, { ...made, version: 1, parts: [], ...object });
  }

  /** Nobody remembers what was secret of an object that no state knows: nothing of it is, where it comes back. */
  declassify(id: string): void {
    const object = this.objects.get(id);
    if (object?.notes === null || object === undefined) return;
    const notes = Object.entries(object.notes).map(
      ([key, note]) => [key, note.replaceAll(SENSITIVE_SECRET, 'told')] as const,
    );
    this.objects.set(id, { ...object, notes: Object.fromEntries(notes) });
  }

  #fault(method: FaultMethod, name: string): FaultKind | undefined {
    for (const fault of this.faults) {
      if (fault.method !== method || fault.kind === 'defer' || !name.startsWith(fault.name))
        continue;
      const count = this.#counts.get(fault) ?? 0;
      this.#counts.set(fault, count + 1);
      if (count < fault.after) continue;
      if (fault.kind === 'throw') throw new Breakdown(`broke down in ${method}`);
      return fault.kind;
    }
    return undefined;
  }

  /** Returns the additional part of a response if the provider defers a change. */
  #deferral(
    method: FaultMethod,
    name: string,
    { deferralAllowed }: ClientCapabilities,
  ): Pick<PlanAnswer, 'deferred'> {
    const isDeferred =
      deferralAllowed &&
      this.faults.some(
        (fault) => fault.kind === 'defer' && fault.method === method && name.startsWith(fault.name),
      );
    return isDeferred ? { deferred: { reason: 'resource_config_unknown' } } : {};
  }

  /** Returns the identity of an object, if the release has identities. */
  #identity(state: Value): { readonly identity?: Value } {
    if (this.release === 0 || state.isNull) return {};
    return { identity: set(nullsOf(IDENTITY_TYPE), { id: state.attr('id') }) };
  }

  /** Calls take some turns, so that they overlap in many ways. */
  async #turns(): Promise<void> {
    this.#pace = (Math.imul(this.#pace, 1103515245) + 12345) >>> 0;
    const turns = (this.#pace >>> 8) % 40;
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    if (turns % 16 === 15) await new Promise((resolve) => setImmediate(resolve));
  }

  /** A provider over this world. */
  provider(): Provider {
    return {
      schema: () => fuzzSchema(this.release),
      validateProviderConfig: () => ({}),
      validateResourceConfig: ({ config }) =>
        this.#fault('validate', nameOf(config)) === undefined ? {} : refusal('validate'),
      validateDataSourceConfig: () => ({}),
      validateEphemeralResourceConfig: () => ({}),
      configure: () => ({}),
      upgradeResourceState: ({ json }) => {
        const state = valueOf(storedOf(json ?? '{}'));
        return this.#fault('upgrade', nameOf(state)) === undefined
          ? { state }
          : { state, ...refusal('upgrade') };
      },
      readResource: ({ prior, capabilities }) => {
        const deferral = this.#deferral('read', nameOf(prior), capabilities);
        if (deferral.deferred !== undefined) return { state: prior, ...deferral };
        const fault = this.#fault('read', nameOf(prior));
        const stored = this.objects.get(prior.attr('id').asString());
        const isPartial = fault === 'partial' || fault === 'lie';
        if (fault !== undefined && !isPartial) return { state: prior, ...refusal('read') };
        const state =
          stored === undefined
            ? nullOf(THING_TYPE)
            : valueOf({ ...stored, secret: prior.isNull ? null : textOf(prior.attr('secret')) });
        return {
          state,
          ...this.#identity(state),
          ...(isPartial ? refusal('read') : {}),
        };
      },
      planResourceChange: (request) => this.#plan(request),
      applyResourceChange: (request) => this.#apply(request),
      importResourceState: ({ type, id: importId = '', identity }) => {
        const id = identity === undefined ? importId : identity.attr('id').asString();
        if (this.#fault('import', id) !== undefined) return { imported: [], ...refusal('import') };
        const stub = set(nullsOf(THING_TYPE), { id: str(id) });
        return { imported: [{ type, state: stub, ...this.#identity(stub) }] };
      },
      moveResourceState: ({ sourceJson }) => {
        const state = valueOf(storedOf(sourceJson));
        return this.#fault('move', nameOf(state)) === undefined
          ? { state, ...this.#identity(state) }
          : { state: nullOf(THING_TYPE), ...refusal('move') };
      },
      readDataSource: ({ config, capabilities }) => {
        const query = config.attr('query').asString();
        const deferral = this.#deferral('lookup', query, capabilities);
        if (deferral.deferred !== undefined)
          return { state: set(config, { found: unknownOf(STRING) }), ...deferral };
        if (this.#fault('lookup', query) !== undefined) {
          return { state: nullOf(LOOKUP_TYPE), ...refusal('lookup') };
        }
        return { state: set(config, { found: str(`found ${query}`) }) };
      },
      openEphemeralResource: ({ config }) => {
        const name = nameOf(config);
        if (this.#fault('open', name) !== undefined) {
          return { result: nullOf(TOKEN_TYPE), ...refusal('open') };
        }
        this.opened++;
        return { result: set(config, { value: str(`${EPHEMERAL_SECRET} ${name}`) }) };
      },
      closeEphemeralResource: () => {
        this.opened--;
        return {};
      },
      stop: () => {},
      close: () => {},
    };
  }

  #plan(request: PlanResourceRequest): PlanAnswer {
    const { prior, proposed, capabilities } = request;
    const deferral = this.#deferral(
      'plan',
      nameOf(proposed.isNull ? prior : proposed),
      capabilities,
    );
    return { ...this.#planned(request), ...deferral };
  }

  #planned({ prior, proposed, config }: PlanResourceRequest): PlanAnswer {
    const fault = this.#fault('plan', nameOf(proposed.isNull ? prior : proposed));
    if (fault !== undefined) {
      return { planned: proposed, requiresReplace: [], ...refusal('plan') };
    }
    if (proposed.isNull) return { planned: proposed, requiresReplace: [] };
    const requiresReplace: Path[] = [[{ kind: 'attr', name: 'kind' }]];
    // Write-only values are never returned.
    const changed: Record<string, Value> = { token: nullOf(STRING) };
    if (!prior.isNull) {
      const [old, wanted] = [prior.attr('size'), proposed.attr('size')];
      const isCrossing =
        isNumber(old) && isNumber(wanted) && old.asInt() > LARGE !== wanted.asInt() > LARGE;
      // An unknown value might be set: it could not be required during apply.
      if (isCrossing || !wanted.isKnown) requiresReplace.push([{ kind: 'attr', name: 'size' }]);
      const [was, is] = [textOf(prior.attr('label')), proposed.attr('label')];
      if (is.isKnown && was !== null && textOf(is)?.toLowerCase() === was.toLowerCase())
        changed['label'] = prior.attr('label');
    }
    const parts = partsOf(proposed, (part) =>
      part.attr('serial').isNull ? set(part, { serial: unknownOf(NUMBER) }) : part,
    );
    if (parts !== undefined) changed['part'] = parts;
    if (prior.isNull) {
      changed['id'] = unknownOf(STRING);
      changed['version'] = unknownOf(NUMBER);
      if (config.attr('size').isNull) changed['size'] = unknownOf(NUMBER);
      if (config.attr('label').isNull) changed['label'] = unknownOf(STRING);
    } else if (!set(proposed, changed).rawEquals(prior)) {
      changed['version'] = unknownOf(NUMBER);
    }
    return { planned: set(proposed, changed), requiresReplace };
  }

  async #apply({ prior, planned, address = '' }: ApplyResourceRequest): Promise<ApplyAnswer> {
    const action = planned.isNull ? 'delete' : prior.isNull ? 'create' : 'update';
    const id = prior.isNull ? '' : prior.attr('id').asString();
    const began = this.#moment++;
    const call: WorldCall = { action, address, id, began, ended: Infinity, failed: false };
    this.calls.push(call);
    this.onChange();
    const life = this.#life;
    await this.#turns();
    if (life !== this.#life) return await NEVER;
    try {
      const answer = this.#answer(call, prior, planned);
      return { ...answer, ...this.#identity(answer.state) };
    } finally {
      call.ended = this.#moment++;
    }
  }

  #answer(call: WorldCall, prior: Value, planned: Value): ApplyAnswer {
    const { action } = call;
    call.failed = true;
    const fault = this.#fault(action, nameOf(planned.isNull ? prior : planned));
    if (fault === 'refuse') return { state: prior, ...refusal(action) };
    if (fault === 'nothing') return { state: nullOf(THING_TYPE), ...refusal(action) };
    if (action === 'update' && !this.objects.has(call.id)) {
      return { state: prior, ...refusal('find') };
    }
    const state = this.#change(call, prior, planned);
    if (fault === undefined) {
      call.failed = false;
      return { state };
    }
    if (action === 'create') {
      if (fault === 'partial') return { state, ...refusal(action) };
      this.lost.add(call.id);
    }
    if (action === 'delete') this.ghosts.add(call.id);
    if (fault === 'throw-late') throw new Breakdown(`broke down after ${action}`);
    if (fault === 'partial' && action === 'update') return { state, ...refusal(action) };
    const answer = fault === 'lie' || action === 'create' ? nullOf(THING_TYPE) : prior;
    return { state: answer, ...refusal(action) };
  }

  #change(call: WorldCall, prior: Value, planned: Value): Value {
    if (planned.isNull) {
      this.objects.delete(call.id);
      return planned;
    }
    if (prior.isNull) call.id = `id-${this.#next++}`;
    const { size, label, version } = { size: 1, label: 'none', version: 0, ...numbersOf(prior) };
    let serial = 0;
    const known = set(planned, {
      id: str(call.id),
      size: planned.attr('size').isKnown ? planned.attr('size') : number(size),
      label: planned.attr('label').isKnown ? planned.attr('label') : str(label),
      version: planned.attr('version').isKnown ? planned.attr('version') : number(version + 1),
    });
    const parts = partsOf(known, (part) => {
      serial++;
      return part.attr('serial').isKnown ? part : set(part, { serial: number(serial) });
    });
    const state = parts === undefined ? known : set(known, { part: parts });
    const made = plainOf(state);
    this.objects.set(call.id, { ...made, label: made.label.toLowerCase() });
    return state;
  }
}

function refusal(what: string): { readonly diagnostics: readonly ProviderDiagnostic[] } {
  return {
    diagnostics: [{ severity: 'error', summary: `Cannot ${what}`, detail: 'It is refused.' }],
  };
}

function isNumber(value: Value): boolean {
  return value.isKnown && !value.isNull;
}

function nameOf(value: Value): string {
  return value.isNull ? '?' : (textOf(value.attr('name')) ?? '?');
}

/** The text of a known string; null for everything else. */
function textOf(value: Value): string | null {
  return value.isKnown && !value.isNull ? value.asString() : null;
}

function numbersOf(prior: Value): Partial<{ size: number; label: string; version: number }> {
  return prior.isNull ? {} : plainOf(prior);
}

/** The object with some attributes set. */
function set(value: Value, changed: Readonly<Record<string, Value>>): Value {
  const { type } = value;
  if (type.kind !== 'object') throw new Error('not an object');
  return objectOf(
    type,
    type.names.map((name) => changed[name] ?? value.attr(name)),
  );
}

function nullsOf(type: ObjectType): Value {
  return objectOf(
    type,
    type.types.map((of) => (of.kind === 'list' ? list(of.element, []) : nullOf(of))),
  );
}

function partsOf(thing: Value, change: (part: Value) => Value): Value | undefined {
  const parts = thing.attr('part');
  if (!parts.isKnown || parts.isNull) return undefined;
  return list(PART_TYPE, parts.elements().map(change));
}

function plainOf(value: Value): WorldObject {
  const int = (of: Value): number | null => (of.isKnown && !of.isNull ? of.asInt() : null);
  const notes = value.attr('notes');
  return {
    id: textOf(value.attr('id')) ?? '',
    name: nameOf(value),
    size: int(value.attr('size')) ?? 1,
    kind: textOf(value.attr('kind')),
    label: textOf(value.attr('label')) ?? '',
    secret: textOf(value.attr('secret')),
    notes: notes.isNull
      ? null
      : Object.fromEntries(notes.entries().map(([key, note]) => [key.asString(), note.asString()])),
    version: int(value.attr('version')) ?? 0,
    parts: value
      .attr('part')
      .elements()
      .map((part) => ({
        size: int(part.attr('size')),
        serial: int(part.attr('serial')) ?? 0,
      })),
  };
}

type Stored = { readonly [name in keyof WorldObject]?: WorldObject[name] | null };

function storedOf(json: string): Stored {
  // Written by this provider.
  const { part, ...rest } = JSON.parse(json) as Stored & { part?: WorldObject['parts'] };
  return { ...rest, parts: part ?? [] };
}

function valueOf(stored: Stored): Value {
  const text = (of: string | null | undefined): Value =>
    of === null || of === undefined ? nullOf(STRING) : str(of);
  const int = (of: number | null | undefined): Value =>
    of === null || of === undefined ? nullOf(NUMBER) : number(of);
  const { notes } = stored;
  const parts = (stored.parts ?? []).map((part) =>
    set(nullsOf(PART_TYPE), { size: int(part.size), serial: int(part.serial) }),
  );
  return set(nullsOf(THING_TYPE), {
    id: text(stored.id),
    name: text(stored.name),
    size: int(stored.size),
    kind: text(stored.kind),
    label: text(stored.label),
    secret: text(stored.secret),
    version: int(stored.version),
    part: list(PART_TYPE, parts),
    ...(notes === null || notes === undefined
      ? {}
      : {
          notes: map(
            STRING,
            Object.entries(notes).map(([key, note]) => [key, str(note)] as const),
          ),
        }),
  });
}
