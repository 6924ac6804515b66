import { fieldsOf } from '../json-fields.ts';

/**
 * Returns the expiry of a token (a JWT, possibly prefixed with `ST$`) in milliseconds since 1970; `undefined` if it has
 * none.
 */
export function endOfToken(token: string): number | undefined {
  const [, claims = ''] = token.split('.');
  try {
    const seconds = fieldsOf(JSON.parse(Buffer.from(claims, 'base64url').toString())).get('exp');
    return typeof seconds === 'number' ? seconds * 1000 : undefined;
  } catch {
    return undefined;
  }
}
