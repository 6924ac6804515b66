import { compareText, quoteText } from '@terrane/cty';
import { domainToASCII, domainToUnicode } from 'node:url';
import { parseTraversal, Source } from '@terrane/hcl';
import { instanceKeyText } from './instance-key.ts';
import { MODULE_ROOT, type ModulePath } from './module-path.ts';
import { InternTable } from './intern-table.ts';

const DEFAULT_HOST = 'registry.terraform.io';
const BUILTIN_HOST = 'terraform.io';
const BUILTIN_NAMESPACE = 'builtin';
const LEGACY_NAMESPACE = '-';
const FORMAT_DETAIL = 'The "source" attribute must be in the format "[hostname/][namespace/]name"';

/** The error for a malformed provider source address, worded as terraform-registry-address does. */
export interface ProviderSourceError {
  readonly error: string;
  readonly summary: string;
}

/** A provider type: registry host, namespace and type. Interned. */
export class ProviderSource {
  static readonly #interned: InternTable<string, ProviderSource> = new InternTable();
  static #lastImplied: ProviderSource | undefined;
  readonly hostname: string;
  readonly namespace: string;
  readonly type: string;
  /** "registry.terraform.io/hashicorp/random" */
  readonly text: string;
  /** without the default host: "hashicorp/random" */
  readonly display: string;

  private constructor(hostname: string, namespace: string, type: string) {
    this.hostname = hostname;
    this.namespace = namespace;
    this.type = type;
    this.text = `${hostname}/${namespace}/${type}`;
    this.display = hostname === DEFAULT_HOST ? `${namespace}/${type}` : this.text;
  }

  /** The address of already normalised parts. */
  static of(hostname: string, namespace: string, type: string): ProviderSource {
    const text = `${hostname}/${namespace}/${type}`;
    let interned = ProviderSource.#interned.get(text);
    if (interned === undefined) {
      interned = new ProviderSource(hostname, namespace, type);
      ProviderSource.#interned.set(text, interned);
    }
    return interned;
  }

  /** Provider of a name that `required_providers` does not mention: hashicorp's, or the built-in `terraform`. */
  static implied(localName: string): ProviderSource {
    // Resources of one provider follow each other in most configurations.
    const last = ProviderSource.#lastImplied;
    if (last?.type === localName) return last;
    const implied =
      localName === 'terraform'
        ? ProviderSource.of(BUILTIN_HOST, BUILTIN_NAMESPACE, localName)
        : ProviderSource.of(DEFAULT_HOST, 'hashicorp', localName);
    ProviderSource.#lastImplied = implied;
    return implied;
  }

  /** "name", "namespace/name" or "hostname/namespace/name"; `error` is the detail of Terraform's diagnostic. */
  static parse(source: string): ProviderSource | ProviderSourceError {
    const interned = ProviderSource.#interned.get(source);
    if (interned !== undefined) return interned;
    const parts = source.split('/');
    if (parts.length > 3 || parts.some((part) => part === '')) {
      return { summary: 'Invalid provider source string', error: FORMAT_DETAIL };
    }
    const givenType = parts[parts.length - 1] ?? '';
    const type = parseProviderPart(givenType);
    if (typeof type !== 'string') {
      return {
        summary: 'Invalid provider type',
        error: `Invalid provider type ${quoteText(givenType)} in source ${quoteText(source)}: ${type.error}"`,
      };
    }
    let namespace = 'hashicorp';
    if (parts.length > 1) {
      const namespaceText = parts[parts.length - 2] ?? '';
      if (namespaceText === LEGACY_NAMESPACE) namespace = namespaceText;
      else {
        const part = parseProviderPart(namespaceText);
        if (typeof part !== 'string') {
          return {
            summary: 'Invalid provider namespace',
            error: `Invalid provider namespace "" in source ${quoteText(source)}: ${part.error}"`,
          };
        }
        namespace = part;
      }
    }
    let hostname = DEFAULT_HOST;
    if (parts.length === 3) {
      const host = parseHostname(parts[0] ?? '');
      if (typeof host !== 'string') {
        return {
          summary: 'Invalid provider source hostname',
          error: `Invalid provider source hostname namespace "" in source ${quoteText(source)}: ${host.error}"`,
        };
      }
      hostname = host;
    }
    if (namespace === LEGACY_NAMESPACE && hostname !== DEFAULT_HOST) {
      return {
        summary: 'Invalid provider namespace',
        error: `The legacy provider namespace "-" can be used only with hostname ${DEFAULT_HOST}.`,
      };
    }
    // The check does not apply to a bare name.
    if (parts.length > 1 && type.startsWith('terraform-'))
      return refuseRedundantPrefix(hostname, namespace, type);
    return ProviderSource.of(hostname, namespace, type);
  }

