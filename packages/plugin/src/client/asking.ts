import { DYNAMIC, nullOf, quoteText } from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import { userErrorText } from '@terrane/host';
import { impliedType } from '@terrane/provider';
import type {
  Addressed,
  ClientCapabilities,
  ProviderDiagnostic,
  ProviderSchema,
  Schema,
} from '@terrane/provider';
import { PluginError } from '../process/plugin-error.ts';
import type { AllCalls, DynamicValue } from '../wire/messages.ts';
import { CallError, type Connection } from './connection.ts';
import { diagnosticsOf } from './from-wire.ts';
import { callFailure, failure } from './plugin-pool.ts';
import type { LoadedSchema, PluginPool } from './plugin-pool.ts';
import { toDynamic } from './values.ts';

/** Capabilities for requests that open ephemeral resources, which do not carry them. */
export const CAPABILITIES: ClientCapabilities = {
  deferralAllowed: false,
  writeOnlyAttributesAllowed: true,
};

type Kind = 'resources' | 'dataSources' | 'ephemeralResources' | 'actions' | 'listResources';

/** The validation calls, which return only diagnostics. */
type ValidateCall =
  | 'ValidateResourceConfig'
  | 'ValidateDataResourceConfig'
  | 'ValidateEphemeralResourceConfig'
  | 'ValidateActionConfig'
  | 'ValidateListResourceConfig';

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  resources: 'resource type',
  dataSources: 'data source',
  ephemeralResources: 'ephemeral resource',
  actions: 'action',
  listResources: 'list resource type',
};

/** The subject of a request: its schema and type, and its name for messages. */
export interface Target {
  readonly name: string;
  readonly schema: Schema;
  readonly type: Type;
  readonly identity: Type | undefined;
  readonly providerSchema: ProviderSchema;
  readonly connection: Connection;
  /** ` for null_resource.a of provider …`: the end of a sentence */
  readonly subject: string;
}

/** A request that could not be sent, or that has no response. */
export interface Failed {
  readonly diagnostics: readonly ProviderDiagnostic[];
  /** the request was sent: its outcome is unknown */
  readonly unanswered?: boolean;
}

/** Sends requests to the processes of a plugin for one configuration of its provider. */
export class Asking {
  /** the provider's source address as messages show it */
  readonly address: string;
  readonly #pool: PluginPool;
  #claimed: Promise<Connection> | undefined;
  #closed = false;

  constructor(pool: PluginPool, address: string) {
    this.#pool = pool;
    this.address = address;
    pool.enter();
  }

  /** Returns the schemas, or diagnostics if they are not available. */
  schema(): Promise<LoadedSchema> {
    return this.#pool.schema();
  }

  /** Claims a process for the configuration; it handles all later requests. */
  claim(): void {
    this.#claimed ??= this.#pool.claim();
  }

  /** Requests the process of the configuration to cancel its operations. */
  async stop(): Promise<void> {
    const claimed = await this.#claimed?.catch(() => undefined);
    await claimed?.stop();
  }

  /** Ends all processes by force. */
  kill(): Promise<void> {
    return this.#pool.kill();
  }

