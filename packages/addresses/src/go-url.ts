// URLs as Go's net/url parses and prints them. Terraform defines source addresses by that package, which differs from
// JavaScript's URL class: the latter drops default ports and dots, and supports fewer schemes.

import { quoteText } from '@terrane/cty';

/** The parts of a URL, percent-decoded except those with `raw` in their names. */
export interface GoUrl {
  /** lower case; "" for a path */
  readonly scheme: string;
  /** the part after the scheme if it is not a path: the rest of `mailto:a` */
  readonly opaque?: string;
  /** `""` for an empty user (`http://@host`); undefined without userinfo */
  readonly user?: string;
  readonly password?: string;
  /** with the port, if any */
  readonly host: string;
  readonly path: string;
  /** the path as written, if it is not in the default encoding; else "" */
  readonly rawPath: string;
  readonly rawQuery: string;
  /** true for an empty query: a question mark with nothing after it */
  readonly emptyQuery?: boolean;
  /** true for a URL with a scheme but without `//` (`file:/a`) */
  readonly omitHost?: boolean;
  readonly fragment: string;
}

/** Query parameters: the values of each name, in order. */
export type QueryValues = ReadonlyMap<string, readonly string[]>;

interface Failure {
  readonly error: string;
}

/** Reads a URL as Go's `url.Parse`; the error is Go's too. */
export function parseGoUrl(text: string): GoUrl | Failure {
  const hash = text.indexOf('#');
  const main = hash === -1 ? text : text.slice(0, hash);
  const url = parseMain(main);
  if ('error' in url) return { error: `parse ${quoteText(main)}: ${url.error}` };
  if (hash === -1) return url;
  const fragment = unescapeText(text.slice(hash + 1));
  if (typeof fragment !== 'string') {
    return { error: `parse ${quoteText(text)}: ${fragment.error}` };
  }
  return { ...url, fragment };
}

function parseMain(text: string): GoUrl | Failure {
  // oxlint-disable-next-line no-control-regex -- the pattern must match control characters
  if (/[\x00-\x1f\x7f]/.test(text)) {
    return { error: 'net/url: invalid control character in URL' };
  }
  if (text.startsWith(':')) return { error: 'missing protocol scheme' };
  const schemeMatch = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text);
  const scheme = (schemeMatch?.[1] ?? '').toLowerCase();
  const afterScheme = text.slice(schemeMatch?.[0].length ?? 0);
  const mark = afterScheme.indexOf('?');
  let rest = mark === -1 ? afterScheme : afterScheme.slice(0, mark);
  const rawQuery = mark === -1 ? '' : afterScheme.slice(mark + 1);
  const shared = {
    scheme,
    rawQuery,
    fragment: '',
    ...(mark !== -1 && rawQuery === '' ? { emptyQuery: true } : {}),
  };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...shared, opaque: rest, host: '', path: '', rawPath: '' };
    if ((rest.split('/')[0] ?? '').includes(':')) {
      return { error: 'first path segment in URL cannot contain colon' };
    }
  }
  let authority: Authority = { host: '' };
  if ((scheme !== '' || !rest.startsWith('///')) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    const parsed = parseAuthority(slash === -1 ? rest.slice(2) : rest.slice(2, slash));
    if ('error' in parsed) return parsed;
    authority = parsed;
    rest = slash === -1 ? '' : rest.slice(slash);
  } else if (scheme !== '' && rest.startsWith('/')) authority = { host: '', omitHost: true };
  const path = unescapeText(rest);
  if (typeof path !== 'string') return path;
  return { ...shared, ...authority, path, rawPath: escapeText(path, PATH) === rest ? '' : rest };
}

type Authority = Pick<GoUrl, 'host' | 'user' | 'password' | 'omitHost'>;

function parseAuthority(text: string): Authority | Failure {
  const at = text.lastIndexOf('@');
  const host = parseHost(text.slice(at + 1));
  if (typeof host !== 'string') return host;
  if (at === -1) return { host };
  const userinfo = text.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) {
    return { error: 'net/url: invalid userinfo' };
  }
  const colon = userinfo.indexOf(':');
  const user = unescapeText(colon === -1 ? userinfo : userinfo.slice(0, colon));
  if (typeof user !== 'string') return user;
  if (colon === -1) return { host, user };
  const password = unescapeText(userinfo.slice(colon + 1));
  return typeof password === 'string' ? { host, user, password } : password;
}

function parseHost(text: string): string | Failure {
  let port = '';
  if (text.startsWith('[')) {
    const close = text.lastIndexOf(']');
    if (close === -1) return { error: "missing ']' in host" };
    port = text.slice(close + 1);
  } else if (text.includes(':')) port = text.slice(text.lastIndexOf(':'));
  if (!/^(?::[0-9]*)?$/.test(port)) {
    return { error: `invalid port ${quoteText(port)} after host` };
  }
  const bad = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/.exec(text);
  if (bad !== null) {
    return { error: `invalid character ${quoteText(bad[0])} in host name` };
  }
  const escape = /%(?:[0-7][0-9A-Fa-f])/.exec(text.replaceAll('%25', ''));
  if (escape !== null) return { error: `invalid URL escape ${quoteText(escape[0])}` };
  return unescapeText(text);
}

