import {
  type Attributes,
  type Blocks,
  type Gone,
  gone,
  isNotFound,
  isUnknown,
  type Log,
  NotFoundError,
  RemoteObject,
  type ToBeRead,
  toBeRead,
  unknown,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { tagChange, tagsOf, withoutIgnored } from '../tags/tags.ts';
import type { Around, AwsResourceOptions } from './resource-options.ts';
import { type Fields, isEmpty, knownOf, merged, textIn, textsIn } from './merged.ts';

// The types of handlers are those of their schema, which are checked where they are defined. Here objects of all
// schemas are handled alike, and handed over as what they are.

type Options = AwsResourceOptions<Attributes, Blocks, unknown>;

/** The parts of the SDK's contexts that are used here. */
interface Context {
  readonly client: Aws;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly warn: (summary: string, detail?: string) => void;
  readonly timeout: number;
}

interface Changing extends Context {
  readonly plan: Fields;
  readonly config: Fields;
  readonly state: Fields;
  readonly changed: (at: string) => boolean;
  readonly save: (soFar: Fields) => void;
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
  const { attributes, blocks, version, validators } = options;
  return {
    olderTypeSystem: true,
    attributes,
    ...(blocks && { blocks }),
    ...(version !== undefined && { version }),
    ...(validators && { validators }),
    modifyPlan: (context: Planning) => runtime.plan(context),
    create: (context: Changing) => runtime.create(context),
    read: (context: Context & { readonly state: Fields }) =>
      runtime.look(context, context.state, false),
    update: (context: Changing) => runtime.update(context),
    delete: (context: Context & { readonly state: Fields }) => runtime.delete(context),
    import: (context: Context & { readonly id: string }) => runtime.import(context),
  };
}

class Runtime {
  readonly #options: Options;
  readonly #taggable: boolean;
  readonly #regional: boolean;
  /** arguments that are only what is written */
  readonly #written: readonly string[];
  /** what an object is imported with where Amazon does not say it */
  readonly #defaults: Fields;

  constructor(options: Options) {
    this.#options = options;
    const { attributes } = options;
    this.#taggable = Object.hasOwn(attributes, 'tags_all');
    this.#regional = Object.hasOwn(attributes, 'region');
    this.#written = Object.keys(attributes).filter((name) => {
      const definition = attributes[name]?.definition;
      return definition?.optional === true && definition.computed !== true;
    });
    this.#defaults = Object.fromEntries(
      Object.entries(attributes).flatMap(([name, { definition, codec }]) =>
        definition.default === undefined ? [] : [[name, codec.read(definition.default)]],
      ),
    );
  }

  plan(context: Planning): Fields {
    const { client, signal, config, state, requireReplace } = context;
    const changes: Record<string, unknown> = {};
    for (const name of this.#written) {
      const was = state?.[name] ?? null;
      const open = config[name] === null && context.plan[name] === null;
      if (open && was !== null && isEmpty(was)) changes[name] = was;
    }
    if (this.#regional && !isUnknown(config['region'])) {
      const region = textIn(config, 'region') ?? client.region;
      const was = state === null ? undefined : textIn(state, 'region');
      changes['region'] = region;
      if (was !== undefined && was !== region) requireReplace('region');
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

  /** Known as far as what is written is. */
  #allTags(client: Aws, written: unknown): unknown {
    const own = written ?? {};
    if (isUnknown(own) || Object.values(own).some(isUnknown)) return unknown();
    const all = { ...client.defaultTags, ...textsIn({ own }, 'own') };
    return withoutIgnored(all, client.ignoredTags);
  }

  async create(context: Changing): Promise<Fields> {
    const { plan, save } = context;
    const options = this.#options;
    const label = options.label?.(plan as never) ?? textIn(plan, 'name') ?? 'new';
    const around = this.#around(context, plan, label);
    const change = { ...this.#change(context, around), tags: textsIn(plan, 'tags_all') };
    const made = await around.object.operation('creating', () => options.create(change as never));
    const first: Fields = typeof made === 'string' ? { id: made } : made;
    const id = textIn(first, 'id') ?? '';
    save({ ...first, ...(this.#regional && { region: around.aws.region }) });
    const object = around.object.as(id);
    await object.operation('creating', () => options.created?.({ ...change, object, id } as never));
    return this.#present(await this.look(context, { ...this.#known(plan), ...first }, true));
  }

  async look(context: Context, state: Fields, isNew: boolean): Promise<Fields | Gone> {
    const options = this.#options;
    const id = textIn(state, 'id') ?? '';
    const around = this.#around(context, state, id);
    const reading = { ...around, id, state: state as never, isNew };
    const find = async (): Promise<Fields | undefined> => {
      const found = await options.find(reading);
      return found === undefined || found === null ? undefined : await options.read(found, reading);
    };
    const read = await around.object.read(find, isNew ? { isNew } : { warn: context.warn });
    if (read === gone) return gone;
    const { tags, ...rest } = read as Fields;
    // Older states do not say the region.
    const known = this.#regional ? { ...rest, region: around.aws.region } : rest;
    if (tags === undefined) return merged(options, state, known);
    if (!this.#taggable) return merged(options, state, { ...known, tags });
    const split = around.aws.splitTags(tagsOf(tags as never), textsIn(state, 'tags'));
    return merged(options, state, { ...known, ...split });
  }

  async update(context: Changing): Promise<Fields> {
    const { plan, state } = context;
    const { retag, update } = this.#options;
    const id = textIn(state, 'id') ?? '';
    const around = this.#around(context, state, id);
    const change = tagChange(textsIn(state, 'tags_all'), textsIn(plan, 'tags_all'));
    const retagged = change.removed.length > 0 || Object.keys(change.set).length > 0;
    if (retagged && retag !== undefined) {
      const reading = { ...around, id, state: state as never, isNew: false };
      await around.object.operation('updating tags of', () => retag(reading, change));
    }
    let changedId: unknown;
    if (update !== undefined) {
      const changing = { ...this.#change(context, around), id, state };
      changedId = await around.object.operation('updating', () => update(changing as never));
    }
    const now = typeof changedId === 'string' ? changedId : id;
    return this.#present(await this.look(context, { ...this.#known(plan), id: now }, now !== id));
  }

  async delete(context: Context & { readonly state: Fields }): Promise<void> {
    const { state, timeout } = context;
    const id = textIn(state, 'id') ?? '';
    const around = this.#around(context, state, id);
    const deletion = { ...around, id, state: state as never, timeout };
    try {
      await around.object.operation('deleting', () => this.#options.delete(deletion));
    } catch (error) {
      if (!this.#isMissing(error)) throw error;
    }
  }

  /** An id, or with the region that the object is in: `vpc-1@eu-west-1`. */
  async import(context: Context & { readonly id: string }): Promise<ToBeRead<Fields>> {
    const { client, signal } = context;
    const [, name, written] = /^(.+)@([a-z]{2,4}(?:-[a-z]+)+-\d+)$/.exec(context.id) ?? [];
    const region = this.#regional ? written : undefined;
    const id = region === undefined ? context.id : (name ?? '');
    const aws = client.in(region ?? null, signal);
    const known: Fields = (await this.#options.import?.(id, aws)) ?? { id };
    return toBeRead({ ...this.#defaults, ...known, ...(this.#regional && { region: aws.region }) });
  }

  #around(context: Context, fields: Fields, id: string): Around {
    const { client, signal, log, warn } = context;
    return {
      aws: client.in(this.#regional ? (textIn(fields, 'region') ?? null) : null, signal),
      object: new RemoteObject({
        clock: client.clock,
        type: this.#options.type,
        id,
        signal,
        log,
        isNotFound: (error) => this.#isMissing(error),
      }),
      log,
      warn,
      signal,
    };
  }

  #change(context: Changing, around: Around): object {
    const { plan, config, timeout } = context;
    return { ...around, plan, config, timeout, changed: anyOf(context.changed) };
  }

  /** What is known of a plan; of blocks that are not, there are none. */
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

  #present(found: Fields | Gone): Fields {
    if (found !== gone) return found as Fields;
    throw new NotFoundError({ message: `the ${this.#options.type} was gone when it was read` });
  }
}

function anyOf(changed: (at: string) => boolean): (...at: readonly unknown[]) => boolean {
  return (...at) => at.some((each) => changed(each as string));
}
