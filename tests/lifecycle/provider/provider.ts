// A provider whose objects can be told, by a file beside the project, to do everything that an object can do in its
// life: drift, vanish, fail half-way, ask for replacement, normalise, break the rules. Each call that it gets is
// written to a log. It is written against the contract itself.
import { join } from 'node:path';
import { attrStep, nullOf, NUMBER, number, object, str, STRING } from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import { emptyValue } from '@terrane/provider';
import type {
  Answer,
  ApplyAnswer,
  ApplyResourceRequest,
  Awaitable,
  ImportAnswer,
  ImportRequest,
  MoveAnswer,
  MoveRequest,
  PlanAnswer,
  PlanResourceRequest,
  Provider,
  ReadAnswer,
  ReadDataAnswer,
  ReadDataRequest,
  ReadRequest,
  UpgradeAnswer,
  UpgradeRequest,
} from '@terrane/provider';
import {
  known,
  unknownComputed,
  withAttributes,
  withoutWriteOnly,
} from '../../served/test-provider/computed-values.ts';
import { brief, CallLog } from './call-log.ts';
import { Cloud } from './cloud.ts';
import { behaviourOf, changedBy, diagnosticsOf } from './control.ts';
import type { Behaviour } from './control.ts';
import { upgraded } from './older-states.ts';
import { LOOKUP, SCHEMA, schemaOf } from './schemas.ts';

export const ADDRESS = 'example.com/terrane/life';
export const VERSION = '1.0.0';

/** The environment of a provider, determined anew for each call. */
export interface Surroundings {
  /** The folder of the project, which has `control.json` and the objects. */
  readonly directory: string;
  /** The file that calls are written to. */
  readonly log: string;
  /** The name of the process in the log. */
  readonly place: string;
  /** True if the current call belongs to an apply. */
  readonly applying: boolean;
  /**
   * Waits before a call about an object of this id, or else name, ends; undefined: at once. `call` is how the log has
   * it.
   */
  readonly wait: (object: string, call: string) => Promise<void> | undefined;
}

/** Creates the provider. */
export function lifecycleProvider(around: Surroundings): Provider {
  const life = new Life(around);
  return {
    schema: () => SCHEMA,
    validateProviderConfig: () => ({}),
    configure: ({ config }) =>
      life.call(
        'provider',
        `configure ${brief(config)}`,
        ['configure'],
        (behaviour) => ({ diagnostics: life.configure(config, behaviour) }),
        `provider ${textOf(config, 'region') ?? ''}`,
      ),
    validateResourceConfig: ({ type, config }) => {
      const name = textOf(config, 'name') ?? '?';
      return life.call(
        name,
        `validate ${type}.${name} ${brief(config)}`,
        ['validate'],
        (behaviour) => ({
          diagnostics: diagnosticsOf(behaviour, 'validation', name),
        }),
      );
    },
    validateDataSourceConfig: ({ type, config }) => {
      const name = `data.${textOf(config, 'name') ?? '?'}`;
      return life.call(
        name,
        `validate data.${type} ${brief(config)}`,
        ['validate'],
        (behaviour) => ({
          diagnostics: diagnosticsOf(behaviour, 'validation', name),
        }),
      );
    },
    upgradeResourceState: (request) => life.upgrade(request),
    readResource: (request) => life.read(request),
    planResourceChange: (request) => life.plan(request),
    applyResourceChange: (request) => life.apply(request),
    importResourceState: (request) => life.import(request),
    moveResourceState: (request) => life.move(request),
    readDataSource: (request) => life.readData(request),
    stop: () => {},
    close: () => {},
  };
}

class Life {
  readonly #around: Surroundings;
  readonly #log: CallLog;
  #region = '';

  constructor(around: Surroundings) {
    this.#around = around;
    this.#log = new CallLog(() => around.log, around.place);
  }

