import { quoteText } from '@terrane/cty';
import { parseHostname } from './provider-source.ts';
import { cleanPath } from './clean-path.ts';
import {
  parseRemoteSource,
  remoteSourceText,
  splitSubdirectory,
  type ModuleSourceError,
  type RemoteSource,
} from './remote-source.ts';

/** The parsed source address of a module. */
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
  /** any source that a downloader supports: Git, HTTP, buckets, absolute paths */
  | RemoteSource;

const LOCAL_PREFIXES = ['./', '../', '.\\', '..\\'];
const DEFAULT_HOST = 'registry.terraform.io';

/** Parses the `source` argument (moduleaddrs.ParseModuleSource). With a version it must be a registry address. */
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

/** Formats a source as Terraform and OpenTofu print it. */
export function moduleSourceText(source: ModuleSource): string {
  switch (source.kind) {
    case 'local':
      return source.path;
    case 'remote':
      return remoteSourceText(source);
    case 'registry': {
      const subdirectory = source.subdirectory === '' ? '' : `//${source.subdirectory}`;
      return `${source.host}/${source.namespace}/${source.name}/${source.system}${subdirectory}`;
    }
  }
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
    const hostname = parts[0] ?? '';
    const parsed = parseHostname(hostname);
    if (typeof parsed !== 'string') {
      const hint = hostname.includes('--')
        ? '; internationalized domain names must be given as direct unicode characters, not in punycode'
        : '';
      return { error: `invalid module registry hostname ${quoteText(hostname)}${hint}` };
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
