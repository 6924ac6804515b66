import type { GetKeyRotationStatusResponse, KeySpec, KeyUsageType } from '@aws-sdk/client-kms';
import {
  bool,
  int64,
  minutes,
  type RemoteObject,
  type Resource,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { policyText } from '../json-policy/policy-text.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { type Listed, listing } from '../resource/listing.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { omitUnset } from '../resource/only.ts';
import { tagsOf } from '../tags/tags.ts';
import { KEY_SPECS, KEY_USAGES, NO_KEY } from './consts.ts';
import { keyOf, policyOf } from './status.ts';
import {
  waitForKeyPolicy,
  waitForKeyDescription,
  waitForKeyState,
  waitForDeletedKey,
  waitForKeyTags,
  waitForKeyRotation,
} from './wait.ts';
import { between, lengthBetween, oneOf, requiring } from '../resource/validators.ts';
import { enumOf } from '../resource/enum-of.ts';

const tagKeyList = (
  tags: Readonly<Record<string, string>>,
): { TagKey: string; TagValue: string }[] =>
  Object.entries(tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue }));

const allKeys = listing(
  (aws, Marker) => aws.kms.listKeys({ Marker }),
  ({ Keys }) => Keys,
  ({ KeyId: id }) => (id === undefined ? undefined : { id }),
  ({ NextMarker }) => NextMarker,
);

/** Yields the keys that are not managed by AWS and not to be deleted, with their descriptions. */
async function* customerKeys(aws: RegionalAws): AsyncIterable<Listed> {
  for await (const { id } of allKeys(aws)) {
    const { KeyMetadata: key } = await aws.kms.describeKey({ KeyId: id });
    if (key?.KeyManager === 'CUSTOMER' && key.DeletionDate === undefined)
      yield { id, name: key.Description };
  }
}