  get #cloud(): Cloud {
    return new Cloud(join(this.#around.directory, 'cloud'));
  }

  /** Answers a call: logs it, waits as long as it takes, and does what it is told. */
  call<T extends Answer>(
    name: string,
    what: string,
    occasions: readonly string[],
    answer: (behaviour: Behaviour) => T,
    object: string = name,
  ): Awaitable<T> {
    const behaviour = behaviourOf(join(this.#around.directory, 'control.json'), name, occasions);
    const where = this.#region === '' ? '' : ` in ${this.#region}`;
    const call = `${what}${where}`;
    const id = this.#log.begin(call);
    const finish = (): T => {
      if (behaviour.throw === true) {
        this.#log.end(id, 'thrown');
        throw new Error(`the service of ${name} is ill`);
      }
      const result = answer(behaviour);
      this.#log.end(id, answerText(result));
      return result;
    };
    const wait =
      behaviour.slow === undefined
        ? this.#around.wait(object, call)
        : new Promise<void>((resolve) => {
            setTimeout(resolve, behaviour.slow);
          });
    return wait === undefined ? finish() : wait.then(finish);
  }

  configure(config: Value, behaviour: Behaviour): Answer['diagnostics'] & object {
    this.#region = textOf(config, 'region') ?? '';
    return diagnosticsOf(behaviour, 'configuration', this.#region);
  }

  /** Names of an occasion, which while applying is another one first. */
  #occasions(...names: readonly string[]): string[] {
    return this.#around.applying ? [...names.map((each) => `re${each}`), ...names] : [...names];
  }

  upgrade(request: UpgradeRequest): Awaitable<UpgradeAnswer> {
    const { type, version, json, flatmap } = request;
    const stored: Readonly<Record<string, unknown>> =
      json === undefined ? (flatmap ?? {}) : (JSON.parse(json) as Record<string, unknown>);
    const name = typeof stored['name'] === 'string' ? stored['name'] : '?';
    const form = json === undefined ? ' flatmap' : '';
    const what = `upgrade ${type}.${name} ${String(stored['id'])} from ${version}${form}`;
    return this.call(
      name,
      what,
      this.#occasions('upgrade'),
      (behaviour) => {
        const { block } = schemaOf(type);
        const state = upgraded(type, version, stored);
        const diagnostics = diagnosticsOf(behaviour, 'upgrade', name);
        return { state: changedBy(behaviour, block, state, state), diagnostics };
      },
      typeof stored['id'] === 'string' ? stored['id'] : undefined,
    );
  }

  read(request: ReadRequest): Awaitable<ReadAnswer> {
    const { type, prior, private: kept, identity } = request;
    const name = textOf(prior, 'name') ?? textOf(prior, 'id') ?? '?';
    const what = `read ${type}.${name} ${brief(prior)} private=${bytesText(kept)}${identityText(identity)}`;
    return this.call(
      name,
      what,
      this.#occasions('read'),
      (behaviour) => {
        const schema = schemaOf(type);
        const id = textOf(prior, 'id') ?? '';
        if (behaviour.drift !== undefined) this.#drift(type, id, behaviour.drift);
        const stored = this.#cloud.get(id, schema);
        const state = stored === undefined ? nullOf(prior.type) : asRead(stored, prior);
        const answered = changedBy(behaviour, schema.block, state, prior);
        return {
          state: answered,
          diagnostics: diagnosticsOf(behaviour, 'reading', name),
          ...privately(behaviour, kept),
          ...identityOf(type, answered),
        };
      },
      textOf(prior, 'id'),
    );
  }

  plan(request: PlanResourceRequest): Awaitable<PlanAnswer> {
    const { type, prior, proposed, config, priorPrivate, priorIdentity } = request;
    const action = proposed.isNull ? 'delete' : prior.isNull ? 'create' : 'update';
    const name = textOf(proposed.isNull ? prior : proposed, 'name') ?? '?';
    const values = proposed.isNull
      ? brief(prior)
      : `${brief(prior)} -> ${brief(proposed)} config=${brief(config)}`;
    const what = `plan ${action} ${type}.${name} ${values} private=${bytesText(priorPrivate)}${identityText(priorIdentity)}`;
    return this.call(
      name,
      what,
      this.#occasions(`plan ${action}`, 'plan'),
      (behaviour) => {
        const { block } = schemaOf(type);
        const diagnostics = diagnosticsOf(behaviour, 'planning', name);
        const good = proposed.isNull ? proposed : planned(type, prior, proposed);
        const plan = changedBy(behaviour, block, good, prior);
        const replaces = [...replacedBy(type, prior, plan), ...(behaviour.replace ?? [])];
        return {
          planned: plan,
          requiresReplace: prior.isNull ? [] : replaces.map((each): Path => [attrStep(each)]),
          diagnostics,
          ...privately(behaviour, bytesOf(`${textOfBytes(priorPrivate)}p`)),
          ...(plan.isNull || plan.type !== good.type ? {} : identityOf(type, plan)),
        };
      },
      textOf(prior, 'id'),
    );
  }

  apply(request: ApplyResourceRequest): Awaitable<ApplyAnswer> {
    const { type, prior, planned: plan, config, plannedPrivate, plannedIdentity } = request;
    const action = plan.isNull ? 'delete' : prior.isNull ? 'create' : 'update';
    const name = textOf(plan.isNull ? prior : plan, 'name') ?? '?';
    const values = plan.isNull
      ? brief(prior)
      : `${brief(prior)} -> ${brief(plan)} config=${brief(config)}`;
    const what = `apply ${action} ${type}.${name} ${values} private=${bytesText(plannedPrivate)}${identityText(plannedIdentity)}`;
    return this.call(
      name,
      what,
      [action, 'apply'],
      (behaviour) => {
        const { block } = schemaOf(type);
        const diagnostics = diagnosticsOf(behaviour, `to ${action}`, name);
        const refused = behaviour.error === 'before';
        const done = refused ? prior : this.#do(type, prior, plan);
        const state = changedBy(behaviour, block, done, prior);
        if (!refused && !state.isNull && state.isWhollyKnown() && state.type === done.type)
          this.#store(type, state);
        return {
          state,
          diagnostics,
          ...privately(behaviour, bytesOf(`${textOfBytes(plannedPrivate)}a`)),
          ...(state.type === done.type ? identityOf(type, state) : {}),
        };
      },
      textOf(prior, 'id'),
    );
  }

  import(request: ImportRequest): Awaitable<ImportAnswer> {
    const { type, id: importId, identity } = request;
    const id = importId ?? this.#cloud.newest(textOf(identity, 'name') ?? '') ?? '';
    return this.call(
      id,
      `import ${type} ${id}${identityText(identity)}`,
      ['import'],
      (behaviour) => {
        const { block } = schemaOf(type);
        const stub = withAttributes(emptyValue(block), { id: str(id) });
        const diagnostics = diagnosticsOf(behaviour, 'import', id);
        if (behaviour.null === true) return { imported: [], diagnostics };
        const state = changedBy(behaviour, block, stub, stub);
        const name = id.slice(0, id.lastIndexOf('-'));
        const region = this.#cloud.plain(id)?.['region'];
        const known =
          type === 'life_named' && typeof region === 'string'
            ? { identity: object({ region: str(region), name: str(name) }) }
            : {};
        return {
          imported: [{ type, state, private: bytesOf('i'), ...known }],
          diagnostics,
        };
      },
    );
  }

  move(request: MoveRequest): Awaitable<MoveAnswer> {
    const { sourceProvider, sourceType, sourceVersion, sourceJson, sourcePrivate } = request;
    const { targetType: type } = request;
    const stored = JSON.parse(sourceJson) as Readonly<Record<string, unknown>>;
    const name = String(stored['name'] ?? stored['input'] ?? '?');
    const what = `move ${sourceType}.${name} ${sourceVersion} to ${type} private=${bytesText(sourcePrivate)}`;
    return this.call(name, what, ['move'], (behaviour) => {
      const { block } = schemaOf(type);
      const state = withAttributes(emptyValue(block), {
        name: str(name),
        id: str(String(stored['id'] ?? '?')),
        ...(type === 'life_heir' ? { from: str(`${sourceProvider} ${sourceType}`) } : {}),
      });
      const diagnostics = diagnosticsOf(behaviour, 'moving', name);
      return {
        state: changedBy(behaviour, block, state, state),
        diagnostics,
        private: bytesOf('m'),
      };
    });
  }

  readData(request: ReadDataRequest): Awaitable<ReadDataAnswer> {
    const { type, config } = request;
    const name = `data.${textOf(config, 'name') ?? '?'}`;
    const what = `read data.${type} ${brief(config)}`;
    return this.call(name, what, this.#occasions('read'), (behaviour) => {
      const id = textOf(config, 'id') ?? this.#cloud.newest(textOf(config, 'name') ?? '') ?? '';
      const stored = this.#cloud.plain(id);
      const state = withAttributes(config, {
        id: stored === undefined ? nullOf(STRING) : str(id),
        note: typeof stored?.['note'] === 'string' ? str(stored['note']) : nullOf(STRING),
        revision:
          typeof stored?.['revision'] === 'number' ? number(stored['revision']) : nullOf(NUMBER),
      });
      const diagnostics = diagnosticsOf(behaviour, 'looking', name);
      if (stored === undefined && behaviour.set === undefined)
        diagnostics.push({
          severity: 'error',
          summary: 'nothing was found',
          detail: `There is no ${id === '' ? name : id}.`,
        });
      return { state: changedBy(behaviour, LOOKUP.block, state, config), diagnostics };
    });
  }

  /** Makes, changes or removes the object, and gives what it is now. */
  #do(type: string, prior: Value, plan: Value): Value {
    if (plan.isNull) {
      this.#cloud.remove(textOf(prior, 'id') ?? '');
      return plan;
    }
    const name = textOf(plan, 'name') ?? '?';
    const id = prior.isNull ? str(this.#cloud.newId(name)) : prior.attr('id');
    const { attributes } = schemaOf(type).block;
    const changes: Record<string, Value> = { id };
    if (attributes['revision'] !== undefined) {
      const before =
        prior.isNull || prior.attr('revision').isNull ? 0 : prior.attr('revision').asInt();
      const promised = plan.attr('revision');
      changes['revision'] = promised.isKnown ? promised : number(before + 1);
    }
    if (attributes['zone'] !== undefined && !plan.attr('zone').isKnown)
      changes['zone'] = str('zone-1');
    return known(withAttributes(plan, changes));
  }

  #store(type: string, state: Value): void {
    const schema = schemaOf(type);
    const hidden = schema.block.attributes['code'] === undefined ? {} : { code: nullOf(STRING) };
    this.#cloud.put(textOf(state, 'id') ?? '', withAttributes(state, hidden), schema);
  }

  #drift(type: string, id: string, changes: Readonly<Record<string, unknown>>): void {
    const schema = schemaOf(type);
    const stored = this.#cloud.get(id, schema);
    if (stored !== undefined)
      this.#cloud.put(id, changedBy({ set: changes }, schema.block, stored, stored), schema);
  }
}

