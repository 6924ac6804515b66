import type { FetchHost } from './fetch-context.ts';
import { FetchFailed } from './fetch-failed.ts';

/** A user and the password of one. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

/**
 * Returns the login for a host from the user's netrc file (`NETRC`, or `~/.netrc`), in the form of a URL. Undefined if
 * the file or the host does not exist; throws `FetchFailed` if the file is malformed.
 */
export async function netrcLogin(
  { host }: { readonly host: Pick<FetchHost, 'environment' | 'files'> },
  name: string,
): Promise<Login | undefined> {
  const { environment, files } = host;
  const configuredPath = environment.get('NETRC') ?? '';
  const defaultName = environment.platform === 'win32' ? '_netrc' : '.netrc';
  const { homeDirectory } = environment;
  if (configuredPath === '' && homeDirectory === undefined) return undefined;
  const path = configuredPath === '' ? `${homeDirectory}/${defaultName}` : configuredPath;
  const stat = await files.stat(path);
  if (stat === undefined || stat.kind === 'directory') return undefined;
  const logins = parseNetrc(await files.readText(path));
  if ('error' in logins) {
    throw new FetchFailed(`Error parsing netrc file at "${path}": ${logins.error}`);
  }
  return logins.machines.get(name) ?? logins.machines.get('');
}

/** Reads a netrc file; the login under the name "" is for all other hosts. */
function parseNetrc(
  text: string,
): { readonly machines: ReadonlyMap<string, Login> } | { readonly error: string } {
  const machines = new Map<string, Login>();
  let current: string | undefined;
  const tokens = text
    // A macro ends with an empty line; none is ever run here.
    .replace(/^[ \t]*macdef[ \t]+\S+[^\n]*\n(?:[^\n]+\n)*/gm, '')
    .replace(/(^|\s)#[^\n]*/g, '$1')
    .split(/\s+/)
    .filter((token) => token !== '');
  for (let at = 0; at < tokens.length; at++) {
    const keyword = tokens[at] ?? '';
    if (keyword === 'default') {
      current = '';
      if (!machines.has('')) machines.set('', { user: '', password: '' });
      continue;
    }
    if (!['machine', 'login', 'password', 'account'].includes(keyword)) {
      return { error: `keyword expected; got ${keyword}` };
    }
    at += 1;
    const value = tokens[at];
    if (value === undefined) return { error: `${keyword} without a value` };
    if (keyword === 'machine') {
      // The first of several for one host counts.
      current = machines.has(value) ? undefined : value;
      if (current !== undefined) machines.set(value, { user: '', password: '' });
      continue;
    }
    const machine = current === undefined ? undefined : machines.get(current);
    if (current === undefined || machine === undefined) continue;
    if (keyword === 'login') machines.set(current, { ...machine, user: value });
    if (keyword === 'password') machines.set(current, { ...machine, password: value });
  }
  return { machines };
}
