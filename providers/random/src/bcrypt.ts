import type { Random } from '@terrane/host';

// The library is loaded when the first password is made.
const library = () => import('bcryptjs');

/** A bcrypt hash of cost 10 of the first 72 bytes of a text. */
export async function bcryptHash(random: Random, text: string): Promise<string> {
  const { encodeBase64, hash } = await library();
  const salt = encodeBase64([...random.bytes(16)], 16);
  return await hash(text, `$2a$10$${salt}`);
}

/** Returns true if a hash is of a text, or the error of an invalid hash with the text of Go's `bcrypt`. */
export async function bcryptMatches(text: string, hash: string): Promise<boolean | string> {
  if (hash.length < 59) {
    return 'crypto/bcrypt: hashedSecret too short to be a bcrypted password';
  }
  if (!hash.startsWith('$')) {
    const prefix = `bcrypt hashes must start with '$', but hashedSecret started with '${hash[0] ?? ''}'`;
    return `crypto/bcrypt: ${prefix}`;
  }
  const { compare } = await library();
  return await compare(text, hash);
}