/** Plans as a correct provider. */
function planned(type: string, prior: Value, proposed: Value): Value {
  const { block } = schemaOf(type);
  let plan = withoutWriteOnly(block, proposed);
  if (prior.isNull) return unknownComputed(block, plan);
  if (block.attributes['label'] !== undefined && sameText(prior.attr('label'), plan.attr('label')))
    plan = withAttributes(plan, { label: prior.attr('label') });
  if (plan.rawEquals(prior)) return prior;
  if (block.attributes['revision'] !== undefined)
    plan = withAttributes(plan, { revision: nullOf(NUMBER) });
  return unknownComputed(block, plan);
}

/** Returns the attributes that a correct provider cannot update in place. */
function replacedBy(type: string, prior: Value, plan: Value): string[] {
  if (prior.isNull || plan.isNull || plan.type !== prior.type) return [];
  const has = (name: string): boolean => schemaOf(type).block.attributes[name] !== undefined;
  const changed = ['name', 'kind', 'region'].filter(
    (name) => has(name) && !prior.attr(name).rawEquals(plan.attr(name)),
  );
  return has('size') && isSmaller(plan.attr('size'), prior.attr('size'))
    ? [...changed, 'size']
    : changed;
}

function isSmaller(a: Value, b: Value): boolean {
  return isThere(a) && isThere(b) && a.asInt() < b.asInt();
}

