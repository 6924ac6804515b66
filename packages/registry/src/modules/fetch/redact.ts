const SECRET_ARGUMENTS = [
  'sshkey',
  'aws_access_key_id',
  'aws_access_key_secret',
  'aws_access_token',
];

/** A URL without the secrets in it: passwords and keys. */
import { type GoUrl, goUrlText, queryEncode, queryOf } from '@terrane/addresses';
export function redactedUrl(url: GoUrl): string {
  const withoutPassword = url.password === undefined ? url : { ...url, password: 'redacted' };
  const query = queryOf(url);
  const secret = SECRET_ARGUMENTS.filter((name) => query.has(name));
  if (secret.length === 0) return goUrlText(withoutPassword);
  for (const name of secret)
    query.set(
      name,
      (query.get(name) ?? []).map(() => 'redacted'),
    );
  return goUrlText({ ...withoutPassword, rawQuery: queryEncode(query) });
}

/** Removes secrets from an address, which need not be a URL; the rest is unchanged. */
export function redactedAddress(address: string): string {
  return address
    .replace(/(:\/\/[^/?#@]*?:)[^/?#@]+@/, '$1redacted@')
    .replace(new RegExp(`([?&](?:${SECRET_ARGUMENTS.join('|')})=)[^&#]*`, 'g'), '$1redacted');
}