  /** Part of the program itself, never installed. */
  get isBuiltin(): boolean {
    return this.hostname === BUILTIN_HOST && this.namespace === BUILTIN_NAMESPACE;
  }

  /** Under the default host and the namespace hashicorp. */
  get isDefault(): boolean {
    return this.hostname === DEFAULT_HOST && this.namespace === 'hashicorp';
  }

  toString(): string {
    return this.text;
  }
}

function refuseRedundantPrefix(
  hostname: string,
  namespace: string,
  type: string,
): ProviderSourceError {
  const prefix = hostname === DEFAULT_HOST ? '' : `${hostname}/`;
  const mistaken = 'terraform-provider-';
  const suggested = type.startsWith(mistaken) ? type.slice(mistaken.length) : '';
  if (suggested !== '' && typeof parseProviderPart(suggested) === 'string') {
    return {
      summary: 'Invalid provider type',
      error:
        `Provider source ${quoteText(`${prefix}${namespace}/${type}`)} has a type with the prefix "${mistaken}", which isn't valid. ` +
        'Although that prefix is often used in the names of version control repositories for Terraform providers, provider source strings should not include it.\n\n' +
        `Did you mean ${quoteText(`${prefix}${namespace}/${suggested}`)}?`,
    };
  }
  return {
    summary: 'Invalid provider type',
    error:
      `Provider source ${quoteText(`${hostname}/${namespace}/${type}`)} has a type with the prefix "terraform-", ` +
      "which isn't allowed because it would be redundant to name a Terraform provider with that prefix. " +
      'If you are the author of this provider, rename it to not include the prefix.',
  };
}

/**
 * A namespace or type in its normal form: lower case, letters, digits and single inner dashes, as a DNS label.
 */
export function parseProviderPart(text: string): string | { readonly error: string } {
  if (text === '') return { error: 'must have at least one character' };
  if (text.includes('.')) return { error: 'dots are not allowed' };
  if (text.includes('--')) return { error: 'cannot use multiple consecutive dashes' };
  const label = normalLabel(text);
  return (
    label ?? {
      error:
        'must contain only letters, digits, and dashes, and may not use leading or trailing dashes',
    }
  );
}

