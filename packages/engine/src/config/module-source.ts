import { quoteText } from '@terrane/cty';
import { parseHostname } from '../addrs/provider-source.ts';

/** Where a module call's module comes from. */
export type ModuleSource =
  /** cleaned, beginning with "./" or "../" */
  | { readonly kind: 'local'; readonly path: string }
  | {
      readonly kind: 'registry';
      readonly host: string;
      readonly namespace: string;
      readonly name: string;
      readonly system: string;
      readonly subdirectory: string;
    }
  /** anything a downloader understands: Git, HTTP, buckets, absolute paths */
  | { readonly kind: 'remote'; readonly address: string };

/** Why a source text is none; `maybeRelative`: what looks like a path without "./". */
export interface ModuleSourceError {
  readonly error: string;
  readonly maybeRelative?: string;
}

const LOCAL_PREFIXES = ['./', '../', '.\\', '..\\'];
const DEFAULT_HOST = 'registry.terraform.io';

/** Understands the `source` argument (moduleaddrs.ParseModuleSource). With a version it must be a registry address. */
export function parseModuleSource(
  text: string,
  hasVersion: boolean,
): { readonly source: ModuleSource } | ModuleSourceError {
  if (LOCAL_PREFIXES.some((prefix) => text.startsWith(prefix))) {
    if (hasVersion) {
      return { error: `can't use local directory ${quoteText(text)} as a module registry address` };
    }
    const clean = cleanPath(text.replaceAll('\\', '/'));
    return { source: { kind: 'local', path: clean.startsWith('../') ? clean : `./${clean}` } };
  }
  const registry = parseRegistrySource(text);
  if (!('error' in registry) || hasVersion) return registry;
  return parseRemoteSource(text);
}

/** The source as the originals print it. */
export function moduleSourceText(source: ModuleSource): string {
  switch (source.kind) {
    case 'local':
      return source.path;
    case 'remote':
      return source.address;
    case 'registry': {
      const subdirectory = source.subdirectory === '' ? '' : `//${source.subdirectory}`;
      return `${source.host}/${source.namespace}/${source.name}/${source.system}${subdirectory}`;
    }
  }
}

/** Go's path.Clean. */
export function cleanPath(path: string): string {
  const rooted = path.startsWith('/');
  const out: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') out.push(part);
    else if (out.length > 0 && out[out.length - 1] !== '..') out.pop();
    else if (!rooted) out.push(part);
  }
  const joined = out.join('/');
  if (rooted) return `/${joined}`;
  return joined === '' ? '.' : joined;
}

const NAME = /^[0-9A-Za-z](?:[0-9A-Za-z\-_]{0,62}[0-9A-Za-z])?$/;
const NAME_RULE =
  'must be between one and 64 characters, including ASCII letters, digits, dashes, and underscores, where dashes and underscores may not be the prefix or suffix';
const SYSTEM = /^[0-9a-z]{1,64}$/;

function parseRegistrySource(
  text: string,
): { readonly source: ModuleSource } | { readonly error: string } {
  const split = splitSubdirectory(text);
  const subdirectory = split.subdirectory;
  if (subdirectory.startsWith('../')) {
    return {
      error: `subdirectory path ${quoteText(subdirectory)} leads outside of the module package`,
    };
  }
  let parts = split.address.split('/');
  if (parts.length !== 3 && parts.length !== 4) {
    return {
      error:
        'a module registry source address must have either three or four slash-separated components',
    };
  }
  let host = DEFAULT_HOST;
  if (parts.length === 4) {
    const given = parts[0] ?? '';
    const parsed = parseHostname(given);
    if (typeof parsed !== 'string') {
      const hint = given.includes('--')
        ? '; internationalized domain names must be given as direct unicode characters, not in punycode'
        : '';
      return { error: `invalid module registry hostname ${quoteText(given)}${hint}` };
    }
    if (!parsed.includes('.')) {
      return { error: 'invalid module registry hostname: must contain at least one dot' };
    }
    host = parsed;
    parts = parts.slice(1);
  }
  if (host === 'github.com' || host === 'bitbucket.org') {
    return {
      error: `can't use ${quoteText(host)} as a module registry host, because it's reserved for installing directly from version control repositories`,
    };
  }
  const [namespace = '', name = '', system = ''] = parts;
  if (!NAME.test(namespace)) {
    return namespace.includes('.')
      ? {
          error:
            'source address must have three more components after the hostname: the namespace, the name, and the target system',
        }
      : { error: `invalid namespace ${quoteText(namespace)}: ${NAME_RULE}` };
  }
  if (!NAME.test(name)) return { error: `invalid module name ${quoteText(name)}: ${NAME_RULE}` };
  if (!SYSTEM.test(system)) {
    return system.includes('?')
      ? { error: 'module registry addresses may not include a query string portion' }
      : {
          error: `invalid target system ${quoteText(system)}: must be between one and 64 ASCII letters or digits`,
        };
  }
  return { source: { kind: 'registry', host, namespace, name, system, subdirectory } };
}

function parseRemoteSource(text: string): { readonly source: ModuleSource } | ModuleSourceError {
  const { address, subdirectory } = splitSubdirectory(text);
  if (subdirectory.startsWith('../')) {
    return {
      error: `subdirectory path ${quoteText(subdirectory)} leads outside of the module package`,
    };
  }
  const forced = /^([A-Za-z0-9]+)::(.+)$/s.exec(address);
  const location = forced?.[2] ?? address;
  const isUrl = /^[A-Za-z][A-Za-z0-9+.-]*:/.test(location);
  if (!isUrl) {
    if (location.startsWith('github.com/') && location.split('?')[0]?.split('/').length === 2) {
      return { error: 'GitHub URLs should be github.com/username/repo' };
    }
    if (location === '') return { error: `invalid source address: ${location}` };
    if (!isShorthand(location)) {
      return {
        error: `Terraform cannot detect a supported external module source type for ${location}`,
        maybeRelative: location,
      };
    }
  }
  return { source: { kind: 'remote', address: text } };
}

const SCP_STYLE = /^git@[^:]+:\/?.+$/;

function isShorthand(location: string): boolean {
  return (
    location.startsWith('/') ||
    location.startsWith('github.com/') ||
    location.startsWith('bitbucket.org/') ||
    location.includes('googleapis.com/') ||
    location.includes('.amazonaws.com/') ||
    SCP_STYLE.test(location)
  );
}

function splitSubdirectory(text: string): {
  readonly address: string;
  readonly subdirectory: string;
} {
  const query = text.indexOf('?');
  const stop = query === -1 ? text.length : query;
  const scheme = text.slice(0, stop).indexOf('://');
  const offset = scheme === -1 ? 0 : scheme + 3;
  const at = text.slice(0, stop).indexOf('//', offset);
  if (at === -1) return { address: text, subdirectory: '' };
  const rest = text.slice(at + 2);
  const restQuery = rest.indexOf('?');
  const directory = restQuery === -1 ? rest : rest.slice(0, restQuery);
  return {
    address: text.slice(0, at) + (restQuery === -1 ? '' : rest.slice(restQuery)),
    subdirectory: directory === '' ? '' : cleanPath(directory),
  };
}
