import { userErrorText } from '@terrane/host';
import type { ProviderDiagnostic, ProviderSchema } from '@terrane/provider';
import type { Handshake } from '../process/handshake.ts';
import { PluginError } from '../process/plugin-error.ts';
import type { PluginPorts } from '../process/plugin-process.ts';
import { loadCodec } from '../wire/definitions.ts';
import type { ProtocolVersion } from '../wire/definitions.ts';
import type { AllCalls } from '../wire/messages.ts';
import { CallError, Connection } from './connection.ts';
import { diagnosticsOf, providerSchemaOf, typeOf } from './from-wire.ts';

/** A plugin: an executable, or a process that another program runs. */
export type PluginTarget =
  | { readonly kind: 'executable'; readonly path: string }
  | { readonly kind: 'running'; readonly handshake: Handshake };

/** The schemas of a provider, or diagnostics if they are not available. */
export interface LoadedSchema {
  readonly schema?: ProviderSchema;
  readonly diagnostics: readonly ProviderDiagnostic[];
}

/**
 * The processes of one plugin. One is started with the first request; it handles validation and upgrades for all, and
 * the first configuration uses it. Each other configuration gets a separate process.
 */
export class PluginPool {
  readonly #target: PluginTarget;
  readonly #ports: PluginPorts;
  readonly #open = new Set<Connection>();
  #shared: Promise<Connection> | undefined;
  #warming: Promise<unknown> | undefined;
  #claimed = false;
  #users = 0;
  #schema: Promise<LoadedSchema> | undefined;
  #loaded: ProviderSchema | undefined;

  constructor(target: PluginTarget, ports: PluginPorts) {
    this.#target = target;
    this.#ports = ports;
  }

  /** Registers a user of the pool. */
  enter(): void {
    this.#users++;
  }

  /** Returns the schemas, requested once. */
  schema(): Promise<LoadedSchema> {
    this.#schema ??= this.#loadSchema();
    return this.#schema;
  }

  /** Starts the first process, which will be needed soon, and does not wait for it. */
  warm(): void {
    // The user of the process receives its error.
    this.#warming = this.schema()
      .then(() => this.shared())
      .catch(() => undefined);
  }

