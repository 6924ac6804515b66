import { DYNAMIC, nullOf, quoteText } from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import { impliedType } from '@terrane/provider';
import type {
  Addressed,
  Answer,
  ApplyAnswer,
  ApplyRequest,
  CallAnswer,
  CallRequest,
  ClientCapabilities,
  ConfigureRequest,
  EphemeralRequest,
  GenerateConfigAnswer,
  GenerateConfigRequest,
  HeldEphemeralRequest,
  ImportAnswer,
  ImportRequest,
  InvokeActionRequest,
  ListedResource,
  ListRequest,
  MoveAnswer,
  MoveRequest,
  OpenAnswer,
  PlanActionAnswer,
  PlanActionRequest,
  PlanAnswer,
  PlanRequest,
  Provider,
  ProviderDiagnostic,
  ProviderSchema,
  ReadAnswer,
  ReadDataAnswer,
  ReadDataRequest,
  ReadRequest,
  RenewAnswer,
  Schema,
  StateStore,
  UpgradeAnswer,
  UpgradeIdentityAnswer,
  UpgradeIdentityRequest,
  UpgradeRequest,
  ValidateActionRequest,
  ValidateDataRequest,
  ValidateListRequest,
  ValidateResourceRequest,
} from '@terrane/provider';
import { PluginError } from '../process/plugin-error.ts';
import type { ActionEvent, AllCalls, DynamicValue, IdentityData, Int64 } from '../wire/messages.ts';
import type { Connection } from './connection.ts';
import { bytesOf, deferredOf, diagnosticsOf, numberOf, pathOf } from './from-wire.ts';
import { callFailure, failure } from './plugin-pool.ts';
import type { PluginPool } from './plugin-pool.ts';
import { PluginStateStore } from './plugin-state-store.ts';
import { fromDynamic, toDynamic } from './values.ts';

/** What opening an ephemeral resource is asked with, as its requests do not say. */
const CAPABILITIES: ClientCapabilities = {
  deferralAllowed: false,
  writeOnlyAttributesAllowed: true,
};

const NO_SCHEMA: ProviderSchema = {
  provider: { version: 0, block: { attributes: {}, blocks: {} } },
  resources: {},
  dataSources: {},
  ephemeralResources: {},
  functions: {},
  capabilities: {},
};

type Kind = 'resources' | 'dataSources' | 'ephemeralResources' | 'actions' | 'listResources';

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  resources: 'resource type',
  dataSources: 'data source',
  ephemeralResources: 'ephemeral resource',
  actions: 'action',
  listResources: 'list resource type',
};

/** What a request is about: its schema and type, and how messages name it. */
interface Target {
  readonly name: string;
  readonly schema: Schema;
  readonly type: Type;
  readonly identity: Type | undefined;
  readonly whole: ProviderSchema;
  readonly connection: Connection;
  /** ` for null_resource.a of provider …`: the end of a sentence */
  readonly subject: string;
}

/** A provider in a process of its own, for one configuration. */
export class PluginProvider implements Provider {
  readonly #pool: PluginPool;
  readonly #address: string;
  #own: Promise<Connection> | undefined;
  #closed = false;

  /** @param address the provider's source address as messages show it */
  constructor(pool: PluginPool, address: string) {
    this.#pool = pool;
    this.#address = address;
    pool.enter();
  }

  async schema(): Promise<ProviderSchema & Answer> {
    const { schema = NO_SCHEMA, diagnostics } = await this.#pool.schema();
    return { ...schema, diagnostics };
  }