function isThere(v: Value): boolean {
  return v.isKnown && !v.isNull;
}

function sameText(a: Value, b: Value): boolean {
  if (!isThere(a) || !isThere(b)) return false;
  const plain = (v: Value): string => v.asString().trim().replaceAll(/\s+/g, ' ').toLowerCase();
  return plain(a) === plain(b);
}

/** Returns the object of the service, with values that it does not return, and in the known spelling. */
function asRead(stored: Value, prior: Value): Value {
  const changes: Record<string, Value> = {};
  if (prior.type !== stored.type) return stored;
  const { attributes } = { attributes: new Set(Object.keys(attributesOf(stored))) };
  if (attributes.has('code')) changes['code'] = prior.attr('code');
  if (attributes.has('label') && sameText(stored.attr('label'), prior.attr('label')))
    changes['label'] = prior.attr('label');
  return withAttributes(stored, changes);
}

function attributesOf(v: Value): Readonly<Record<string, Value>> {
  return Object.fromEntries(v.entries().map(([key, each]) => [key.asString(), each] as const));
}

function textOf(v: Value | undefined, name: string): string | undefined {
  if (v === undefined || v.isNull || !v.isKnown) return undefined;
  const attribute = v.attr(name);
  return isThere(attribute) ? attribute.asString() : undefined;
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}

