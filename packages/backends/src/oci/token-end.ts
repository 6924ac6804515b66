import { fieldsOf } from '../json-fields.ts';

/** When a token (a JWT, perhaps with `ST$` before it) ends, in milliseconds since 1970; `undefined`: it does not say. */
export function endOfToken(token: string): number | undefined {
  const [, claims = ''] = token.split('.');
  try {
    const seconds = fieldsOf(JSON.parse(Buffer.from(claims, 'base64url').toString())).get('exp');
    return typeof seconds === 'number' ? seconds * 1000 : undefined;
  } catch {
    return undefined;
  }
}
