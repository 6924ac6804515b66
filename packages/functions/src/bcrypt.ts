import { CtyError } from '@terrane/cty';
import { encodeBase64, hashSync } from 'bcryptjs';

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
  const rounds = String(cost < MIN_COST ? USUAL_COST : cost).padStart(2, '0');
  return hashSync(password, `$2a$${rounds}$${encodeBase64([...salt], 16)}`);
}
