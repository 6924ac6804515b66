import { UNKNOWN, type Value } from '@terrane/cty';
import {
  asTraversal,
  type Body,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  parseTraversal,
  type Range,
  Source,
  type Traversal,
  variables,
} from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import type { EncryptionConfiguration, KeyProviderBlock, MethodBlock } from './configuration.ts';
import type { Metadata } from './envelope.ts';
import { EncryptionError } from './failure.ts';
import { type KeyHost, type KeyProvider, MetadataError } from './key-provider.ts';
import { type Keys, keysValue } from './keys.ts';
import { KEY_PROVIDERS, METHODS } from './kinds.ts';
import type { Method } from './method.ts';
import { decodeSettings, type EvaluateArgument } from './settings.ts';

/**
 * Evaluates an expression with the constants of the root module; `resolve` resolves other references. Unknown, with
 * diagnostics, if that fails.
 */
export type EvaluateConstant = (
  expression: Expression,
  use: { readonly name: string; readonly range: Range },
  resolve: (traversal: Traversal) => Value | undefined,
  diagnostics: Diagnostic[],
) => Value;

/** Dependencies of key providers and methods. */
export interface EncryptionPorts {
  readonly host: KeyHost;
  readonly evaluate: EvaluateConstant;
}

/**
 * The purpose of a method: validation, which requests no keys; encryption; or decryption of a file with this metadata.
 */
export type Purpose =
  | { readonly kind: 'check' }
  | { readonly kind: 'encrypt' }
  | { readonly kind: 'decrypt'; readonly metadata: Metadata };

/** A method ready for its purpose, or why it is not. */
export interface MadeMethod {
  readonly method?: Method;
  /** the metadata that files need to recover the keys */
  readonly metadata: Metadata;
  readonly diagnostics: readonly Diagnostic[];
}

/** Creates a method with the keys that it refers to. */
export async function makeMethod(
  configuration: EncryptionConfiguration,
  block: MethodBlock,
  purpose: Purpose,
  ports: EncryptionPorts,
): Promise<MadeMethod> {
  const setup = new Setup(configuration, purpose, ports);
  const method = await setup.method(block);
  const { metadata, diagnostics } = setup;
  return method === undefined ? { metadata, diagnostics } : { method, metadata, diagnostics };
}

// The size of the largest AES key; the placeholder never encrypts data.
const PLACEHOLDER = 32;

class Setup {
  readonly metadata = new Map<string, Uint8Array>();
  readonly diagnostics: Diagnostic[] = [];
  readonly #configuration: EncryptionConfiguration;
  readonly #purpose: Purpose;
  readonly #ports: EncryptionPorts;
  /** values of key providers, by `TYPE.NAME`; undefined during evaluation or after an error */
  readonly #values = new Map<string, Value | undefined>();
  /** the metadata names in use */
  readonly #named = new Set<string>();

  constructor(configuration: EncryptionConfiguration, purpose: Purpose, ports: EncryptionPorts) {
    this.#configuration = configuration;
    this.#purpose = purpose;
    this.#ports = ports;
  }

