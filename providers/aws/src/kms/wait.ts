import { minutes, type RemoteObject, seconds } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { equivalentPolicies } from '../json-policy/equivalent-policies.ts';
import { unless } from '../request/again.ts';
import { NO_KEY } from './consts.ts';
import { keyOf, policyOf } from './status.ts';

// Responses come from different servers for a while, so that several consecutive reads must return a value.
const SEVERAL_READS = {
  continuousTargetOccurrences: 5,
  minTimeout: seconds(1),
  timeout: minutes(10),
};

/** Waits until a key has this policy. */
export async function waitForKeyPolicy(
  aws: RegionalAws,
  key: RemoteObject,
  id: string,
  policy: string,
): Promise<void> {
  await until(key, 'policy update', SEVERAL_READS, async () =>
    equivalentPolicies(await policyOf(aws, id), policy),
  );
}

/** Waits until a key has this description. */
export async function waitForKeyDescription(
  aws: RegionalAws,
  key: RemoteObject,
  id: string,
  description: string,
): Promise<void> {
  const options = { ...SEVERAL_READS, minTimeout: seconds(2) };
  await until(key, 'description update', options, async () => {
    return ((await keyOf(aws, id)).Description ?? '') === description;
  });
}

/** Waits until a key is enabled or disabled. */
export async function waitForKeyState(
  aws: RegionalAws,
  key: RemoteObject,
  id: string,
  enabled: boolean,
): Promise<void> {
  const options = { continuousTargetOccurrences: 15, minTimeout: seconds(2), timeout: minutes(20) };
  await until(key, `update (enabled = ${enabled})`, options, async () => {
    return (await keyOf(aws, id)).Enabled === enabled;
  });
}

/** Waits until the rotation of a key is enabled or disabled, with a period in days; undefined: any period. */
export async function waitForKeyRotation(
  aws: RegionalAws,
  key: RemoteObject,
  id: string,
  rotates: boolean,
  days: number | undefined,
): Promise<void> {
  await until(key, 'rotation update', SEVERAL_READS, async () => {
    const status = await aws.kms.getKeyRotationStatus({ KeyId: id });
    const other = days !== undefined && (status.RotationPeriodInDays ?? days) !== days;
    return (status.KeyRotationEnabled ?? false) === rotates && !other;
  });
}

/** Waits until a key has these tags, and no others. */
export async function waitForKeyTags(
  key: RemoteObject,
  wanted: Readonly<Record<string, string>>,
  read: () => Promise<Readonly<Record<string, string>>>,
): Promise<void> {
  const names = Object.keys(wanted);
  await until(key, 'tag update', SEVERAL_READS, async () => {
    const tags = await read();
    const same = names.every((name) => tags[name] === wanted[name]);
    return same && Object.keys(tags).length === names.length;
  });
}

/** Waits until the deletion of a key is scheduled. */
export async function waitForDeletedKey(
  aws: RegionalAws,
  key: RemoteObject,
  id: string,
): Promise<void> {
  await key.waitForDeletion({
    pending: ['Disabled', 'Enabled'],
    timeout: minutes(20),
    refresh: async () => {
      const result = await keyOf(aws, id);
      return { result, state: result.KeyState ?? '' };
    },
  });
}

async function until(
  key: RemoteObject,
  subject: string,
  options: {
    readonly continuousTargetOccurrences: number;
    readonly minTimeout: number;
    readonly timeout: number;
  },
  condition: () => Promise<boolean>,
): Promise<void> {
  await key.waitFor(subject, {
    ...options,
    pending: ['no'],
    target: ['yes'],
    // Servers to which a new key has not been propagated yet are ignored.
    refresh: async () => {
      const isReached = await unless(condition, ...NO_KEY);
      return { result: true, state: isReached === true ? 'yes' : 'no' };
    },
  });
}
