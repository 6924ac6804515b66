import {
  type Attributes,
  type Blocks,
  Deadline,
  type Gone,
  gone,
  isNotFound,
  isUnknown,
  type ListedObject,
  type Log,
  NotFoundError,
  operationTimeout,
  RemoteObject,
  string,
  type ToBeRead,
  toBeRead,
  unknown,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { tagChange, tagsOf, withoutIgnored } from '../tags/tags.ts';
import type { Around, AwsResourceOptions, Reading, Storing } from './resource-options.ts';
import { AmazonForm } from './amazon-form.ts';
import type { Fields } from './fields.ts';
import { conflictingNames, prefixOf } from './names.ts';
import { asStored } from './as-stored.ts';
import { asWritten } from './as-written.ts';
import { knownOf, textIn, textsIn } from './known-fields.ts';
import { identityOf, identityWith, importedBy } from './listing.ts';
import { schemaOf, type SchemaParts } from './schema-of.ts';
import { readState } from './seen.ts';

// The types of handlers are those of their schema, which are checked at their definition. Here objects of all schemas
// are handled uniformly.

type Options = AwsResourceOptions<Attributes, Blocks, unknown>;

/** The parts of the SDK's contexts that are used here. */
interface Context {
  readonly client: Aws;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly warn: (summary: string, detail?: string) => void;
  readonly timeout: number;
  readonly progress?: (note: string) => void;
}

interface Changing extends Context {
  readonly plan: Fields;
  readonly config: Fields;
  readonly state: Fields;
  readonly changed: (at: string) => boolean;
  readonly save: (soFar: Fields) => void;
}

type Importing = Context &
  (
    | { readonly id: string; readonly identity: undefined }
    | { readonly id: undefined; readonly identity: Fields }
  );

interface Listing extends Omit<Context, 'warn' | 'timeout'> {
  readonly config: Fields;
  readonly includeResource: boolean;
}

interface Planning {
  readonly client: Aws;
  readonly signal: AbortSignal;
  readonly plan: Fields;
  readonly config: Fields;
  readonly state: Fields | null;
  readonly changed: (at: string) => boolean;
  readonly requireReplace: (at: string) => void;
}

/** The definition of a resource type for the SDK. */
export function runtimeOf(options: Options): object {
  const runtime = new Runtime(options);
  const { attributes, blocks, version, validators, list } = options;
  const identity = identityOf(options);
  const isRegional = Object.hasOwn(attributes, 'region');
  return {
    olderTypeSystem: true,
    attributes,
    ...(blocks && { blocks }),
    ...(version !== undefined && { version }),
    validators: [...(validators ?? []), ...conflictingNames(attributes)],
    modifyPlan: (context: Planning) => runtime.plan(context),
    create: (context: Changing) => runtime.create(context),
    read: (context: Context & { readonly state: Fields }) => runtime.read(context),
    update: (context: Changing) => runtime.update(context),
    delete: (context: Context & { readonly state: Fields }) => runtime.delete(context),
    import: (context: Importing) => runtime.import(context),
    ...(identity && { identity }),
    ...(list && {
      list: {
        attributes: isRegional ? { region: string({ optional: true }) } : {},
        list: (context: Listing) => runtime.list(context, list),
      },
    }),
  };
}

class Runtime {
  readonly #options: Options;
  readonly #taggable: boolean;
  readonly #regional: boolean;
  readonly #schema: SchemaParts;
  /** values of an imported object that Amazon does not return */
  readonly #defaults: Fields;
  /** an object without values, as imports are read with */
  readonly #unset: Fields;
  /** the conversion of the arguments */
  readonly #form: AmazonForm;
  /** arguments and blocks that `update` changes */
  readonly #changeable: readonly string[];

  constructor(options: Options) {
    this.#options = options;
    const { attributes, blocks = {}, amazon = {}, casing } = options;
    this.#changeable = [...Object.keys(attributes), ...Object.keys(blocks)].filter(
      (name) => name !== 'tags' && name !== 'tags_all' && name !== 'timeouts',
    );
    this.#schema = schemaOf(attributes, blocks);
    this.#form = new AmazonForm(this.#schema, amazon, casing);
    this.#taggable = Object.hasOwn(attributes, 'tags_all');
    this.#regional = Object.hasOwn(attributes, 'region');
    this.#unset = Object.fromEntries([
      ...Object.keys(attributes).map((name) => [name, null]),
      ...Object.entries(blocks).map(([name, { definition }]) => [
        name,
        definition.nesting === 'list' || definition.nesting === 'set' ? [] : null,
      ]),
    ]) as Fields;
    this.#defaults = Object.fromEntries(
      Object.entries(attributes).flatMap(([name, { definition, codec }]) =>
        definition.default === undefined ? [] : [[name, codec.read(definition.default)]],
      ),
    );
  }

  plan(context: Planning): Fields {
    const { client, signal, config, state, requireReplace } = context;
    const changes: Record<string, unknown> = {};
    if (this.#regional && !isUnknown(config['region'])) {
      const region = textIn(config, 'region') ?? client.region;
      const previous = state === null ? undefined : textIn(state, 'region');
      changes['region'] = region;
      if (previous !== undefined && previous !== region) requireReplace('region');
    }
    if (this.#taggable) changes['tags_all'] = this.#allTags(client, config['tags']);
    const plan = { ...context.plan, ...changes };
    const aws = client.in(this.#regional ? (textIn(plan, 'region') ?? null) : null, signal);
    const changed = anyOf(context.changed);
    const more = this.#options.plan?.({
      aws,
      plan,
      config: config as never,
      state: state as never,
      changed,
      requireReplace: requireReplace as never,
    });
    return { ...changes, ...more };
  }

  /** Returns all tags, unknown if any configured tag is unknown. */
  #allTags(client: Aws, written: unknown): unknown {
    const configuredTags = written ?? {};
    if (isUnknown(configuredTags) || Object.values(configuredTags).some(isUnknown))
      return unknown();
    const all = { ...client.defaultTags, ...textsIn({ tags: configuredTags }, 'tags') };
    return withoutIgnored(all, client.ignoredTags);
  }

  async create(context: Changing): Promise<Fields> {
    const { plan, save } = context;
    const options = this.#options;
    const label = options.label?.(plan as never) ?? textIn(plan, 'name') ?? 'new';
    const deadline = deadlineOf(context, plan, 'create');
    const around = this.#around(context, plan, label, deadline);
    const change = { ...this.#change(context, around), tags: textsIn(plan, 'tags_all') };
    const made = await around.object.operation('creating', () => options.create(change as never));
    const first: Fields = typeof made === 'string' ? { id: made } : made;
    const id = textIn(first, 'id') ?? '';
    save({ ...first, ...(this.#regional && { region: around.aws.region }) });
    const object = around.object.as(id);
    const known = { ...this.#known(plan), ...first };
    await this.#ready({ ...around, object, id, ...this.#stored(known), isNew: true }, context);
    await object.operation('creating', () => options.created?.({ ...change, object, id } as never));
    return this.#present(await this.#look(context, known, true, deadline));
  }

  /** Waits until an object is ready that has a new id. */
  async #ready(reading: Reading<never>, { timeout }: Context): Promise<void> {
    const { find, ready } = this.#options;
    if (ready === undefined) return;
    const { state, pending = [], target, timeout: least = timeout, ...polling } = ready;
    await reading.object.waitFor('creation', {
      ...polling,
      pending,
      target,
      timeout: Math.min(timeout, least),
      refresh: readState(() => find(reading), state),
    });
  }

  async read(context: Context & { readonly state: Fields }): Promise<Fields | Gone> {
    const { state } = context;
    return await this.#look(context, state, false, deadlineOf(context, state, 'read'));
  }

  async #look(
    context: Context,
    state: Fields,
    isNew: boolean,
    deadline: Deadline | undefined,
  ): Promise<Fields | Gone> {
    const options = this.#options;
    const id = textIn(state, 'id') ?? '';
    const around = this.#around(context, state, id, deadline);
    const reading = { ...around, id, ...this.#stored(state), isNew };
    const find = async (): Promise<Fields | undefined> => {
      const remote = await options.find(reading);
      if (remote === undefined || remote === null) return undefined;
      const plain = options.amazon === undefined ? {} : this.#plain(remote);
      return { ...plain, ...(await options.read?.(remote, reading)) };
    };
    const { missingFor, visibleWithin } = options;
    const read = await around.object.read(
      find,
      isNew
        ? { isNew, ...(visibleWithin !== undefined && { timeout: visibleWithin }) }
        : { warn: context.warn, ...(missingFor !== undefined && { missingFor }) },
    );
    if (read === gone) return gone;
    const { tags, ...rest } = read as Fields;
    const name = textIn(rest, 'name');
    const named = Object.hasOwn(options.attributes, 'name_prefix') && name !== undefined;
    const known = {
      ...(named && { name_prefix: prefixOf(name) ?? '' }),
      ...rest,
      // Older states do not say the region.
      ...(this.#regional && { region: around.aws.region }),
    };
    return { ...state, ...this.#asStored({ ...known, ...this.#tags(tags, state, around) }) };
  }

  /** Splits returned tags into those of the object and those of the provider block. */
  #tags(tags: unknown, state: Fields, { aws }: Around): Fields {
    if (tags === undefined) return {};
    if (!this.#taggable) return { tags };
    return aws.splitTags(tagsOf(tags as never), textsIn(state, 'tags'));
  }

  #asStored(read: Fields): Fields {
    return asStored(this.#schema, read, this.#options.newerSdk === true);
  }

  /** Returns the arguments of an object, by the names in `amazon`. */
  #plain(remote: unknown): Fields {
    const tags = this.#taggable ? Reflect.get(Object(remote), 'Tags') : undefined;
    return { ...this.#form.read(remote), ...(this.#taggable && { tags: tags ?? [] }) };
  }

  async update(context: Changing): Promise<Fields> {
    const { plan, state } = context;
    const { retag, update } = this.#options;
    const id = textIn(state, 'id') ?? '';
    const deadline = deadlineOf(context, plan, 'update');
    const around = this.#around(context, state, id, deadline);
    const change = tagChange(textsIn(state, 'tags_all'), textsIn(plan, 'tags_all'));
    const retagged = change.removed.length > 0 || Object.keys(change.set).length > 0;
    if (retagged && retag !== undefined) {
      const reading = { ...around, id, ...this.#stored(state), isNew: false };
      await around.object.operation('updating tags of', () => retag(reading, change));
    }
    let changedId: unknown;
    const others = this.#changeable.some((name) => context.changed(name));
    if (update !== undefined && (others || retag === undefined)) {
      const changes = (more: object = {}): object => ({
        ...this.#form.request(plan, (name) => context.changed(name)),
        ...more,
      });
      const changing = { ...this.#change(context, around), id, state, changes };
      changedId = await around.object.operation('updating', () => update(changing as never));
    }
    const now = typeof changedId === 'string' ? changedId : id;
    const known = { ...this.#known(plan), id: now };
    if (now !== id) {
      const object = around.object.as(now);
      await this.#ready(
        { ...around, object, id: now, ...this.#stored(known), isNew: true },
        context,
      );
    }
    return this.#present(await this.#look(context, known, now !== id, deadline));
  }

  async delete(context: Context & { readonly state: Fields }): Promise<void> {
    const { state, timeout } = context;
    const id = textIn(state, 'id') ?? '';
    const around = this.#around(context, state, id, deadlineOf(context, state, 'delete'));
    const deletion = { ...around, id, ...this.#stored(state), timeout };
    try {
      const { delete: destroy, find, gone: how } = this.#options;
      const stays = await around.object.operation('deleting', () => destroy(deletion));
      if (stays === false || how === undefined) return;
      const reading = { ...around, id, ...this.#stored(state), isNew: false };
      const { pending = ['exists'], state: stateOf = () => 'exists', ...others } = how;
      const { timeout: most = timeout, ...polling } = others;
      const within = Math.min(timeout, most);
      const refresh = readState(() => find(reading), stateOf);
      await around.object.waitForDeletion({ ...polling, pending, timeout: within, refresh });
    } catch (error) {
      if (!this.#isMissing(error)) throw error;
    }
  }

  /** Imports by an identity, by an id, or by an id with the region that the object is in: `vpc-1@eu-west-1`. */
  async import(context: Importing): Promise<ToBeRead<Fields>> {
    const { client, signal } = context;
    const { id, region } =
      context.id === undefined
        ? importedBy(this.#options, context.identity, client)
        : splitRegion(context.id, this.#regional);
    const aws = client.in((this.#regional ? region : undefined) ?? null, signal);
    return toBeRead(await this.#importable(id, aws));
  }

  /** Returns what is known of an object before it is read, from the text to import it by. */
  async #importable(id: string, aws: RegionalAws): Promise<Fields> {
    const known: Fields = (await this.#options.import?.(id, aws)) ?? { id };
    return { ...this.#defaults, ...known, ...(this.#regional && { region: aws.region }) };
  }

  /** Yields the objects in a region. Those that are deleted meanwhile are left out. */
  async *list(
    context: Listing,
    list: NonNullable<Options['list']>,
  ): AsyncGenerator<ListedObject<Fields, Fields>> {
    const { client, signal, config, includeResource } = context;
    const aws = client.in(this.#regional ? (textIn(config, 'region') ?? null) : null, signal);
    const reading = { ...context, warn: () => {}, timeout: 0 };
    for await (const { id, name } of list(aws)) {
      const identity = identityWith(this.#options, id, aws);
      const displayName = name === undefined || name === '' ? id : name;
      if (!includeResource) {
        yield { identity, displayName };
        continue;
      }
      const state = { ...this.#unset, ...(await this.#importable(id, aws)) };
      const resource = await this.#look(reading, state, false, undefined);
      if (resource !== gone) yield { identity, displayName, resource: resource as Fields };
    }
  }

  /** Returns the state, in the form that handlers receive. */
  #stored(state: Fields): { readonly state: never; readonly stored: Storing<never> } {
    const stored = <T extends object>(...names: readonly string[]): T =>
      // Its members have the types of the handler.
      this.#form.request(state, (name) => names.includes(name)) as T;
    return { state: state as never, stored };
  }

  #around(context: Context, fields: Fields, id: string, deadline: Deadline | undefined): Around {
    const { client, signal, log, warn, progress } = context;
    const caller = {
      log: log.with({ object: `${this.#options.type} (${id})` }),
      deadline,
      progress,
    };
    const region = this.#regional ? (textIn(fields, 'region') ?? null) : null;
    return {
      aws: client.in(region, signal, caller),
      object: new RemoteObject({
        clock: client.clock,
        type: this.#options.type,
        id,
        signal,
        log,
        ...(deadline && { timeout: deadline }),
        ...(progress && { progress }),
        within: (attempt, call) => client.within(attempt, call),
        isNotFound: (error) => this.#isMissing(error),
      }),
      log,
      warn,
      signal,
    };
  }

  #change(context: Changing, around: Around): object {
    const { config, timeout } = context;
    const plan = asWritten(this.#schema, context.plan, config);
    const request = (more: object = {}): object => ({ ...this.#form.request(plan), ...more });
    const deadline = Deadline.after(context.client.clock, timeout);
    return { ...around, plan, config, timeout, deadline, request, changed: anyOf(context.changed) };
  }

  /** Returns the known values of a plan; unknown blocks are empty. */
  #known(plan: Fields): Fields {
    const blocks = Object.entries(this.#options.blocks ?? {}).filter(([name, { definition }]) => {
      const several = definition.nesting === 'list' || definition.nesting === 'set';
      return several && isUnknown(plan[name]);
    });
    const none = Object.fromEntries(blocks.map(([name]) => [name, []]));
    return { ...knownOf(plan), ...none };
  }

  #isMissing(error: unknown): boolean {
    return isNotFound(error) || hasCode(error, ...(this.#options.notFound ?? []));
  }

  #present(refreshed: Fields | Gone): Fields {
    if (refreshed !== gone) return refreshed as Fields;
    throw new NotFoundError({ message: `the ${this.#options.type} was gone when it was read` });
  }
}

/** Returns the deadline of an operation with a time-out in the `timeouts` block; undefined if there is none. */
function deadlineOf(
  { client }: Context,
  fields: Fields,
  operation: 'create' | 'read' | 'update' | 'delete',
): Deadline | undefined {
  const timeouts = fields['timeouts'];
  if (typeof timeouts !== 'object' || timeouts === null) return undefined;
  const written: unknown = Reflect.get(timeouts, operation);
  if (typeof written !== 'string') return undefined;
  return Deadline.after(client.clock, operationTimeout(written));
}

/** Splits `vpc-1@eu-west-1` into id and region. */
function splitRegion(
  text: string,
  isRegional: boolean,
): { readonly id: string; readonly region: string | undefined } {
  const [, id, region] = /^(.+)@([a-z]{2,4}(?:-[a-z]+)+-\d+)$/.exec(text) ?? [];
  return isRegional && id !== undefined ? { id, region } : { id: text, region: undefined };
}

function anyOf(changed: (at: string) => boolean): (...at: readonly unknown[]) => boolean {
  return (...at) => at.some((each) => changed(each as string));
}
