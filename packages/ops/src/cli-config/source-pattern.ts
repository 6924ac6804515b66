/** Patterns of provider addresses; `*` matches every name. */
import { parseHostname, parseProviderPart, type ProviderSource } from '@terrane/addresses';
export interface SourcePattern {
  readonly hostname: string;
  readonly namespace: string;
  readonly type: string;
}

const DEFAULT_HOST = 'registry.terraform.io';

/** Reads patterns of `include` and `exclude`: "host/namespace/type" or "namespace/type". */
export function parseSourcePatterns(
  texts: readonly string[],
): readonly SourcePattern[] | { readonly error: string } {
  const patterns: SourcePattern[] = [];
  for (const text of texts) {
    const pattern = parseSourcePattern(text);
    if ('error' in pattern) return pattern;
    patterns.push(pattern);
  }
  return patterns;
}

function parseSourcePattern(text: string): SourcePattern | { readonly error: string } {
  const quoted = JSON.stringify(text);
  const parts = text.split('/');
  if (parts.length < 2 || parts.length > 3) {
    return {
      error: `invalid provider matching pattern ${quoted}: must have either two or three slash-separated segments`,
    };
  }
  let hostname = DEFAULT_HOST;
  if (parts.length === 3) {
    const host = orWildcard(parts.shift() ?? '', parseHostname);
    if (typeof host !== 'string') {
      return { error: `invalid hostname in provider matching pattern ${quoted}: ${host.error}` };
    }
    hostname = host;
  }
  const [givenNamespace = '', givenType = ''] = parts;
  const type = orWildcard(givenType, parseProviderPart);
  if (typeof type !== 'string') {
    return {
      error: `invalid provider type ${JSON.stringify(givenType)} in provider matching pattern ${quoted}: must either be the wildcard * or a provider type name`,
    };
  }
  const namespace = orWildcard(givenNamespace, parseProviderPart);
  if (typeof namespace !== 'string') {
    return {
      error: `invalid registry namespace ${JSON.stringify(givenType)} in provider matching pattern ${quoted}: must either be the wildcard * or a literal namespace`,
    };
  }
  if (hostname === '*' && !(namespace === '*' && type === '*')) {
    return {
      error: `invalid provider matching pattern ${quoted}: hostname can be a wildcard only if both namespace and provider type are also wildcards`,
    };
  }
  if (namespace === '*' && type !== '*') {
    return {
      error: `invalid provider matching pattern ${quoted}: namespace can be a wildcard only if the provider type is also a wildcard`,
    };
  }
  return { hostname, namespace, type };
}

type Parsed = string | { readonly error: string };

function orWildcard(text: string, parse: (text: string) => Parsed): Parsed {
  return text === '*' ? text : parse(text);
}

/** Returns true if any pattern matches the provider. */
function matchesSource(patterns: readonly SourcePattern[], source: ProviderSource): boolean {
  const matches = (pattern: string, name: string): boolean => pattern === '*' || pattern === name;
  return patterns.some(
    ({ hostname, namespace, type }) =>
      matches(hostname, source.hostname) &&
      matches(namespace, source.namespace) &&
      matches(type, source.type),
  );
}

/** Returns true if an installation method includes the provider and does not exclude it. */
export function coversSource(
  method: {
    readonly include: readonly SourcePattern[];
    readonly exclude: readonly SourcePattern[];
  },
  source: ProviderSource,
): boolean {
  if (matchesSource(method.exclude, source)) return false;
  return method.include.length === 0 || matchesSource(method.include, source);
}