  /** Returns the shared process for requests without configuration. @throws PluginError */
  async shared(): Promise<Connection> {
    const current = await this.#shared?.catch(() => undefined);
    if (current?.isClosed === true && !this.#claimed) this.#shared = undefined;
    this.#shared ??= this.#start();
    return await this.#shared;
  }

  /** Claims a process for one configuration, to be released with `leave`. @throws PluginError */
  async claim(): Promise<Connection> {
    if (this.#target.kind === 'running') return await this.shared();
    if (this.#claimed) {
      await this.schema();
      return await this.#start();
    }
    this.#claimed = true;
    return await this.shared();
  }

  /** Unregisters a user of the pool; `claimed` is its claimed process, if any. */
  async leave(claimed: Connection | undefined): Promise<void> {
    this.#users--;
    if (this.#target.kind === 'running') return;
    const shared = await this.#shared?.catch(() => undefined);
    if (claimed !== undefined && claimed !== shared) await this.#end(claimed);
    // A configured process cannot be configured again; it ends with its last user.
    if (this.#users > 0 || !this.#claimed) return;
    this.#shared = undefined;
    this.#claimed = false;
    if (shared !== undefined) await this.#end(shared);
  }

  /** Ends all processes by force; pending calls fail. */
  async kill(): Promise<void> {
    await Promise.all([...this.#open].map((connection) => connection.kill()));
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    // A process that is just starting would never end.
    await this.#warming;
    await this.#shared?.catch(() => undefined);
    this.#shared = undefined;
    this.#claimed = false;
    await Promise.all([...this.#open].map((connection) => this.#end(connection)));
  }

  async #start(): Promise<Connection> {
    const target = this.#target;
    const connection = await (target.kind === 'running'
      ? Connection.attach(target.handshake, this.#ports)
      : Connection.start(target.path, this.#ports));
    this.#open.add(connection);
    // Providers without this capability expect the schema request first.
    if (this.#loaded?.capabilities.getProviderSchemaOptional === false) {
      await connection.answerTo('GetProviderSchema').catch(() => undefined);
    }
    return connection;
  }

  async #end(connection: Connection): Promise<void> {
    this.#open.delete(connection);
    await connection.close();
  }

  async #loadSchema(): Promise<LoadedSchema> {
    let connection: Connection;
    try {
      connection = await this.shared();
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
      return { diagnostics: [failure('Failed to load plugin schemas', error.message)] };
    }
    try {
      const [schemas, identities] = await Promise.all([
        connection.answerTo('GetProviderSchema'),
        identitySchemas(connection),
      ]);
      const { version } = connection;
      const answers = { version, schemas, identities };
      const loaded = schemaIn(await answersIn(answers));
      this.#loaded = loaded.schema;
      return loaded;
    } catch (error) {
      return { diagnostics: [await callFailure(connection, 'GetProviderSchema', '', error)] };
    }
  }
}

const NOTHING = new Uint8Array();

/** The encoded responses to the schema calls. */
interface SchemaAnswers {
  readonly version: ProtocolVersion;
  /** `GetProviderSchema` */
  readonly schemas: Uint8Array;
  /** `GetResourceIdentitySchemas`; empty if the plugin does not implement it */
  readonly identities: Uint8Array;
}

interface Answers {
  readonly schemas: AllCalls['GetProviderSchema']['response'];
  readonly identities: AllCalls['GetResourceIdentitySchemas']['response'];
}

/** Verifies the responses and decodes them lazily. @throws Error if they are malformed */
async function answersIn(answers: SchemaAnswers): Promise<Answers> {
  const codec = await loadCodec(answers.version);
  const known = new Set<string>();
  const verifyType = (bytes: Uint8Array): void => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    if (known.has(text)) return;
    typeOf(bytes);
    known.add(text);
  };
  const read = <K extends keyof AllCalls>(call: K, bytes: Uint8Array): AllCalls[K]['response'] => {
    const name = `${call}.Response`;
    // Each schema is decoded when it is first used, by code that cannot report a malformed one.
    codec.verify(name, bytes, verifyType);
    // The codec knows messages by name only.
    return codec.decodeLazily(name, bytes) as AllCalls[K]['response'];
  };
  return {
    schemas: read('GetProviderSchema', answers.schemas),
    identities: read('GetResourceIdentitySchemas', answers.identities),
  };
}

function schemaIn({ schemas, identities }: Answers): LoadedSchema {
  const diagnostics = [
    ...diagnosticsOf(schemas.diagnostics),
    ...diagnosticsOf(identities.diagnostics),
  ];
  if (diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics };
  if (schemas.provider == null) return { diagnostics: [failure('missing provider schema', '')] };
  return { schema: providerSchemaOf(schemas, identities.identitySchemas), diagnostics };
}

/** Requests the schemas of resource identities; older providers do not implement this call. */
async function identitySchemas(connection: Connection): Promise<Uint8Array> {
  try {
    return await connection.answerTo('GetResourceIdentitySchemas');
  } catch (error) {
    if (error instanceof CallError && error.code === UNIMPLEMENTED) return NOTHING;
    throw error;
  }
}

const CANCELLED = 1;
const UNIMPLEMENTED = 12;
const UNAVAILABLE = 14;

/** Returns an error about the plugin itself. */
export function failure(summary: string, detail: string): ProviderDiagnostic {
  return { severity: 'error', summary, detail, sourceless: true };
}

/**
 * Returns the diagnostic for a call without a valid response. `subject` is the end of a sentence, as ` for
 * null_resource.a of provider …`; the plugin's standard error follows.
 */
export async function callFailure(
  connection: Connection,
  call: string,
  subject: string,
  error: unknown,
): Promise<ProviderDiagnostic> {
  const name = `plugin${connection.version === 6 ? '6' : ''}.(*GRPCProvider).${call}`;
  if (!(error instanceof CallError)) {
    const reason = userErrorText(error);
    return trouble(
      'Plugin error',
      `The plugin returned an unexpected answer from ${name}${subject}: ${reason}.`,
    );
  }
  const isOver = connection.isClosed && !connection.hasCrashed;
  const words = isOver || error.code === UNIMPLEMENTED ? '' : await connection.lastWords();
  // Calls that were pending when the process was terminated have no response.
  switch (connection.hasCrashed ? UNAVAILABLE : isOver ? CANCELLED : error.code) {
    case UNAVAILABLE:
      return trouble(
        'Plugin did not respond',
        `The plugin encountered an error, and failed to respond to the ${name} call${subject}. The plugin logs may contain more details.${words}`,
      );
    case CANCELLED:
      return trouble('Request cancelled', `The ${name} request${subject} was cancelled.`);
    case UNIMPLEMENTED:
      return trouble(
        'Unsupported plugin method',
        `The ${name} method is not supported by this plugin${subject}.`,
      );
    default:
      return trouble(
        'Plugin error',
        `The plugin returned an unexpected error from ${name}${subject}: rpc error: ${error.message}${words}`,
      );
  }
}

/** Creates an error whose source range is the configuration of the call's subject. */
function trouble(summary: string, detail: string): ProviderDiagnostic {
  return { severity: 'error', summary, detail };
}
