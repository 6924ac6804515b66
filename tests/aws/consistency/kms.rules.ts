import { minutes, seconds } from '@terrane/provider/sdk';
import { type Actors, errorOf } from '../moto-world.ts';
import { jsonMember, type ServiceRules, type WaitRule } from './rules.ts';

const anyMessage = true;
const NO_KEY = { status: 400, code: 'NotFoundException', message: 'There is no key', anyMessage };
const NO_PRINCIPAL = {
  status: 400,
  code: 'MalformedPolicyDocumentException',
  message: 'Policy contains a statement with one or more invalid principals.',
  anyMessage,
};

const policy = (Sid: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Sid, Effect: 'Allow', Principal: '*', Action: 'kms:*', Resource: '*' }],
  });

/** Waits until every server returns a changed value. */
const PROPAGATION: readonly WaitRule[] = [
  {
    ...propagation('GetKeyPolicy', 'policy', seconds(1)),
    target: ['the requested policy'],
    show: () => JSON.stringify({ PolicyName: 'default', Policy: policy('other') }),
    status: 200,
    subject: {
      written: () => ({ policy: policy('one') }),
      updated: () => ({ policy: policy('two') }),
    },
  },
  {
    ...propagation('DescribeKey', 'description', seconds(2)),
    target: ['the requested description'],
    show: jsonMember('Description'),
  },
  {
    ...propagation('DescribeKey', 'is_enabled', seconds(2)),
    target: ['the requested value'],
    show: (body) => body.replaceAll(/"Enabled": ?(true|false)/g, '"Enabled": true'),
    matches: 15,
    limit: minutes(20),
    subject: { written: () => ({}), updated: () => ({ is_enabled: false }) },
  },
  {
    ...propagation('GetKeyRotationStatus', 'enable_key_rotation', seconds(1)),
    target: ['the requested value'],
    show: () => JSON.stringify({ KeyRotationEnabled: false }),
    status: 200,
    subject: { written: () => ({}), updated: () => ({ enable_key_rotation: true }) },
  },
  {
    ...propagation('GetKeyRotationStatus', 'rotation_period_in_days', seconds(1)),
    target: ['the requested period'],
    show: () => JSON.stringify({ KeyRotationEnabled: true, RotationPeriodInDays: 90 }),
    status: 200,
    subject: {
      written: () => ({ enable_key_rotation: true, rotation_period_in_days: 90 }),
      updated: () => ({ enable_key_rotation: true, rotation_period_in_days: 100 }),
    },
  },
  {
    ...propagation('ListResourceTags', 'tags', seconds(1)),
    // The first request reads the tags before the change.
    after: 1,
    target: ['the requested tags'],
    show: () => JSON.stringify({ Tags: [{ TagKey: 'other', TagValue: 'one' }] }),
    status: 200,
    subject: { written: () => ({ tags: { a: 'one' } }), updated: () => ({ tags: { a: 'two' } }) },
  },
];

/** Properties that the waits for changed values share. */
function propagation(operation: string, argument: string, interval: number) {
  return {
    kind: 'wait',
    step: 'update',
    service: 'kms',
    operation,
    label: `${operation}, ${argument}`,
    pending: ['another value'],
    missing: NO_KEY,
    matches: 5,
    interval,
    limit: minutes(10),
  } as const;
}

async function withKey({ of }: Actors): Promise<{ readonly target_key_id: string }> {
  const made = await (await of('aws_kms_key')).apply({});
  if (errorOf(made) !== '') throw new Error(errorOf(made));
  return { target_key_id: String(made.state?.['id']) };
}

/** Resource types of KMS. */
export const KMS: ServiceRules = {
  service: 'KMS',
  types: [
    {
      type: 'aws_kms_key',
      sources: [{ file: 'kms/key.go', commit: '00a35305dc1b297a6fcdecdfbba33f1e63c3da39' }],
      subject: { written: () => ({ description: 'one' }), updated: () => ({ description: 'two' }) },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'kms',
          operation: 'CreateKey',
          errors: [NO_PRINCIPAL],
          limit: minutes(2),
        },
        {
          kind: 'retry',
          step: 'update',
          service: 'kms',
          operation: 'PutKeyPolicy',
          errors: [NO_PRINCIPAL, NO_KEY],
          limit: minutes(2),
          subject: {
            written: () => ({ policy: policy('one') }),
            updated: () => ({ policy: policy('two') }),
          },
        },
        {
          kind: 'retry',
          step: 'update',
          service: 'kms',
          operation: 'EnableKeyRotation',
          errors: [
            NO_KEY,
            { status: 400, code: 'DisabledException', message: 'It is disabled', anyMessage },
          ],
          limit: minutes(10),
          subject: { written: () => ({}), updated: () => ({ enable_key_rotation: true }) },
        },
        {
          kind: 'retry',
          step: 'update',
          service: 'kms',
          operation: 'DisableKey',
          errors: [NO_KEY],
          limit: minutes(2),
          subject: { written: () => ({}), updated: () => ({ is_enabled: false }) },
        },
        ...PROPAGATION,
        {
          kind: 'wait',
          step: 'delete',
          service: 'kms',
          operation: 'DescribeKey',
          pending: ['Disabled', 'Enabled'],
          target: [],
          show: jsonMember('KeyState'),
          limit: minutes(20),
        },
      ],
    },
    {
      type: 'aws_kms_alias',
      sources: [{ file: 'kms/alias.go', commit: '01c08000ddb14181b5bd19201d8fca311dc570e4' }],
      subject: { prepare: withKey, written: (name) => ({ name: `alias/${name}` }) },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'kms',
          operation: 'CreateAlias',
          errors: [NO_KEY],
          limit: minutes(10),
        },
      ],
    },
  ],
};
