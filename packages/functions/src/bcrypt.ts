import { CtyError } from '@terrane/cty';
import { encodeBase64, hashSync } from 'bcryptjs';

const LEAST_COST = 4;
const MOST_COST = 31;
const USUAL_COST = 10;
const MOST_BYTES = 72;

/** A password hashed with bcrypt and a salt of 16 bytes. A cost that is too low becomes the usual one, as in Go. */
export function bcryptHash(password: string, cost: number, salt: Uint8Array): string {
  if (Buffer.byteLength(password) > MOST_BYTES) {
    throw new CtyError(
      `error occured generating password bcrypt: password length exceeds ${MOST_BYTES} bytes`,
    );
  }
  if (cost > MOST_COST) {
    throw new CtyError(
      `error occured generating password crypto/bcrypt: cost ${cost} is outside allowed range (${LEAST_COST},${MOST_COST})`,
    );
  }
  const rounds = String(cost < LEAST_COST ? USUAL_COST : cost).padStart(2, '0');
  return hashSync(password, `$2a$${rounds}$${encodeBase64([...salt], 16)}`);
}