  async method({ type, name, body }: MethodBlock): Promise<Method | undefined> {
    const kind = METHODS.get(type);
    if (kind === undefined) {
      this.#fail(
        `Error fetching encryption method ${JSON.stringify(type)}`,
        `encryption method with ID ${type} not found`,
      );
      return undefined;
    }
    if (!(await this.#prepare(body, []))) return undefined;
    const settings = decodeSettings(
      body,
      kind.shape,
      this.#evaluator(`encryption.method.${type}.${name}`),
      this.diagnostics,
    );
    if (settings === undefined) return undefined;
    try {
      return kind.build(settings, this.#ports.host);
    } catch (error) {
      if (!(error instanceof EncryptionError)) throw error;
      this.#fail('Invalid method configuration', error.message);
      return undefined;
    }
  }

  #fail(summary: string, detail: string, subject?: Range): void {
    this.diagnostics.push(errorDiagnostic(summary, detail, subject));
  }

  /** Works out the key providers that a body refers to. */
  async #prepare(body: Body, stack: readonly string[]): Promise<boolean> {
    const before = this.diagnostics.length;
    for (const { expression } of body.justAttributes().attributes.values()) {
      for (const traversal of references(expression)) {
        const reference = keyProviderNamed(traversal);
        if (reference === undefined) continue;
        if (reference === 'malformed') {
          this.#fail(
            'Invalid Key Provider expression format',
            'The key_provider symbol must be followed by two more attribute names specifying the type and name of the selected key provider.',
            traversal.range,
          );
          continue;
        }
        const { type, name } = reference;
        const block = this.#configuration.keyProviders.find(
          (keyProvider) => keyProvider.type === type && keyProvider.name === name,
        );
        if (block === undefined) {
          this.#fail(
            'Reference to undeclared key provider',
            `There is no key_provider ${JSON.stringify(type)} ${JSON.stringify(name)} block declared in the encryption block.`,
            traversal.range,
          );
          continue;
        }
        await this.#keyProvider(block, stack);
      }
    }
    return !hasErrors(this.diagnostics, before);
  }

  async #keyProvider(block: KeyProviderBlock, stack: readonly string[]): Promise<void> {
    const { type, name } = block;
    const address = `key_provider.${type}.${name}`;
    if (stack.includes(address)) {
      this.#fail(
        'Circular reference detected',
        `Cannot load ${address} due to circular reference between key providers. Stack trace ${[...stack, address].join(' -> ')}`,
      );
      return;
    }
    const key = `${type}.${name}`;
    if (this.#values.has(key) && !stack.includes(address)) return;
    const kind = KEY_PROVIDERS.get(type);
    if (kind === undefined) {
      this.#values.set(key, undefined);
      this.#fail(
        `Error fetching key_provider ${JSON.stringify(type)}`,
        `key provider with ID ${type} not found`,
      );
      return;
    }
    const prepared = await this.#prepare(block.body, [...stack, address]);
    this.#values.set(key, undefined);
    if (!prepared) return;
    const settings = decodeSettings(
      block.body,
      kind.shape,
      this.#evaluator(`encryption.${address}`),
      this.diagnostics,
    );
    if (settings === undefined) return;
    const known = block.alias === undefined || block.alias === '' ? address : block.alias;
    let provider: KeyProvider;
    try {
      provider = kind.build(settings, this.#ports.host);
    } catch (error) {
      if (!(error instanceof EncryptionError)) throw error;
      this.#fail(
        'Unable to build encryption key data',
        `${known} failed with error: ${error.message}`,
      );
      return;
    }
    if (this.#named.has(known)) {
      this.#fail(
        'Duplicate metadata key',
        `The metadata key ${known} is duplicated across multiple key providers for the same method; use the encrypted_metadata_alias option to specify unique metadata keys for each key provider in an encryption method`,
      );
      return;
    }
    this.#named.add(known);
    const value = await this.#keysOf(provider, known);
    if (value !== undefined) this.#values.set(key, value);
  }

  /** Returns the keys of a key provider for this purpose as a value. */
  async #keysOf(provider: KeyProvider, known: string): Promise<Value | undefined> {
    const placeholder = (length: number): Keys => ({ encryption: new Uint8Array(length) });
    const purpose = this.#purpose;
    try {
      switch (purpose.kind) {
        case 'check': {
          const { keyLength } = provider;
          return keyLength === undefined ? UNKNOWN : keysValue(placeholder(keyLength));
        }
        case 'encrypt': {
          const { key, metadata } = await provider.provide();
          this.metadata.set(known, new TextEncoder().encode(metadata));
          return keysValue({ encryption: key });
        }
        case 'decrypt': {
          const metadata = purpose.metadata.get(known);
          const key = metadata === undefined ? undefined : await provider.recover(metadata);
          if (key === undefined) {
            return keysValue(placeholder(provider.keyLength ?? PLACEHOLDER));
          }
          // Only one of them is needed, and requesting an encryption key may cost money.
          return keysValue({ encryption: key, decryption: key });
        }
      }
    } catch (error) {
      if (error instanceof MetadataError) {
        this.#fail(
          'Unable to decode encrypted metadata (did you change your encryption config?)',
          `metadata decoder for ${known} failed with error: ${error.message}`,
        );
        return undefined;
      }
      if (!(error instanceof EncryptionError)) throw error;
      this.#fail(
        'Unable to fetch encryption key data',
        `${known} failed with error: ${userErrorText(error)}`,
      );
      return undefined;
    }
  }

  #evaluator(name: string): EvaluateArgument {
    const use = { name, range: this.#configuration.range };
    const resolve = (traversal: Traversal): Value | undefined => {
      const reference = keyProviderNamed(traversal);
      if (reference === undefined || reference === 'malformed') return undefined;
      return this.#values.get(`${reference.type}.${reference.name}`);
    };
    return (expression, diagnostics, keysMeant) => {
      const meant = keysMeant === true ? quotedReference(expression) : undefined;
      const quoted = meant === undefined ? undefined : resolve(meant);
      if (quoted !== undefined) return quoted;
      const evaluationDiagnostics: Diagnostic[] = [];
      const value = this.#ports.evaluate(expression, use, resolve, evaluationDiagnostics);
      // Their scopes would disclose passphrases.
      for (const { expression: _, scope: __, ...plain } of evaluationDiagnostics)
        diagnostics.push(plain);
      return value.unmarkDeep().value;
    };
  }
}

/** Returns the references of an expression, including JSON strings that contain a reference. */
function references(expression: Expression): readonly Traversal[] {
  const quoted = quotedReference(expression);
  return quoted === undefined ? variables(expression) : [quoted];
}

function quotedReference(expression: Expression): Traversal | undefined {
  if (expression.kind !== 'template' && expression.kind !== 'json') return undefined;
  if (variables(expression).length > 0) return undefined;
  const diagnostics: Diagnostic[] = [];
  const value = evaluate(expression, undefined, diagnostics);
  if (hasErrors(diagnostics) || value.isNull || !value.isKnown || value.type.kind !== 'string') {
    return undefined;
  }
  const text = value.unmark().asString();
  if (!text.startsWith('key_provider.')) return undefined;
  return (
    asTraversal(expression) ?? parseTraversal(new Source(expression.range.filename, text)).traversal
  );
}

/** Returns the key provider that a traversal refers to; undefined for other references. */
function keyProviderNamed({
  steps,
}: Traversal): { readonly type: string; readonly name: string } | 'malformed' | undefined {
  const [root, type, name] = steps;
  if (steps.length !== 3 || root?.kind !== 'root' || root.name !== 'key_provider') return undefined;
  return type?.kind === 'attr' && name?.kind === 'attr'
    ? { type: type.name, name: name.name }
    : 'malformed';
}