  validateProviderConfig(request: {
    readonly config: Value;
  }): Promise<Answer & { readonly prepared?: Value }> {
    return this.#forProvider('ValidateProviderConfig', ({ connection, type, subject }) =>
      this.#call<'ValidateProviderConfig', Answer & { readonly prepared?: Value }>(
        connection,
        subject,
        'ValidateProviderConfig',
        () => ({ config: toDynamic(request.config, type) }),
        // Terraform takes no notice of a prepared configuration either.
        (answer) => ({ diagnostics: diagnosticsOf(answer.diagnostics) }),
        failed,
      ),
    );
  }

  async configure(request: ConfigureRequest): Promise<Answer> {
    this.#own ??= this.#pool.claim();
    return await this.#forProvider('ConfigureProvider', ({ connection, type, subject }) =>
      this.#call<'ConfigureProvider', Answer>(
        connection,
        subject,
        'ConfigureProvider',
        () => ({
          terraformVersion: request.terraformVersion,
          config: toDynamic(request.config, type),
          clientCapabilities: request.capabilities,
        }),
        diagnosed,
        failed,
      ),
    );
  }

  validateResourceConfig(request: ValidateResourceRequest): Promise<Answer> {
    return this.#run(
      'resources',
      'ValidateResourceConfig',
      request,
      ({ type }) => ({
        typeName: request.type,
        config: toDynamic(request.config, type),
        clientCapabilities: request.capabilities,
      }),
      diagnosed,
      failed,
    );
  }

  validateDataSourceConfig(request: ValidateDataRequest): Promise<Answer> {
    return this.#run(
      'dataSources',
      'ValidateDataResourceConfig',
      request,
      ({ type }) => ({ typeName: request.type, config: toDynamic(request.config, type) }),
      diagnosed,
      failed,
    );
  }

  validateEphemeralResourceConfig(request: EphemeralRequest): Promise<Answer> {
    return this.#run(
      'ephemeralResources',
      'ValidateEphemeralResourceConfig',
      request,
      ({ type }) => ({ typeName: request.type, config: toDynamic(request.config, type) }),
      diagnosed,
      failed,
    );
  }

  upgradeResourceState(request: UpgradeRequest): Promise<UpgradeAnswer> {
    return this.#run<'UpgradeResourceState', UpgradeAnswer>(
      'resources',
      'UpgradeResourceState',
      request,
      () => ({
        typeName: request.type,
        version: request.version,
        rawState: {
          ...(request.json === undefined ? {} : { json: Buffer.from(request.json) }),
          ...(request.flatmap === undefined ? {} : { flatmap: request.flatmap }),
        },
      }),
      (answer, { type }) => ({
        ...diagnosed(answer),
        state: fromDynamic(answer.upgradedState, type),
      }),
      (answer, type) => ({ ...answer, state: nullOf(type) }),
    );
  }

  readResource(request: ReadRequest): Promise<ReadAnswer> {
    return this.#run<'ReadResource', ReadAnswer>(
      'resources',
      'ReadResource',
      request,
      (target) => ({
        typeName: request.type,
        currentState: toDynamic(request.prior, target.type),
        ...privateOf(request.private),
        ...metaOf(target, request.providerMeta),
        ...identityPart('currentIdentity', target, request.identity),
        clientCapabilities: request.capabilities,
      }),
      (answer, target) => ({
        ...diagnosed(answer),
        state: fromDynamic(answer.newState, target.type),
        ...privateOf(bytesOf(answer.private)),
        ...identityOf(target, answer.newIdentity),
        ...deferredOf(answer.deferred),
      }),
      (answer) => ({ ...answer, state: request.prior }),
    );
  }

  planResourceChange(request: PlanRequest): Promise<PlanAnswer> {
    return this.#run<'PlanResourceChange', PlanAnswer>(
      'resources',
      'PlanResourceChange',
      request,
      (target) => ({
        typeName: request.type,
        priorState: toDynamic(request.prior, target.type),
        proposedNewState: toDynamic(request.proposed, target.type),
        config: toDynamic(request.config, target.type),
        ...(request.priorPrivate === undefined ? {} : { priorPrivate: request.priorPrivate }),
        ...metaOf(target, request.providerMeta),
        ...identityPart('priorIdentity', target, request.priorIdentity),
        ...(request.plannedPrivate === undefined ? {} : { plannedPrivate: request.plannedPrivate }),
        clientCapabilities: request.capabilities,
      }),
      (answer, target) => ({
        ...diagnosed(answer),
        planned: fromDynamic(answer.plannedState, target.type),
        requiresReplace: (answer.requiresReplace ?? []).map(pathOf),
        ...privateOf(bytesOf(answer.plannedPrivate)),
        ...identityOf(target, answer.plannedIdentity),
        ...(answer.legacyTypeSystem === true ? { legacyTypeSystem: true } : {}),
        ...deferredOf(answer.deferred),
      }),
      (answer) => ({ ...answer, planned: request.prior, requiresReplace: [] }),
    );
  }

  applyResourceChange(request: ApplyRequest): Promise<ApplyAnswer> {
    return this.#run<'ApplyResourceChange', ApplyAnswer>(
      'resources',
      'ApplyResourceChange',
      request,
      (target) => ({
        typeName: request.type,
        priorState: toDynamic(request.prior, target.type),
        plannedState: toDynamic(request.planned, target.type),
        config: toDynamic(request.config, target.type),
        ...(request.plannedPrivate === undefined ? {} : { plannedPrivate: request.plannedPrivate }),
        ...metaOf(target, request.providerMeta),
        ...identityPart('plannedIdentity', target, request.plannedIdentity),
      }),
      (answer, target) => ({
        ...diagnosed(answer),
        state: fromDynamic(answer.newState, target.type),
        ...privateOf(bytesOf(answer.private)),
        ...identityOf(target, answer.newIdentity),
        ...(answer.legacyTypeSystem === true ? { legacyTypeSystem: true } : {}),
      }),
      // What was stored before still holds: nobody knows what has been done.
      (answer) => ({ ...answer, state: request.prior }),
    );
  }

  importResourceState(request: ImportRequest): Promise<ImportAnswer> {
    return this.#run<'ImportResourceState', ImportAnswer>(
      'resources',
      'ImportResourceState',
      request,
      (target) => ({
        typeName: request.type,
        ...(request.id === undefined ? {} : { id: request.id }),
        ...identityPart('identity', target, request.identity),
        clientCapabilities: CAPABILITIES,
      }),
      (answer, target) => ({
        ...diagnosed(answer),
        imported: (answer.importedResources ?? []).map((each) => ({
          type: each.typeName ?? '',
          state: fromDynamic(each.state, typeOfResource(target.whole, each.typeName ?? '')),
          ...privateOf(bytesOf(each.private)),
          ...identityOf(target, each.identity),
        })),
        ...deferredOf(answer.deferred),
      }),
      (answer) => ({ ...answer, imported: [] }),
    );
  }

  moveResourceState(request: MoveRequest): Promise<MoveAnswer> {
    return this.#run<'MoveResourceState', MoveAnswer>(
      'resources',
      'MoveResourceState',
      { ...request, type: request.targetType },
      () => ({
        sourceProviderAddress: request.sourceProvider,
        sourceTypeName: request.sourceType,
        sourceSchemaVersion: request.sourceVersion,
        sourceState: { json: Buffer.from(request.sourceJson) },
        targetTypeName: request.targetType,
        ...(request.sourcePrivate === undefined ? {} : { sourcePrivate: request.sourcePrivate }),
        ...(request.sourceIdentity === undefined
          ? {}
          : {
              sourceIdentity: { json: Buffer.from(request.sourceIdentity.json) },
              sourceIdentitySchemaVersion: request.sourceIdentity.version,
            }),
      }),
      (answer, target) => ({
        ...diagnosed(answer),
        state: fromDynamic(answer.targetState, target.type),
        ...privateOf(bytesOf(answer.targetPrivate)),
        ...identityOf(target, answer.targetIdentity),
      }),
      (answer, type) => ({ ...answer, state: nullOf(type) }),
    );
  }

  readDataSource(request: ReadDataRequest): Promise<ReadDataAnswer> {
    return this.#run<'ReadDataSource', ReadDataAnswer>(
      'dataSources',
      'ReadDataSource',
      request,
      (target) => ({
        typeName: request.type,
        config: toDynamic(request.config, target.type),
        ...metaOf(target, request.providerMeta),
        clientCapabilities: request.capabilities,
      }),
      (answer, { type }) => ({
        ...diagnosed(answer),
        state: fromDynamic(answer.state, type),
        ...deferredOf(answer.deferred),
      }),
      (answer, type) => ({ ...answer, state: nullOf(type) }),
    );
  }

  openEphemeralResource(request: EphemeralRequest): Promise<OpenAnswer> {
    return this.#run<'OpenEphemeralResource', OpenAnswer>(
      'ephemeralResources',
      'OpenEphemeralResource',
      request,
      ({ type }) => ({
        typeName: request.type,
        config: toDynamic(request.config, type),
        clientCapabilities: CAPABILITIES,
      }),
      (answer, { type }) => ({
        ...diagnosed(answer),
        result: fromDynamic(answer.result, type),
        ...privateOf(bytesOf(answer.private)),
        ...renewalOf(answer.renewAt),
        ...deferredOf(answer.deferred),
      }),
      (answer, type) => ({ ...answer, result: nullOf(type) }),
    );
  }

  renewEphemeralResource(request: HeldEphemeralRequest): Promise<RenewAnswer> {
    return this.#run<'RenewEphemeralResource', RenewAnswer>(
      'ephemeralResources',
      'RenewEphemeralResource',
      request,
      () => ({ typeName: request.type, ...privateOf(request.private) }),
      (answer) => ({
        ...diagnosed(answer),
        ...privateOf(bytesOf(answer.private)),
        ...renewalOf(answer.renewAt),
      }),
      failed,
    );
  }

  closeEphemeralResource(request: HeldEphemeralRequest): Promise<Answer> {
    return this.#run(
      'ephemeralResources',
      'CloseEphemeralResource',
      request,
      () => ({ typeName: request.type, ...privateOf(request.private) }),
      diagnosed,
      failed,
    );
  }

  validateActionConfig(request: ValidateActionRequest): Promise<Answer> {
    return this.#run(
      'actions',
      'ValidateActionConfig',
      request,
      ({ type }) => ({ typeName: request.type, config: toDynamic(request.config, type) }),
      diagnosed,
      failed,
    );
  }

  planAction(request: PlanActionRequest): Promise<PlanActionAnswer> {
    return this.#run<'PlanAction', PlanActionAnswer>(
      'actions',
      'PlanAction',
      request,
      ({ type }) => ({
        actionType: request.type,
        config: toDynamic(request.config, type),
        clientCapabilities: request.capabilities,
      }),
      (answer) => ({ ...diagnosed(answer), ...deferredOf(answer.deferred) }),
      failed,
    );
  }

  upgradeResourceIdentity(request: UpgradeIdentityRequest): Promise<UpgradeIdentityAnswer> {
    return this.#run<'UpgradeResourceIdentity', UpgradeIdentityAnswer>(
      'resources',
      'UpgradeResourceIdentity',
      request,
      () => ({
        typeName: request.type,
        version: request.version,
        rawIdentity: { json: Buffer.from(request.json) },
      }),
      (answer, { identity = DYNAMIC }) => ({
        ...diagnosed(answer),
        identity: fromDynamic(answer.upgradedIdentity?.identityData, identity),
      }),
      (answer) => ({ ...answer, identity: nullOf(DYNAMIC) }),
    );
  }

  generateResourceConfig(request: GenerateConfigRequest): Promise<GenerateConfigAnswer> {
    return this.#run<'GenerateResourceConfig', GenerateConfigAnswer>(
      'resources',
      'GenerateResourceConfig',
      request,
      ({ type }) => ({ typeName: request.type, state: toDynamic(request.state, type) }),
      (answer, { type }) => ({
        ...diagnosed(answer),
        config: fromDynamic(answer.config, type),
      }),
      (answer, type) => ({ ...answer, config: nullOf(type) }),
    );
  }

  validateListResourceConfig(request: ValidateListRequest): Promise<Answer> {
    return this.#run(
      'listResources',
      'ValidateListResourceConfig',
      request,
      ({ type }) => ({
        typeName: request.type,
        config: toDynamic(request.config, type),
      }),
      diagnosed,
      failed,
    );
  }

  async *listResource(request: ListRequest): AsyncIterable<ListedResource> {
    const target = await this.#target('listResources', 'ListResource', request);
    if ('diagnostics' in target) yield { displayName: '', ...target };
    else yield* list(request, target);
  }

  stateStore(type: string): StateStore {
    return new PluginStateStore(type, {
      connect: (call) => this.#connect(call),
      schema: async () => {
        const { schema, diagnostics } = await this.#pool.schema();
        return schema === undefined ? { diagnostics } : schema;
      },
      failure: (connection, call, error) =>
        callFailure(connection, call, ` for state store ${type} of ${this.#address}`, error),
    });
  }

  async invokeAction(request: InvokeActionRequest): Promise<Answer> {
    const target = await this.#target('actions', 'InvokeAction', request);
    if ('diagnostics' in target) return target;
    try {
      let completed: ActionEvent['completed'];
      await target.connection.stream(
        'InvokeAction',
        {
          actionType: request.type,
          config: toDynamic(request.config, target.type),
          clientCapabilities: CAPABILITIES,
        },
        (event) => {
          if (event.progress != null) request.progress(event.progress.message ?? '');
          if (event.completed != null) completed = event.completed;
          return undefined;
        },
      );
      if (completed != null) return diagnosed(completed);
      const detail = `The plugin ended the stream of events${target.subject} without saying that the action is complete.`;
      return { diagnostics: [failure('Plugin error', detail)] };
    } catch (error) {
      const { connection, subject } = target;
      return { diagnostics: [await callFailure(connection, 'InvokeAction', subject, error)] };
    }
  }

  async callFunction(request: CallRequest): Promise<CallAnswer> {
    const { schema, diagnostics } = await this.#pool.schema();
    const signature = schema?.functions[request.name];
    if (signature === undefined) {
      const reason = diagnostics.find(({ severity }) => severity === 'error');
      const message = reason?.detail ?? `provider has no function named ${quoteText(request.name)}`;
      return { error: { message } };
    }
    const got = await this.#connect('CallFunction');
    if ('diagnostics' in got) return { error: { message: textOf(got) } };
    return await this.#call<'CallFunction', CallAnswer>(
      got,
      ` for function ${quoteText(request.name)} of provider ${this.#address}`,
      'CallFunction',
      () => ({
        name: request.name,
        arguments: request.args.map((arg, i) =>
          toDynamic(arg, (signature.parameters[i] ?? signature.variadic)?.type ?? DYNAMIC),
        ),
      }),
      ({ result, error }) => {
        if (error == null) return { result: fromDynamic(result, signature.returns) };
        const argument = Object.hasOwn(error, 'functionArgument')
          ? { argument: numberOf(error.functionArgument) }
          : {};
        return { error: { message: error.text ?? '', ...argument } };
      },
      (answer) => ({ error: { message: textOf(answer) } }),
    );
  }

  async stop(): Promise<void> {
    const own = await this.#own?.catch(() => undefined);
    await own?.stop();
  }

  kill(): Promise<void> {
    return this.#pool.kill();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#pool.leave(await this.#own?.catch(() => undefined));
  }

  /** The process to ask, or why there is none. */
  async #connect(call: string): Promise<Connection | Failed> {
    try {
      return await (this.#own ?? this.#pool.shared());
    } catch (error) {
      const detail = `Provider ${this.#address} can't be asked for ${call}: ${error instanceof Error ? error.message : String(error)}`;
      if (!(error instanceof PluginError)) throw error;
      return { diagnostics: [failure('Failed to start the provider', detail)] };
    }
  }

  async #forProvider<A>(
    call: string,
    run: (target: {
      readonly connection: Connection;
      readonly type: Type;
      readonly subject: string;
    }) => Promise<A>,
  ): Promise<A | Failed> {
    const { schema, diagnostics } = await this.#pool.schema();
    if (schema === undefined) return { diagnostics };
    const connection = await this.#connect(call);
    if ('diagnostics' in connection) return connection;
    const type = impliedType(schema.provider.block);
    return await run({ connection, type, subject: ` for provider ${this.#address}` });
  }

  async #target(
    kind: Kind,
    call: string,
    request: Addressed & { readonly type: string },
  ): Promise<Target | Failed> {
    const { schema: whole, diagnostics } = await this.#pool.schema();
    if (whole === undefined) return { diagnostics };
    const schemas = whole[kind] ?? {};
    const schema = Object.hasOwn(schemas, request.type) ? schemas[request.type] : undefined;
    if (schema === undefined) {
      const summary = `unknown ${KIND_NAMES[kind]} ${quoteText(request.type)}`;
      return { diagnostics: [failure(summary, '')] };
    }
    const connection = await this.#connect(call);
    if ('diagnostics' in connection) return connection;
    const identity =
      kind === 'resources' || kind === 'listResources'
        ? whole.identities?.[request.type]
        : undefined;
    return {
      name: request.type,
      schema,
      type: impliedType(schema.block),
      identity: identity === undefined ? undefined : impliedType(identity.block),
      whole,
      connection,
      subject: ` for ${request.address ?? request.type} of provider ${this.#address}`,
    };
  }

  /** Asks about one object, in all: finds the schema, encodes, calls, decodes. */
  async #run<K extends keyof AllCalls, A>(
    kind: Kind,
    call: K,
    request: Addressed & { readonly type: string },
    encode: (target: Target) => AllCalls[K]['request'],
    decode: (answer: AllCalls[K]['response'], target: Target) => A,
    recover: (answer: Failed, type: Type) => A,
  ): Promise<A> {
    const target = await this.#target(kind, call, request);
    if ('diagnostics' in target) return recover(target, DYNAMIC);
    return await this.#call(
      target.connection,
      target.subject,
      call,
      () => encode(target),
      (answer) => decode(answer, target),
      (answer) => recover(answer, target.type),
    );
  }

  async #call<K extends keyof AllCalls, A>(
    connection: Connection,
    subject: string,
    call: K,
    encode: () => AllCalls[K]['request'],
    decode: (answer: AllCalls[K]['response']) => A,
    recover: (answer: Failed) => A,
  ): Promise<A> {
    let answer: AllCalls[K]['response'] | undefined;
    try {
      answer = await connection.call(call, encode());
      return decode(answer);
    } catch (error) {
      const problem = await callFailure(connection, call, subject, error);
      const said = answer !== undefined && 'diagnostics' in answer ? answer.diagnostics : [];
      return recover({ diagnostics: [...diagnosticsOf(said), problem] });
    }
  }
}

