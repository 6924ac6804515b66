/**
 * Parses a connection string of PostgreSQL as lib/pq reads it for Terraform: a URL
 * (`postgres://user@host/db?key=value`) or pairs (`host=… user=…`, values in single quotes where they have spaces).
 * Throws an error that does not repeat it, since there may be a password in it.
 */
export function parseConnectionString(text: string): ReadonlyMap<string, string> {
  return /^postgres(?:ql)?:\/\//.test(text) ? fromUrl(text) : fromPairs(text);
}

function fromUrl(text: string): ReadonlyMap<string, string> {
  let url: URL;
  try {
    // As a scheme that has a host, so that it is read as one.
    url = new URL(text.replace(/^postgres(?:ql)?:/, 'http:'));
  } catch (error) {
    // Without a host, the library uses the default one.
    const hostless = /^postgres(?:ql)?:\/\/(?:([^@/?]*)@)?(\/.*)?$/.exec(text);
    if (hostless === null) throw unreadable('it is not a URL', error);
    return fromUrl(
      `postgres://${hostless[1] ?? ''}${hostless[1] === undefined ? '' : '@'}localhost${hostless[2] ?? '/'}`,
    );
  }
  const parameters = new Map<string, string>();
  const set = (key: string, value: string): void => {
    if (value !== '') parameters.set(key, decodeComponent(value));
  };
  set('user', url.username);
  set('password', url.password);
  set('host', url.hostname.replace(/^\[(.*)\]$/, '$1'));
  set('port', url.port === '' && /:80(?:[/?]|$)/.test(text) ? '80' : url.port);
  set('dbname', url.pathname.replace(/^\//, ''));
  for (const [key, value] of url.searchParams) if (value !== '') parameters.set(key, value);
  return parameters;
}

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw unreadable('an escape in it is wrong', error);
  }
}

/** name = value | name = 'value', with backslashes to escape characters */
const PAIR = /\s*([^\s=]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(?!')((?:[^\s\\]|\\.)*))(?:\s+|$)/suy;

function fromPairs(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  const trimmed = text.trim();
  for (let at = 0; at < trimmed.length; at = PAIR.lastIndex) {
    PAIR.lastIndex = at;
    const [, key, quoted, plain = ''] = PAIR.exec(trimmed) ?? [];
    if (key === undefined) {
      throw unreadable(
        'it is neither a URL that begins with "postgres://" nor pairs of name=value',
      );
    }
    parameters.set(key, (quoted ?? plain).replaceAll(/\\(.)/gs, '$1'));
  }
  return parameters;
}

function unreadable(reason: string, cause?: unknown): Error {
  return new Error(`The connection string of the backend "pg" cannot be read: ${reason}.`, {
    cause,
  });
}