function textOfBytes(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}

function bytesText(bytes: Uint8Array | undefined): string {
  return bytes === undefined || bytes.length === 0 ? '-' : textOfBytes(bytes);
}

function privately(behaviour: Behaviour, kept: Uint8Array | undefined): { private?: Uint8Array } {
  if (behaviour.private !== undefined) return { private: bytesOf(behaviour.private) };
  return kept === undefined ? {} : { private: kept };
}

function identityText(identity: Value | undefined): string {
  return identity === undefined || identity.isNull ? '' : ` identity=${brief(identity)}`;
}

function identityOf(type: string, v: Value): { identity?: Value } {
  if (type !== 'life_named' || v.isNull || !v.isKnown) return {};
  const [region, name] = [v.attr('region'), v.attr('name')];
  return isThere(region) && isThere(name) ? { identity: object({ region, name }) } : {};
}

/** Returns the result of a call, abbreviated. */
function answerText(answer: Answer): string {
  const parts: string[] = [];
  const {
    state,
    planned: plan,
    requiresReplace,
    private: kept,
    imported,
  } = answer as Partial<ReadAnswer & PlanAnswer & ImportAnswer>;
  if (state !== undefined) parts.push(brief(state));
  if (plan !== undefined) parts.push(brief(plan));
  for (const each of imported ?? []) parts.push(brief(each.state));
  if (requiresReplace !== undefined && requiresReplace.length > 0)
    parts.push(
      `replace=${requiresReplace.map((path) => path.map((step) => (step.kind === 'attr' ? step.name : '')).join('.')).join(',')}`,
    );
  if (kept !== undefined) parts.push(`private=${textOfBytes(kept)}`);
  for (const { severity, summary } of answer.diagnostics ?? [])
    parts.push(`${severity}: ${summary}`);
  return parts.join(' ');
}