/** Gives what a list resource finds, until it is as many as are wanted, or an error. */
async function* list(request: ListRequest, target: Target): AsyncIterable<ListedResource> {
  const { connection, subject, whole, identity } = target;
  const fail = (detail: string): ListedResource => ({
    displayName: '',
    diagnostics: [failure(detail, '')],
  });
  const resource = whole.resources[request.type];
  if (resource === undefined || identity === undefined) {
    const why = `Identity schema not found for resource type ${request.type}`;
    yield fail(`${why}; this is a bug in the provider - please report it there`);
    return;
  }
  const type = impliedType(resource.block);
  const limit = request.limit ?? Number.MAX_SAFE_INTEGER;
  const found: ListedResource[] = [];
  let count = 0;
  let wake = (): void => {};
  const take = (one: ListedResource): 'enough' | undefined => {
    found.push(one);
    wake();
    if (one.diagnostics?.some(({ severity }) => severity === 'error') === true) return 'enough';
    if (one.identity !== undefined) count++;
    return count >= limit ? 'enough' : undefined;
  };
  const left = new AbortController();
  const stop = (): void => {
    left.abort();
    wake();
  };
  request.signal?.addEventListener('abort', stop, { once: true });
  let ended = false;
  const streaming = connection
    .stream(
      'ListResource',
      {
        typeName: request.type,
        config: toDynamic(request.config, target.type),
        includeResourceObject: request.includeResource,
        limit,
      },
      ({ identity: data, displayName = '', resourceObject, diagnostic }) => {
        if (left.signal.aborted) return 'enough';
        const said =
          (diagnostic?.length ?? 0) === 0 ? {} : { diagnostics: diagnosticsOf(diagnostic) };
        // An event may be only there to tell something.
        if (data?.identityData == null) {
          if ((diagnostic?.length ?? 0) > 0) return take({ displayName, ...said });
          return take(fail(`missing identity data in ListResource event for ${request.type}`));
        }
        return take({
          displayName,
          identity: fromDynamic(data.identityData, identity),
          ...said,
          ...(resourceObject == null || !request.includeResource
            ? {}
            : { resource: fromDynamic(resourceObject, type) }),
        });
      },
      left.signal,
    )
    .catch(async (error: unknown) => {
      const problem = await callFailure(connection, 'ListResource', subject, error);
      found.push({ displayName: '', diagnostics: [problem] });
    })
    .finally(() => {
      ended = true;
      wake();
    });
  try {
    for (;;) {
      yield* found.splice(0);
      if (found.length > 0) continue;
      if (ended || left.signal.aborted) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    // Whoever leaves the iteration wants no more.
    request.signal?.removeEventListener('abort', stop);
    left.abort();
    await streaming;
  }
}

interface Failed {
  readonly diagnostics: readonly ProviderDiagnostic[];
}

function failed(answer: Failed): Failed {
  return answer;
}

function diagnosed(answer: { readonly diagnostics?: Parameters<typeof diagnosticsOf>[0] }): Failed {
  return { diagnostics: diagnosticsOf(answer.diagnostics) };
}

function textOf({ diagnostics }: Failed): string {
  return diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join('\n');
}

function privateOf(bytes: Uint8Array | undefined): { private?: Uint8Array } {
  return bytes === undefined ? {} : { private: bytes };
}

function metaOf(target: Target, meta: Value | undefined): { providerMeta?: DynamicValue } {
  const { providerMeta } = target.whole;
  if (providerMeta === undefined) return {};
  const type = impliedType(providerMeta.block);
  return { providerMeta: toDynamic(meta ?? nullOf(type), type) };
}

function identityPart<K extends string>(
  key: K,
  { identity }: Target,
  value: Value | undefined,
): { readonly [P in K]?: IdentityData } {
  if (identity === undefined || value === undefined) return {};
  const part: { [P in K]?: IdentityData } = {};
  part[key] = { identityData: toDynamic(value, identity) };
  return part;
}

function identityOf(
  { identity }: Target,
  data: IdentityData | null | undefined,
): { identity?: Value } {
  if (identity === undefined || data?.identityData == null) return {};
  return { identity: fromDynamic(data.identityData, identity) };
}

function typeOfResource(schema: ProviderSchema, name: string): Type {
  const found = schema.resources[name];
  if (found === undefined) throw new Error(`unknown resource type ${quoteText(name)}`);
  return impliedType(found.block);
}

function renewalOf(at: { readonly seconds?: Int64; readonly nanos?: number } | null | undefined): {
  renewAt?: Date;
} {
  if (at == null) return {};
  return { renewAt: new Date(numberOf(at.seconds) * 1000 + Math.floor((at.nanos ?? 0) / 1e6)) };
}
