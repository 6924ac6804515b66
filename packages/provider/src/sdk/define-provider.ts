import { nullOf, quoteText } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { forManyListeners } from '@terrane/host';
import type {
  Answer,
  ApplyAnswer,
  ApplyResourceRequest,
  Awaitable,
  CallAnswer,
  CallRequest,
  ConfigureRequest,
  EphemeralRequest,
  HeldEphemeralRequest,
  ImportAnswer,
  ImportRequest,
  InvokeActionRequest,
  ListedResource,
  ListRequest,
  LogSink,
  MoveAnswer,
  MoveRequest,
  OpenAnswer,
  PlanActionAnswer,
  PlanActionRequest,
  PlanAnswer,
  PlanResourceRequest,
  Provider,
  ReadAnswer,
  ReadDataAnswer,
  ReadDataRequest,
  ReadRequest,
  RenewAnswer,
  StateStore,
  UpgradeAnswer,
  UpgradeIdentityAnswer,
  UpgradeIdentityRequest,
  UpgradeRequest,
  ValidateActionRequest,
  ValidateDataRequest,
  ValidateListRequest,
  ValidateResourceRequest,
} from '../contract.ts';
import type { ProviderSchema, Schema } from '../schema/model.ts';
import { chain } from '../awaitable.ts';
import { error } from './diagnostics.ts';
import type {
  ErasedAction,
  ErasedDataSource,
  ErasedEphemeral,
  ErasedList,
  ErasedObject,
  ErasedStateStore,
} from './erased.ts';
import { deferredAnswer, handle, Work } from './handling.ts';
import type { Surroundings } from './handling.ts';
import { logTo } from './log.ts';
import type { Log, LogPort } from './log.ts';
import { Deferral } from './outcomes.ts';
import { partOf, readObject } from './part.ts';
import type { Part } from './part.ts';
import type {
  ErasedProvider,
  PlainProviderOptions,
  ProviderOptions,
} from './provider-definition.ts';
import {
  closeEphemeral,
  invokeAction,
  listObjects,
  openEphemeral,
  planAction,
  readData,
  renewEphemeral,
} from './read-runtime.ts';
import type { Names } from './resource.ts';
import { contractCalls, definedCalls } from './resource-calls.ts';
import type { ResourceCalls } from './resource-calls.ts';
import { importedOther, resourcePart } from './resource-runtime.ts';
import type { ResourcePart } from './resource-runtime.ts';
import type { Attributes, Blocks } from './schema-types.ts';
import { DefinedStateStore } from './state-store-runtime.ts';
import { validatePart } from './validate-runtime.ts';

/**
 * Creates a provider from its definition. It behaves like one on terraform-plugin-framework: validation, defaults, plan
 * modifiers, state upgrades and the texts of its diagnostics. It responds synchronously if its handlers do.
 *
 * ```ts
 * export const provider = defineProvider({
 *   config: { attributes: { endpoint: string({ required: true }) } },
 *   configure: ({ config }) => new Api(config.endpoint),
 *   resources: { example_server: server },
 * });
 * ```
 */
export function defineProvider<
  A extends Attributes<Names<A> | Names<B>> = {},
  B extends Blocks = {},
>(options: PlainProviderOptions<A, B>): Provider;
export function defineProvider<
  A extends Attributes<Names<A> | Names<B>> = {},
  B extends Blocks = {},
  // Until it is inferred, every client will do.
  Made = never,
>(options: ProviderOptions<Made, A, B>): Provider;
export function defineProvider(options: object): Provider {
  // The types of the handlers guarantee these arguments: see handler-types.ts.
  return new DefinedProvider(options as ErasedProvider);
}

class DefinedProvider implements Provider {
  readonly sideEffects: boolean;
  readonly #options: ErasedProvider;
  readonly #config: Part;
  readonly #meta: Part | undefined;
  readonly #resources: ReadonlyMap<string, ResourceCalls>;
  readonly #lists: ReadonlyMap<string, ListPart>;
  readonly #dataSources: ReadonlyMap<string, Part<ErasedDataSource>>;
  readonly #ephemeral: ReadonlyMap<string, Part<ErasedEphemeral>>;
  readonly #actions: ReadonlyMap<string, Part<ErasedAction>>;
  readonly #stores: ReadonlyMap<string, Part<ErasedStateStore>>;
  readonly #openStores = new Map<string, StateStore>();
  readonly #port: LogPort = { sink: undefined };
  readonly #log: Log = logTo(this.#port);
  readonly #stop = new AbortController();
  #around: Surroundings;

