import { minutes, seconds } from '@terrane/provider/sdk';
import { type Actors, errorOf } from '../moto-world.ts';
import { jsonMember, type ServiceRules } from './rules.ts';

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
        {
          kind: 'wait',
          step: 'update',
          service: 'kms',
          operation: 'DescribeKey',
          pending: ['no'],
          target: ['yes'],
          show: jsonMember('Description'),
          matches: 5,
          interval: seconds(2),
          limit: minutes(10),
        },
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