function normalLabel(text: string): string | undefined {
  if (/^[\x21-\x7e]*$/.test(text)) {
    return /^[a-zA-Z0-9-]+$/.test(text) && !text.startsWith('-') && !text.endsWith('-')
      ? text.toLowerCase()
      : undefined;
  }
  if (/[\s\x00-\x2c/:-@[-`{-\x7f]/.test(text)) return undefined;
  const ascii = domainToASCII(text);
  return ascii === '' ? undefined : domainToUnicode(ascii);
}

/** A host name with an optional port in its normal form (svchost.ForComparison). */
export function parseHostname(text: string): string | { readonly error: string } {
  const colon = text.indexOf(':');
  const host = colon === -1 ? text : text.slice(0, colon);
  let port = '';
  if (colon !== -1) {
    const digits = text.slice(colon + 1);
    if (!/^[+-]?[0-9]+$/.test(digits)) {
      const lower = host.toLowerCase();
      return lower === 'https' || lower === 'http'
        ? { error: 'need just a hostname and optional port number, not a full URL' }
        : { error: 'port portion contains non-digit characters' };
    }
    const number = Number(digits);
    if (number > 65535) return { error: 'port number is greater than 65535' };
    port = number === 443 ? '' : `:${number}`;
  }
  if (host === '') return { error: 'empty string is not a valid hostname' };
  const labels = host.split('.');
  for (const label of labels) {
    if (label === '') {
      return { error: 'hostname contains empty label (two consecutive periods)' };
    }
    if (label.startsWith('xn--')) {
      return {
        error: `hostname label ${quoteText(label)} specified in punycode format; service hostnames must be given in unicode`,
      };
    }
  }
  const normal: string[] = [];
  for (const label of labels) {
    const normalized = normalLabel(label);
    if (normalized === undefined) return { error: idnaError(label) };
    normal.push(normalized);
  }
  return normal.join('.') + port;
}

function idnaError(label: string): string {
  const bad = /[^a-zA-Z0-9-]/u.exec(label)?.[0];
  if (bad === undefined) return `idna: invalid label ${quoteText(label)}`;
  const code = (bad.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `idna: disallowed rune U+${code}`;
}

/** Order of provider addresses: host, namespace, type. */
export function compareProviderSources(a: ProviderSource, b: ProviderSource): number {
  if (a === b) return 0;
  return (
    compareText(a.hostname, b.hostname) ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.type, b.type)
  );
}

/**
 * A provider configuration of one module, default or aliased, or one instance of a configuration with
 * `for_each`. Interned.
 */
export class ProviderConfigAddr {
  static readonly #interned: InternTable<string, ProviderConfigAddr> = new InternTable();
  readonly module: ModulePath;
  readonly provider: ProviderSource;
  readonly alias: string | undefined;
  /** the key of an instance */
  readonly key: string | undefined;
  /** the configuration of this instance, or itself if it is not an instance */
  readonly configuration: ProviderConfigAddr;
  /** the address in the form of state files: `module.a.provider["registry.terraform.io/hashicorp/x"].alias["key"]` */
  readonly text: string;

  private constructor(
    module: ModulePath,
    provider: ProviderSource,
    alias: string | undefined,
    text: string,
    instance?: { readonly of: ProviderConfigAddr; readonly key: string },
  ) {
    this.module = module;
    this.provider = provider;
    this.alias = alias;
    this.text = text;
    this.key = instance?.key;
    this.configuration = instance?.of ?? this;
  }

  /** The instance with a key of the same configuration; the configuration itself without one. */
  instance(key: string | undefined): ProviderConfigAddr {
    const of = this.configuration;
    if (key === undefined) return of;
    const text = of.text + instanceKeyText(key);
    let interned = ProviderConfigAddr.#interned.get(text);
    if (interned === undefined) {
      interned = new ProviderConfigAddr(of.module, of.provider, of.alias, text, { of, key });
      ProviderConfigAddr.#interned.set(text, interned);
    }
    return interned;
  }

  static of(module: ModulePath, provider: ProviderSource, alias?: string): ProviderConfigAddr {
    const prefix = module.isRoot ? '' : `${module.text}.`;
    const suffix = alias === undefined ? '' : `.${alias}`;
    const text = `${prefix}provider["${provider.text}"]${suffix}`;
    let interned = ProviderConfigAddr.#interned.get(text);
    if (interned === undefined) {
      interned = new ProviderConfigAddr(module, provider, alias, text);
      ProviderConfigAddr.#interned.set(text, interned);
    }
    return interned;
  }

  /** Parses the address in a state file; undefined if it is invalid. */
  static parse(text: string): ProviderConfigAddr | undefined {
    const interned = ProviderConfigAddr.#interned.get(text);
    if (interned !== undefined) return interned;
    const { traversal, diagnostics } = parseTraversal(new Source('', text));
    if (traversal === undefined || diagnostics.some((d) => d.severity === 'error'))
      return undefined;
    const steps = traversal.steps;
    let module = MODULE_ROOT;
    let at = 0;
    for (;;) {
      const step = steps[at];
      if (step === undefined || (step.kind !== 'root' && step.kind !== 'attr')) return undefined;
      if (step.name !== 'module') break;
      const name = steps[at + 1];
      if (name?.kind !== 'attr') return undefined;
      module = module.child(name.name);
      at += 2;
    }
    const keyword = steps[at];
    const source = steps[at + 1];
    const alias = steps[at + 2];
    const key = steps[at + 3];
    if (steps.length > at + 4) return undefined;
    if (keyword === undefined || (keyword.kind !== 'root' && keyword.kind !== 'attr')) {
      return undefined;
    }
    if (keyword.name !== 'provider' || source?.kind !== 'index') return undefined;
    if (source.key.type.kind !== 'string') return undefined;
    if (alias !== undefined && alias.kind !== 'attr') return undefined;
    const provider = ProviderSource.parse(source.key.asString());
    if (!(provider instanceof ProviderSource)) return undefined;
    const configuration = ProviderConfigAddr.of(module, provider, alias?.name);
    if (key === undefined) return configuration;
    if (key.kind !== 'index' || key.key.type.kind !== 'string') return undefined;
    return configuration.instance(key.key.asString());
  }

  toString(): string {
    return this.text;
  }
}