  constructor(options: ErasedProvider) {
    this.#options = options;
    this.sideEffects = options.sideEffects ?? true;
    this.#config = partOf(options.config ?? {});
    this.#meta = options.providerMeta && partOf(options.providerMeta);
    const resources = new Map<string, ResourceCalls>();
    const lists = new Map<string, ListPart>();
    // undefined: under several names
    const defined = new Map<object, ResourcePart | undefined>();
    for (const [name, definition] of Object.entries(options.resources ?? {})) {
      if (definition.kind === 'contract resource') {
        resources.set(name, contractCalls(name, definition.options));
        continue;
      }
      const resource = resourcePart(name, definition.options);
      resources.set(name, definedCalls(resource));
      defined.set(definition.options, defined.has(definition.options) ? undefined : resource);
      const { list } = definition.options;
      if (list !== undefined) lists.set(name, { ...partOf(list), resource });
    }
    this.#resources = resources;
    this.#lists = lists;
    this.#dataSources = parts(options.dataSources);
    this.#ephemeral = parts(options.ephemeralResources);
    this.#actions = parts(options.actions);
    this.#stores = parts(options.stateStores);
    this.#around = {
      client: undefined,
      log: this.#log,
      // Handlers of all pending requests listen to it.
      stopped: forManyListeners(this.#stop.signal),
      meta: (v) => this.#readMeta(v),
      deferral: undefined,
      needsClient: options.configure !== undefined,
      importOther: (imported, around) =>
        importedOther(defined.get(imported.type), imported, around),
    };
  }

