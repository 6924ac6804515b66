import { Bug, CtyError } from '@terrane/cty';
import type * as Bcrypt from 'bcryptjs';

let library: typeof Bcrypt | undefined;

/** Loads the library of `bcrypt`, which cannot be called before. */
export async function loadBcrypt(): Promise<void> {
  library ??= await import('bcryptjs');
}

const MIN_COST = 4;
const MAX_COST = 31;
const USUAL_COST = 10;
const MAX_PASSWORD_BYTES = 72;

/** A password hashed with bcrypt and a salt of 16 bytes. A cost that is too low becomes the usual one, as in Go. */
export function bcryptHash(password: string, cost: number, salt: Uint8Array): string {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    throw new CtyError(
      `error occured generating password bcrypt: password length exceeds ${MAX_PASSWORD_BYTES} bytes`,
    );
  }
  if (cost > MAX_COST) {
    throw new CtyError(
      `error occured generating password crypto/bcrypt: cost ${cost} is outside allowed range (${MIN_COST},${MAX_COST})`,
    );
  }
  if (library === undefined) throw new Bug('the library of bcrypt is not loaded');
  const rounds = String(cost < MIN_COST ? USUAL_COST : cost).padStart(2, '0');
  return library.hashSync(password, `$2a$${rounds}$${library.encodeBase64([...salt], 16)}`);
}