/** Prints a URL as Go's `URL.String`. */
export function goUrlText(url: GoUrl): string {
  const { scheme, opaque, user, password, host } = url;
  let text = scheme === '' ? '' : `${scheme}:`;
  if (opaque !== undefined) text += opaque;
  else {
    const path = escapedPath(url);
    const hasAuthority = scheme !== '' || host !== '' || user !== undefined;
    const omitted = url.omitHost === true && host === '' && user === undefined;
    if (hasAuthority && !omitted) {
      if (host !== '' || path !== '' || user !== undefined) text += '//';
      if (user !== undefined) {
        text += escapeText(user, USER);
        if (password !== undefined) text += `:${escapeText(password, USER)}`;
        text += '@';
      }
      text += escapeText(host, HOST);
    }
    if (path !== '' && !path.startsWith('/') && host !== '') text += '/';
    if (text === '' && (path.split('/')[0] ?? '').includes(':')) text += './';
    text += path;
  }
  if (url.emptyQuery === true || url.rawQuery !== '') text += `?${url.rawQuery}`;
  if (url.fragment !== '') text += `#${escapeText(url.fragment, FRAGMENT)}`;
  return text;
}

/** Returns the percent-encoded path. */
function escapedPath({ path, rawPath }: Pick<GoUrl, 'path' | 'rawPath'>): string {
  const usable = rawPath !== '' && /^[A-Za-z0-9\-._~!$&'()*+,;=:@[\]%/]*$/.test(rawPath);
  if (usable && unescapeText(rawPath) === path) return rawPath;
  return path === '*' ? '*' : escapeText(path, PATH);
}

/** Reads a query as Go's `url.ParseQuery`. */
export function queryParse(text: string): { readonly values: QueryValues } | Failure {
  const values = new Map<string, string[]>();
  let error: string | undefined;
  for (const part of text.split('&')) {
    if (part.includes(';')) {
      error = 'invalid semicolon separator in query';
      continue;
    }
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = unescapeQuery(equals === -1 ? part : part.slice(0, equals));
    const value = unescapeQuery(equals === -1 ? '' : part.slice(equals + 1));
    if (typeof name !== 'string') error ??= name.error;
    else if (typeof value !== 'string') error ??= value.error;
    else values.set(name, [...(values.get(name) ?? []), value]);
  }
  return error === undefined ? { values } : { error };
}

/** Parses the query of a URL, ignoring malformed parameters (`URL.Query`). */
export function queryOf(url: Pick<GoUrl, 'rawQuery'>): Map<string, readonly string[]> {
  const values = new Map<string, readonly string[]>();
  for (const part of url.rawQuery.split('&')) {
    const parsed = queryParse(part);
    if ('error' in parsed) continue;
    for (const [name, queryValues] of parsed.values) {
      values.set(name, [...(values.get(name) ?? []), ...queryValues]);
    }
  }
  return values;
}

/** Prints a query as Go's `Values.Encode`: sorted by name. */
export function queryEncode(values: QueryValues): string {
  const parts: string[] = [];
  for (const name of [...values.keys()].sort()) {
    for (const value of values.get(name) ?? []) {
      parts.push(`${escapeQuery(name)}=${escapeQuery(value)}`);
    }
  }
  return parts.join('&');
}

const PATH = /[A-Za-z0-9\-_.~$&+,/:;=@]/;
const USER = /[A-Za-z0-9\-_.~$&+,;=]/;
const HOST = /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/;
const FRAGMENT = /[A-Za-z0-9\-_.~$&+,/:;=?@!()*]/;
const QUERY = /[A-Za-z0-9\-_.~]/;

function escapeText(text: string, allowed: RegExp): string {
  let result = '';
  for (const byte of new TextEncoder().encode(text)) {
    const character = String.fromCharCode(byte);
    result +=
      byte < 0x80 && allowed.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return result;
}

function escapeQuery(text: string): string {
  return escapeText(text, QUERY).replaceAll('%20', '+');
}

function unescapeQuery(text: string): string | Failure {
  return unescapeText(text.replaceAll('+', '%20'));
}

function unescapeText(text: string): string | Failure {
  if (!text.includes('%')) return text;
  const bad = /%(?![0-9A-Fa-f]{2}).{0,2}/su.exec(text);
  if (bad !== null) return { error: `invalid URL escape ${quoteText(bad[0])}` };
  const bytes: number[] = [];
  for (const piece of text.split(/(%[0-9A-Fa-f]{2})/)) {
    if (piece.startsWith('%')) bytes.push(Number.parseInt(piece.slice(1), 16));
    else bytes.push(...new TextEncoder().encode(piece));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