  /** Ends the use of the provider. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#pool.leave(await this.#claimed?.catch(() => undefined));
  }

  /** Returns the connection for a call, or diagnostics. */
  async connect(call: string): Promise<Connection | Failed> {
    try {
      return await (this.#claimed ?? this.#pool.shared());
    } catch (error) {
      const detail = `Provider ${this.address} can't be asked for ${call}: ${userErrorText(error)}`;
      if (!(error instanceof PluginError)) throw error;
      return { diagnostics: [failure('Failed to start the provider', detail)] };
    }
  }

  /** Sends a request about the provider itself. */
  async forProvider<A>(
    call: string,
    run: (target: {
      readonly connection: Connection;
      readonly type: Type;
      readonly subject: string;
    }) => Promise<A>,
  ): Promise<A | Failed> {
    const { schema, diagnostics } = await this.schema();
    if (schema === undefined) return { diagnostics };
    const connection = await this.connect(call);
    if ('diagnostics' in connection) return connection;
    const type = impliedType(schema.provider.block);
    return await run({ connection, type, subject: ` for provider ${this.address}` });
  }

  /** Resolves the subject of a request, or the reason why the request is impossible. */
  async target(
    kind: Kind,
    call: string,
    request: Addressed & { readonly type: string },
  ): Promise<Target | Failed> {
    const { schema: providerSchema, diagnostics } = await this.schema();
    if (providerSchema === undefined) return { diagnostics };
    const schemas = providerSchema[kind] ?? {};
    const schema = Object.hasOwn(schemas, request.type) ? schemas[request.type] : undefined;
    if (schema === undefined) {
      const summary = `unknown ${KIND_NAMES[kind]} ${quoteText(request.type)}`;
      return { diagnostics: [failure(summary, '')] };
    }
    const connection = await this.connect(call);
    if ('diagnostics' in connection) return connection;
    const identity =
      kind === 'resources' || kind === 'listResources'
        ? providerSchema.identities?.[request.type]
        : undefined;
    return {
      name: request.type,
      schema,
      type: impliedType(schema.block),
      identity: identity === undefined ? undefined : impliedType(identity.block),
      providerSchema,
      connection,
      subject: ` for ${request.address ?? request.type} of provider ${this.address}`,
    };
  }

  /** Performs a request about one object: finds the schema, encodes, calls, decodes. */
  async request<K extends keyof AllCalls, A>(
    kind: Kind,
    call: K,
    request: Addressed & { readonly type: string; readonly progress?: (note: string) => void },
    encode: (target: Target) => AllCalls[K]['request'],
    decode: (answer: AllCalls[K]['response'], target: Target) => A,
    recover: (answer: Failed, type: Type) => A,
  ): Promise<A> {
    const target = await this.target(kind, call, request);
    if ('diagnostics' in target) return recover(target, DYNAMIC);
    return await this.call(
      target.connection,
      target.subject,
      call,
      () => encode(target),
      (answer) => decode(answer, target),
      (answer) => recover(answer, target.type),
      request.progress,
    );
  }

  /** Validates a configuration. */
  validate(
    kind: Kind,
    call: ValidateCall,
    request: Addressed & {
      readonly type: string;
      readonly config: Value;
      readonly capabilities?: ClientCapabilities;
    },
  ): Promise<Failed> {
    const { type: typeName, config, capabilities } = request;
    return this.request<ValidateCall, Failed>(
      kind,
      call,
      request,
      ({ type }) => ({
        typeName,
        config: toDynamic(config, type),
        ...(capabilities === undefined ? {} : { clientCapabilities: capabilities }),
      }),
      answerOf,
      failed,
    );
  }

  /** Encodes, calls, decodes. */
  async call<K extends keyof AllCalls, A>(
    connection: Connection,
    subject: string,
    call: K,
    encode: () => AllCalls[K]['request'],
    decode: (answer: AllCalls[K]['response']) => A,
    recover: (answer: Failed) => A,
    progress?: (note: string) => void,
  ): Promise<A> {
    let request: AllCalls[K]['request'] | undefined;
    let answer: AllCalls[K]['response'] | undefined;
    try {
      request = encode();
      answer = await connection.call(call, request, progress);
      return decode(answer);
    } catch (error) {
      const problem = await callFailure(connection, call, subject, error);
      const answerDiagnostics =
        answer !== undefined && 'diagnostics' in answer ? answer.diagnostics : [];
      const diagnostics = [...diagnosticsOf(answerDiagnostics), problem];
      const unanswered = request !== undefined && mayHaveEffect(error);
      return recover({ diagnostics, ...(unanswered ? { unanswered } : {}) });
    }
  }
}

/**
 * Returns true if a failed call may have had an effect: the plugin received it and then exited, did not respond, or
 * sent an invalid response.
 */
export function mayHaveEffect(error: unknown): boolean {
  return !(error instanceof CallError && error.isWithoutEffect);
}

/** Returns the response to a failed call that needs no other data. */
export function failed(answer: Failed): Failed {
  return answer;
}

/** Returns the diagnostics of a response. */
export function answerOf(answer: {
  readonly diagnostics?: Parameters<typeof diagnosticsOf>[0];
}): Failed {
  return { diagnostics: diagnosticsOf(answer.diagnostics) };
}

/** Returns the messages of all diagnostics as one text. */
export function textOf({ diagnostics }: Failed): string {
  return diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join('\n');
}

/** Returns the private data of an object, if any. */
export function privateOf(bytes: Uint8Array | undefined): { private?: Uint8Array } {
  return bytes === undefined ? {} : { private: bytes };
}

/** Returns the `provider_meta` block of the module, for providers that have such a block. */
export function metaOf(target: Target, meta: Value | undefined): { providerMeta?: DynamicValue } {
  const { providerMeta } = target.providerSchema;
  if (providerMeta === undefined) return {};
  const type = impliedType(providerMeta.block);
  return { providerMeta: toDynamic(meta ?? nullOf(type), type) };
}