  schema(): ProviderSchema {
    const identities = [...this.#resources].flatMap(([name, { identity }]) =>
      identity === undefined ? [] : [[name, identity] as const],
    );
    const functions = Object.entries(this.#options.functions ?? {});
    return {
      provider: this.#config.schema,
      ...(this.#meta && { providerMeta: this.#meta.schema }),
      resources: schemas(this.#resources),
      dataSources: schemas(this.#dataSources),
      ephemeralResources: schemas(this.#ephemeral),
      ...(this.#actions.size > 0 && { actions: schemas(this.#actions) }),
      ...(this.#lists.size > 0 && { listResources: schemas(this.#lists) }),
      ...(this.#stores.size > 0 && { stateStores: schemas(this.#stores) }),
      ...(identities.length > 0 && { identities: Object.fromEntries(identities) }),
      functions: Object.fromEntries(functions.map(([name, f]) => [name, f.signature])),
      capabilities: {
        planDestroy: true,
        moveResourceState: true,
        getProviderSchemaOptional: true,
      },
    };
  }

  logTo(sink: LogSink): void {
    this.#port.sink = sink;
  }

  validateProviderConfig({
    config,
  }: {
    readonly config: Value;
  }): Awaitable<Answer & { readonly prepared: Value }> {
    const answer = validatePart(this.#config, 'the provider', config, true, this.#log);
    return chain(answer, (result) => ({ prepared: config, ...result }));
  }

  validateResourceConfig(request: ValidateResourceRequest): Awaitable<Answer> {
    const { type } = request;
    return (
      this.#resources.get(type)?.validate(request, this.#around) ?? unknownType('Resource', type)
    );
  }

  validateDataSourceConfig(request: ValidateDataRequest): Awaitable<Answer> {
    return this.#validate(this.#dataSources, 'Data Source', request);
  }

  validateEphemeralResourceConfig(request: EphemeralRequest): Awaitable<Answer> {
    return this.#validate(this.#ephemeral, 'Ephemeral Resource', request);
  }

  validateActionConfig(request: ValidateActionRequest): Awaitable<Answer> {
    return this.#validate(this.#actions, 'Action', request);
  }

  validateListResourceConfig(request: ValidateListRequest): Awaitable<Answer> {
    return this.#validate(this.#lists, 'List Resource', request);
  }

  #validate(
    known: ReadonlyMap<string, Part>,
    kind: string,
    { type, config, address = type }: ValidateDataRequest,
  ): Awaitable<Answer> {
    const part = known.get(type);
    if (part === undefined) return unknownType(kind, type);
    return validatePart(part, address, config, true, this.#log);
  }

  configure({ config, terraformVersion, capabilities }: ConfigureRequest): Awaitable<Answer> {
    const { configure } = this.#options;
    if (configure === undefined || config.isNull) return {};
    const work = new Work('configuring', 'the provider', this.#config.type, this.#log);
    const { findings } = work;
    const answer = (): Answer => ({ diagnostics: findings.diagnostics });
    return handle(
      work,
      () =>
        configure({
          config: readObject(this.#config, config),
          terraformVersion,
          log: work.log,
          ...findings.functions,
        }),
      (result) => {
        if (result instanceof Deferral) {
          deferredAnswer(findings, result.reason, capabilities.deferralAllowed);
          this.#around = { ...this.#around, deferral: result };
        } else {
          this.#around = { ...this.#around, client: result, deferral: undefined };
        }
        return answer();
      },
      answer,
    );
  }

  upgradeResourceState(request: UpgradeRequest): Awaitable<UpgradeAnswer> {
    const part = this.#resources.get(request.type);
    if (part === undefined) return { ...unknownType('Resource', request.type), state: nullConfig };
    return part.upgrade(request, this.#around);
  }

  upgradeResourceIdentity(request: UpgradeIdentityRequest): Awaitable<UpgradeIdentityAnswer> {
    const part = this.#resources.get(request.type);
    if (part === undefined)
      return { ...unknownType('Resource', request.type), identity: nullConfig };
    return part.upgradeIdentity(request, this.#around);
  }

  readResource(request: ReadRequest): Awaitable<ReadAnswer> {
    const part = this.#resources.get(request.type);
    if (part === undefined)
      return { ...unknownType('Resource', request.type), state: request.prior };
    return part.read(request, this.#around);
  }

  planResourceChange(request: PlanResourceRequest): Awaitable<PlanAnswer> {
    const part = this.#resources.get(request.type);
    if (part === undefined) {
      const { prior: planned } = request;
      return { ...unknownType('Resource', request.type), planned, requiresReplace: [] };
    }
    return part.plan(request, this.#around);
  }

  applyResourceChange(request: ApplyResourceRequest): Awaitable<ApplyAnswer> {
    const part = this.#resources.get(request.type);
    if (part === undefined)
      return { ...unknownType('Resource', request.type), state: request.prior };
    return part.apply(request, this.#around);
  }

  importResourceState(request: ImportRequest): Awaitable<ImportAnswer> {
    const part = this.#resources.get(request.type);
    if (part === undefined) return { ...unknownType('Resource', request.type), imported: [] };
    return part.import(request, this.#around);
  }

  moveResourceState(request: MoveRequest): Awaitable<MoveAnswer> {
    const part = this.#resources.get(request.targetType);
    if (part === undefined) {
      return { ...unknownType('Resource', request.targetType), state: nullConfig };
    }
    return part.move(request, this.#around);
  }

  async *listResource(request: ListRequest): AsyncIterable<ListedResource> {
    const query = this.#lists.get(request.type);
    if (query === undefined) {
      yield { displayName: '', ...unknownType('List Resource', request.type) };
      return;
    }
    yield* listObjects(query.resource, query, request, this.#around);
  }

  readDataSource(request: ReadDataRequest): Awaitable<ReadDataAnswer> {
    const part = this.#dataSources.get(request.type);
    if (part === undefined)
      return { ...unknownType('Data Source', request.type), state: nullConfig };
    return readData(part, request, this.#around);
  }

  openEphemeralResource(request: EphemeralRequest): Awaitable<OpenAnswer> {
    const part = this.#ephemeral.get(request.type);
    if (part === undefined) {
      return { ...unknownType('Ephemeral Resource', request.type), result: nullConfig };
    }
    return openEphemeral(part, request, this.#around);
  }

  renewEphemeralResource(request: HeldEphemeralRequest): Awaitable<RenewAnswer> {
    const part = this.#ephemeral.get(request.type);
    return part === undefined ? {} : renewEphemeral(part, request, this.#around);
  }

  closeEphemeralResource(request: HeldEphemeralRequest): Awaitable<Answer> {
    const part = this.#ephemeral.get(request.type);
    return part === undefined ? {} : closeEphemeral(part, request, this.#around);
  }

  planAction(request: PlanActionRequest): Awaitable<PlanActionAnswer> {
    const part = this.#actions.get(request.type);
    if (part === undefined) return unknownType('Action', request.type);
    return planAction(part, request, this.#around);
  }

  invokeAction(request: InvokeActionRequest): Awaitable<Answer> {
    const part = this.#actions.get(request.type);
    if (part === undefined) return unknownType('Action', request.type);
    return invokeAction(part, request, this.#around);
  }

  callFunction({ name, args }: CallRequest): Awaitable<CallAnswer> {
    const { functions = {} } = this.#options;
    const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (called !== undefined) return called.call(args);
    return { error: { message: `provider has no function named ${quoteText(name)}` } };
  }

  stateStore(type: string): StateStore | undefined {
    const existing = this.#openStores.get(type);
    const part = this.#stores.get(type);
    if (existing !== undefined || part === undefined) return existing;
    const store = new DefinedStateStore(type, part, () => this.#around);
    this.#openStores.set(type, store);
    return store;
  }

  stop(): void {
    this.#stop.abort();
  }

  close(): Awaitable<void> {
    const { client } = this.#around;
    if (client === undefined) return undefined;
    this.#around = { ...this.#around, client: undefined };
    return this.#options.close?.(client);
  }

  #readMeta(v: Value | undefined): unknown {
    if (this.#meta === undefined || v === undefined || v.isNull || !v.isKnown) return null;
    return readObject(this.#meta, v);
  }
}

/** The arguments of a query, with the resource type of its results. */
type ListPart = Part<ErasedList> & { readonly resource: ResourcePart };

const nullConfig = nullOf(partOf({}).type);

function parts<E extends ErasedObject>(
  record: Readonly<Record<string, { readonly options: E }>> = {},
): ReadonlyMap<string, Part<E>> {
  return new Map(Object.entries(record).map(([name, made]) => [name, partOf(made.options)]));
}

function schemas(map: ReadonlyMap<string, { readonly schema: Schema }>): Record<string, Schema> {
  return Object.fromEntries([...map].map(([name, part]) => [name, part.schema]));
}

function unknownType(kind: string, type: string): Answer {
  const detail = `No ${kind.toLowerCase()} type named ${quoteText(type)} was found in the provider.`;
  return { diagnostics: [error(`${kind} Type Not Found`, detail)] };
}