/** `aws_kms_key` */
export const key: Resource<Aws> = awsResource({
  type: 'KMS Key',
  identity: 'id',
  list: customerKeys,
  notFound: NO_KEY,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    bypass_policy_lockout_safety_check: bool({ default: false, computed: false }),
    custom_key_store_id: string({
      optional: true,
      requiresReplace: true,
      validators: [lengthBetween(1, 22)],
    }),
    customer_master_key_spec: string({
      default: 'SYMMETRIC_DEFAULT',
      computed: false,
      requiresReplace: true,
      validators: [oneOf(...KEY_SPECS)],
    }),
    deletion_window_in_days: int64({ optional: true, validators: [between(7, 30)] }),
    description: string({ optional: true, computed: true, validators: [lengthBetween(0, 8192)] }),
    enable_key_rotation: bool({ default: false, computed: false }),
    is_enabled: bool({ default: true, computed: false }),
    key_id: string({ computed: true }),
    key_usage: string({
      default: 'ENCRYPT_DECRYPT',
      computed: false,
      requiresReplace: true,
      validators: [oneOf(...KEY_USAGES)],
    }),
    multi_region: bool({ optional: true, computed: true, requiresReplace: true }),
    policy: policyText({ optional: true, computed: true }),
    rotation_period_in_days: int64({
      optional: true,
      computed: true,
      validators: [between(90, 2560)],
    }),
    xks_key_id: string({
      optional: true,
      requiresReplace: true,
      validators: [lengthBetween(1, 128)],
    }),
  },
  blocks: { timeouts: timeoutsBlock({ create: '2m' }) },
  validators: [requiring('rotation_period_in_days', 'enable_key_rotation')],

  async create({ aws, object, plan, tags, timeout }) {
    const outside = omitUnset({
      CustomKeyStoreId: plan.custom_key_store_id,
      XksKeyId: plan.xks_key_id,
    });
    const origin = outside.XksKeyId ? 'EXTERNAL_KEY_STORE' : 'AWS_CLOUDHSM';
    // Principals in the policy may not have propagated yet.
    const answer = await object.operation(
      'creating',
      () =>
        aws.kms.createKey({
          ...omitUnset({ Description: plan.description, MultiRegion: plan.multi_region }),
          ...omitUnset({ Policy: plan.policy }),
          ...outside,
          ...(outside.CustomKeyStoreId || outside.XksKeyId ? { Origin: origin } : {}),
          BypassPolicyLockoutSafetyCheck: plan.bypass_policy_lockout_safety_check,
          KeySpec: enumOf<KeySpec>(plan.customer_master_key_spec),
          KeyUsage: enumOf<KeyUsageType>(plan.key_usage),
          Tags: tagKeyList(tags),
        }),
      {
        propagation: timeout,
        isRetryable: (error) => hasCode(error, 'MalformedPolicyDocumentException'),
      },
    );
    return answer.KeyMetadata?.KeyId ?? '';
  },

  async created({ aws, object, plan, tags, id }) {
    const { Policy: policy, Days } = omitUnset({
      Policy: plan.policy,
      Days: plan.rotation_period_in_days,
    });
    if (plan.enable_key_rotation) await rotate(aws, object, id, true, Days);
    if (!plan.is_enabled) await enable(aws, object, id, false);
    if (policy !== undefined) await waitForKeyPolicy(aws, object, id, policy);
    if (Object.keys(tags).length > 0) await waitForKeyTags(object, tags, () => tagsOfKey(aws, id));
  },

  find: ({ aws, id }) => keyOf(aws, id),

  async read(key, { aws, id }) {
    const hasAwsOrigin = key.Origin === 'AWS_KMS';
    const rotation: Partial<GetKeyRotationStatusResponse> = hasAwsOrigin
      ? await aws.kms.getKeyRotationStatus({ KeyId: id })
      : {};
    const kind = key.MultiRegionConfiguration?.MultiRegionKeyType ?? 'PRIMARY';
    if (key.MultiRegion === true && kind !== 'PRIMARY') {
      throw new Error(`KMS Key (${id}) is not a multi-Region primary key`);
    }
    return {
      arn: key.Arn,
      key_id: key.KeyId,
      custom_key_store_id: key.CustomKeyStoreId,
      customer_master_key_spec: key.KeySpec,
      description: key.Description ?? '',
      enable_key_rotation: rotation.KeyRotationEnabled ?? false,
      is_enabled: key.Enabled,
      key_usage: key.KeyUsage,
      multi_region: key.MultiRegion ?? false,
      policy: normalJson(await policyOf(aws, id)),
      rotation_period_in_days: rotation.RotationPeriodInDays ?? 0,
      xks_key_id: key.XksKeyConfiguration?.Id,
      tags: await tagsOfKey(aws, id),
    };
  },

  async update({ aws, object, plan, changed, id }) {
    const {
      Policy: policy,
      Days,
      Description = '',
    } = omitUnset({
      Policy: plan.policy,
      Days: plan.rotation_period_in_days,
      Description: plan.description,
    });
    // Keys that are not for use cannot be changed.
    if (changed('is_enabled') && plan.is_enabled) await enable(aws, object, id, true);
    const rotates = plan.enable_key_rotation;
    if (changed('enable_key_rotation') || (rotates && changed('rotation_period_in_days'))) {
      await rotate(aws, object, id, rotates, Days);
    }
    if (changed('description')) {
      await aws.kms.updateKeyDescription({ KeyId: id, Description });
      await waitForKeyDescription(aws, object, id, Description);
    }
    if (changed('policy') && policy !== undefined) {
      const put = {
        KeyId: id,
        Policy: policy,
        PolicyName: 'default',
        BypassPolicyLockoutSafetyCheck: plan.bypass_policy_lockout_safety_check,
      };
      await object.operation('updating the policy of', () => aws.kms.putKeyPolicy(put), {
        isRetryable: (error) => hasCode(error, ...NO_KEY, 'MalformedPolicyDocumentException'),
      });
      await waitForKeyPolicy(aws, object, id, policy);
    }
    if (changed('is_enabled') && !plan.is_enabled) await enable(aws, object, id, false);
  },

  async retag({ aws, object, id }, { set, removed }) {
    const remaining = Object.entries(await tagsOfKey(aws, id)).filter(
      ([name]) => !removed.includes(name),
    );
    if (removed.length > 0) {
      await aws.kms.untagResource({ KeyId: id, TagKeys: [...removed] });
    }
    if (Object.keys(set).length > 0) {
      await aws.kms.tagResource({ KeyId: id, Tags: tagKeyList(set) });
    }
    const wanted = { ...Object.fromEntries(remaining), ...set };
    await waitForKeyTags(object, wanted, () => tagsOfKey(aws, id));
  },

  async delete({ aws, object, id, state }) {
    try {
      await aws.kms.scheduleKeyDeletion({
        KeyId: id,
        ...omitUnset({ PendingWindowInDays: state.deletion_window_in_days }),
      });
    } catch (error) {
      if (hasMessage(error, 'KMSInvalidStateException', 'is pending deletion')) return;
      throw error;
    }
    await waitForDeletedKey(aws, object, id);
  },
});

async function tagsOfKey(aws: RegionalAws, id: string): Promise<Readonly<Record<string, string>>> {
  const tags: Record<string, string> = {};
  let Marker: string | undefined;
  do {
    const page = await aws.kms.listResourceTags({ KeyId: id, ...omitUnset({ Marker }) });
    const list = (page.Tags ?? []).map(({ TagKey: Key, TagValue: Value }) => ({ Key, Value }));
    Object.assign(tags, tagsOf(list));
    Marker = page.NextMarker;
  } while (Marker !== undefined && Marker !== '');
  return tags;
}

async function enable(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  enabled: boolean,
): Promise<void> {
  const KeyId = id;
  await object.operation(
    enabled ? 'enabling' : 'disabling',
    () => (enabled ? aws.kms.enableKey({ KeyId }) : aws.kms.disableKey({ KeyId })),
    { isRetryable: (error) => hasCode(error, ...NO_KEY) },
  );
  await waitForKeyState(aws, object, id, enabled);
}

async function rotate(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  rotates: boolean,
  days: number | undefined,
): Promise<void> {
  const period = days !== undefined && days > 0 ? days : undefined;
  await object.operation(
    `${rotates ? 'enabling' : 'disabling'} the rotation of`,
    () =>
      rotates
        ? aws.kms.enableKeyRotation({ KeyId: id, ...omitUnset({ RotationPeriodInDays: period }) })
        : aws.kms.disableKeyRotation({ KeyId: id }),
    {
      propagation: minutes(10),
      isRetryable: (error) => hasCode(error, ...NO_KEY, 'DisabledException'),
    },
  );
  await waitForKeyRotation(aws, object, id, rotates, rotates ? period : undefined);
}
