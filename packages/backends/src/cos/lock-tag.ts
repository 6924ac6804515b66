import { userErrorText } from '@terrane/host';
import { createHash } from 'node:crypto';
import type { BackendPorts } from '../backend.ts';
import { tencentCall, TencentRefusal, type TencentKeys } from './tencent-api.ts';

/** A tag of the account that exists while a client checks for a lock and creates it. */
export interface LockTag {
  /** its value, which identifies the state */
  readonly value: string;
  /** Creates the tag; `taken` is false, with an error, if another client has just created it. */
  take(): Promise<{ readonly taken: true } | { readonly taken: false; readonly error: Error }>;
  release(): Promise<void>;
}

const KEY = 'tencentcloud-terraform-lock';
const ATTEMPTS = 30;
const WAIT_MS = 1_000;
const CREATE_ATTEMPTS = 3;

/** The bucket of a state, and the endpoint of the tag service. */
interface TagPlace {
  readonly bucket: string;
  readonly domain: string;
  readonly region: string;
}

/** The tag for the lock object of a state. Tags of Tencent Cloud are global, and unique in an account. */
export function lockTag(
  { bucket, domain, region }: TagPlace,
  lockKey: string,
  keys: () => Promise<TencentKeys>,
  ports: BackendPorts,
): LockTag {
  const value = createHash('md5').update(`${bucket}:${lockKey}`).digest('hex');
  const call = async (action: string, attempts?: number): Promise<ReadonlyMap<string, unknown>> =>
    await tencentCall(
      ports,
      {
        service: 'tag',
        domain,
        region,
        action,
        parameters: { TagKey: KEY, TagValue: value },
        ...(attempts !== undefined && { attempts }),
      },
      await keys(),
    );
  const failed = (doing: string, error: unknown): Error => {
    const reason = userErrorText(error);
    return new Error(`failed to ${doing} tag: ${KEY} -> ${value}: ${reason}`, { cause: error });
  };
  const tagExists = async (): Promise<boolean> => {
    const tags = (await call('DescribeTags')).get('Tags');
    return Array.isArray(tags) && tags.length > 0;
  };
  return {
    value,
    async take() {
      for (let attempt = 1; ; attempt++) {
        try {
          // The request is not retried, because a retry would find the tag that the first attempt created.
          await call('CreateTag', 1);
          return { taken: true };
        } catch (error) {
          const problem = failed('create', error);
          if (error instanceof TencentRefusal) {
            if (/Duplicate|InUse/.test(error.code)) return { taken: false, error: problem };
            throw problem;
          }
          // The connection failed. If the tag exists now, its creator is unknown.
          if (attempt === CREATE_ATTEMPTS || (await tagExists())) throw problem;
        }
      }
    },
    async release() {
      for (let attempt = 1; await tagExists(); attempt++) {
        try {
          await call('DeleteTag');
          return;
        } catch (error) {
          if (attempt === ATTEMPTS) throw failed('delete', error);
        }
        await ports.host.clock.sleep(WAIT_MS, ports.signal);
      }
    },
  };
}
