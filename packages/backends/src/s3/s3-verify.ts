import { isAccessDenied } from './aws-error.ts';
import type { Expected, PutOutcome, S3Objects } from './s3-objects.ts';

/** An ETag that no object has. */
const NO_SUCH_VERSION = '"00000000000000000000000000000000"';

/**
 * Verifies with a test object next to the state that the server rejects writes whose condition is not met; rejects if
 * it does not, since no lock is safe there. Without permission to write such an object, the verification is skipped.
 */
export async function verifyConditions(objects: S3Objects, key: string): Promise<void> {
  const probe = `${key}-probe`;
  const body =
    '{"probe":"written by Terrane to see whether conditional writes work; may be deleted"}';
  const put = async (expected: Expected): Promise<PutOutcome['kind'] | 'denied'> => {
    try {
      return (await objects.put(probe, body, expected, 'lock')).kind;
    } catch (error) {
      if (isAccessDenied(error)) return 'denied';
      const reason =
        objects.missingBucket('PutObject', error) ?? objects.failure('PutObject', error);
      throw new Error(reason, { cause: error });
    }
  };
  // An object of an earlier verification serves as well as a new one.
  const outcomes = [await put('absent')];
  if (outcomes[0] === 'denied') return;
  outcomes.push(await put('absent'), await put({ etag: NO_SUCH_VERSION }));
  // Leaving it does no harm.
  await objects.delete(probe).catch(() => undefined);
  const [first, second, other] = outcomes;
  const isKept = first !== 'unsupported' && second === 'refused' && other === 'refused';
  if (!isKept) throw refusal(objects, probe);
}

function refusal(objects: S3Objects, probe: string): Error {
  return new Error(`The server does not support the conditional writes that "use_lockfile" needs

Locks in S3 rest on writes that are refused when their condition is not met (If-None-Match and If-Match). The server of the bucket ${JSON.stringify(objects.bucket)} has taken such writes of the object ${JSON.stringify(probe)} all the same, so two runs could both believe that they hold the lock. Use a server that keeps these conditions, or lock with another argument such as "dynamodb_table", or remove "use_lockfile" to work without locks.`);
}
