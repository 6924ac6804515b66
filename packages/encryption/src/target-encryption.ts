import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import type { EncryptionConfiguration, MethodBlock } from './configuration.ts';
import {
  ENVELOPE_VERSION,
  type Envelope,
  fromBase64,
  readEnvelope,
  type StateName,
  writeEnvelope,
} from './envelope.ts';
import { EncryptionError } from './failure.ts';
import { JsonFault } from './json-members.ts';
import { UNENCRYPTED } from './kinds.ts';
import type { Method } from './method.ts';
import { type EncryptionPorts, type MadeMethod, makeMethod } from './setup.ts';

/** The decrypted bytes, with a flag for a format that is no longer written. */
export interface Decrypted {
  readonly bytes: Uint8Array;
  readonly outdated: boolean;
}

/** Encryption of one kind of files: the current method encrypts; it and its fallbacks decrypt. */
export class TargetEncryption {
  /** display name of the kind of files */
  readonly name: string;
  readonly #configuration: EncryptionConfiguration;
  readonly #methods: readonly MethodBlock[];
  readonly #ports: EncryptionPorts;
  #encrypting: Promise<MadeMethod> | undefined;
  /** cache by method and metadata, because the derivation of keys is slow */
  readonly #decrypting = new Map<string, Promise<MadeMethod>>();

  /** `methods` are the configured methods, the current one first. */
  constructor(
    configuration: EncryptionConfiguration,
    name: string,
    methods: readonly MethodBlock[],
    ports: EncryptionPorts,
  ) {
    this.#configuration = configuration;
    this.name = name;
    this.#methods = methods;
    this.#ports = ports;
  }

  /** Returns true if new files are encrypted. */
  get encrypts(): boolean {
    return this.#methods[0]?.type !== UNENCRYPTED;
  }

  /** Returns true if unencrypted files may be read. */
  get allowsPlain(): boolean {
    return this.#methods.some(({ type }) => type === UNENCRYPTED);
  }

  /** Validates the methods without requesting any keys. */
  async check(): Promise<readonly Diagnostic[]> {
    const diagnostics: Diagnostic[] = [];
    for (const block of this.#methods.slice(0, 1)) {
      if (block.type === UNENCRYPTED) continue;
      const purpose = { kind: 'check' } as const;
      const method = await makeMethod(this.#configuration, block, purpose, this.#ports);
      diagnostics.push(...method.diagnostics);
    }
    return diagnostics;
  }

  /** Obtains the encryption key, which is used from then on; returns diagnostics if it is not available. */
  async prepare(): Promise<readonly Diagnostic[]> {
    if (!this.encrypts) return [];
    return (await this.#encryptor()).diagnostics;
  }

  async #encryptor(): Promise<MadeMethod> {
    const [block] = this.#methods;
    if (block === undefined) throw new EncryptionError(`no method is configured for ${this.name}`);
    this.#encrypting ??= makeMethod(this.#configuration, block, { kind: 'encrypt' }, this.#ports);
    return await this.#encrypting;
  }

  /**
   * Encrypts bytes for storage. The result can be iterated once, and throws on errors during the iteration. Rejects
   * with an {@link EncryptionError}.
   */
  async encrypt(data: Iterable<Uint8Array>, name?: StateName): Promise<Iterable<Uint8Array>> {
    if (!this.encrypts) return data;
    const { method, metadata, diagnostics } = await this.#encryptor();
    if (method === undefined) throw new EncryptionError(textOf(diagnostics));
    try {
      return writeEnvelope(metadata, await method.encrypt(data), name);
    } catch (error) {
      if (!(error instanceof EncryptionError)) throw error;
      throw new EncryptionError(`encryption failed for ${this.name}: ${error.message}`);
    }
  }

  /**
   * Decrypts a file. An unencrypted file is returned unchanged if that is allowed and `plainProblem` accepts it.
   * Rejects with an {@link EncryptionError}.
   */
  async decrypt(
    bytes: Uint8Array,
    plainProblem: (bytes: Uint8Array) => string | undefined,
  ): Promise<Decrypted & { readonly envelope?: Envelope }> {
    let envelope: Envelope | undefined;
    let syntaxError: string | undefined;
    try {
      envelope = readEnvelope(bytes);
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      syntaxError = error.message;
    }
    if (envelope === undefined) return this.#plain(bytes, syntaxError, plainProblem);
    const { version } = envelope;
    if (version !== ENVELOPE_VERSION) {
      throw new EncryptionError(
        `invalid encrypted payload version: ${version} != ${ENVELOPE_VERSION}`,
      );
    }
    const failures: string[] = [];
    for (const [index, block] of this.#methods.entries()) {
      if (block.type === UNENCRYPTED) continue;
      const { method, diagnostics } = await this.#decryptor(block, envelope);
      if (method === undefined) throw new EncryptionError(textOf(diagnostics));
      const plain = await attempt(method, envelope.data);
      if (!('failure' in plain)) return { ...plain, outdated: index > 0, envelope };
      failures.push(`attempted decryption failed for ${this.name}: ${plain.failure}`);
    }
    throw new EncryptionError(
      ['decryption failed for all provided methods', ...failures].join('\n'),
    );
  }

  #plain(
    bytes: Uint8Array,
    syntaxError: string | undefined,
    plainProblem: (bytes: Uint8Array) => string | undefined,
  ): Decrypted {
    const problem = plainProblem(bytes);
    if (problem !== undefined) {
      throw new EncryptionError(
        syntaxError === undefined
          ? `unable to determine data structure during decryption: ${problem}`
          : `invalid data format for decryption: ${syntaxError}, ${problem}`,
      );
    }
    if (!this.allowsPlain) {
      throw new EncryptionError(
        'encountered unencrypted payload without unencrypted method configured',
      );
    }
    return { bytes, outdated: this.encrypts };
  }

  #decryptor(block: MethodBlock, { metadata }: Envelope): Promise<MadeMethod> {
    const metadataText = [...metadata].map(([name, bytes]) => [
      name,
      Buffer.from(bytes).toString('latin1'),
    ]);
    const key = JSON.stringify([block.type, block.name, metadataText]);
    let method = this.#decrypting.get(key);
    if (method === undefined) {
      const purpose = { kind: 'decrypt', metadata } as const;
      method = makeMethod(this.#configuration, block, purpose, this.#ports);
      this.#decrypting.set(key, method);
    }
    return method;
  }
}

async function attempt(
  method: Method,
  data: Uint8Array,
): Promise<{ readonly bytes: Uint8Array } | { readonly failure: string }> {
  try {
    return { bytes: await method.decrypt(fromBase64(data)) };
  } catch (error) {
    if (!(error instanceof EncryptionError)) throw error;
    return { failure: userErrorText(error) };
  }
}

/** Formats diagnostics as one text, as OpenTofu does for errors. */
function textOf(diagnostics: readonly Diagnostic[]): string {
  const [first, ...more] = diagnostics.filter(({ severity }) => severity === 'error');
  if (first === undefined || !hasErrors(diagnostics))
    return 'the encryption method is not available';
  const { subject, summary, detail } = first;
  const place = subject === undefined ? '' : `${subject}: `;
  const rest = more.length === 0 ? '' : `, and ${more.length} other diagnostic(s)`;
  return `${place}${summary}; ${detail}${rest}`;
}
