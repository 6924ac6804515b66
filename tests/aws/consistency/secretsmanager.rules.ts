import { minutes } from '@terrane/provider/sdk';
import { NEW_ROLE, policyFor, prerequisite, unknownRole } from './prerequisite.ts';
import type { ServiceRules } from './rules.ts';

const BAD_PRINCIPAL = {
  status: 400,
  code: 'MalformedPolicyDocumentException',
  message: 'This resource policy contains an unsupported principal.',
};
const invalid = (message: string) => ({ status: 400, code: 'InvalidRequestException', message });
const POLICY = policyFor({ AWS: NEW_ROLE });

/** Resource types of Secrets Manager. */
export const SECRETS_MANAGER: ServiceRules = {
  service: 'Secrets Manager',
  types: [
    {
      type: 'aws_secretsmanager_secret',
      sources: [{ file: 'secretsmanager/secret.go', release: '5' }],
      subject: {
        written: (name) => ({ name, recovery_window_in_days: 0 }),
        updated: (name) => ({ name, recovery_window_in_days: 0, policy: POLICY }),
      },
      note: 'a refresh accepts the policy as it is; the published provider waits 2 minutes and then fails',
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'secretsmanager',
          operation: 'CreateSecret',
          errors: [
            invalid('a secret with this name is already scheduled for deletion.'),
            invalid("You can't perform this operation on the secret because it was deleted."),
          ],
          limit: minutes(2),
        },
        {
          kind: 'retry',
          step: 'create',
          service: 'secretsmanager',
          operation: 'PutResourcePolicy',
          errors: [BAD_PRINCIPAL],
          limit: minutes(2),
          subject: {
            written: (name) => ({ name, recovery_window_in_days: 0, policy: POLICY }),
          },
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'secretsmanager',
          operation: 'GetResourcePolicy',
          pending: [],
          target: ['all principals are known'],
          show: unknownRole,
          limit: minutes(2),
          timeoutMessage: /contains principals that are not known yet/,
          subject: { written: (name) => ({ name, recovery_window_in_days: 0, policy: POLICY }) },
        },
        {
          kind: 'retry',
          step: 'update',
          service: 'secretsmanager',
          operation: 'PutResourcePolicy',
          errors: [BAD_PRINCIPAL],
          limit: minutes(2),
        },
        {
          kind: 'wait',
          step: 'update',
          service: 'secretsmanager',
          operation: 'GetResourcePolicy',
          pending: [],
          target: ['all principals are known'],
          show: unknownRole,
          limit: minutes(2),
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'secretsmanager',
          operation: 'DescribeSecret',
          pending: ['exists'],
          target: [],
          show: (body) => body,
          limit: minutes(2),
        },
      ],
    },
    {
      type: 'aws_secretsmanager_secret_version',
      sources: [{ file: 'secretsmanager/secret_version.go', release: '5' }],
      subject: {
        prepare: async (actors, name) => {
          const written = { name, recovery_window_in_days: 0 };
          const secret = await prerequisite(actors, 'aws_secretsmanager_secret', written);
          return { secret_id: String(secret['id']) };
        },
        written: () => ({ secret_string: 'open sesame' }),
      },
      rules: [],
      note: 'a deletion waits for up to 2 minutes until the version has no labels of its own',
    },
  ],
};
