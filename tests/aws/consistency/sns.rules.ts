import { minutes } from '@terrane/provider/sdk';
import { NEW_ROLE, policyFor, prerequisite, unknownRole } from './prerequisite.ts';
import type { Rule, ServiceRules } from './rules.ts';

const NO_TOPIC = { status: 404, code: 'NotFound', message: 'It does not exist' };

/** Resource types of SNS. */
export const SNS: ServiceRules = {
  service: 'SNS',
  types: [
    {
      type: 'aws_sns_topic',
      sources: [{ file: 'sns/topic.go', release: '5' }],
      subject: {
        written: (name) => ({ name, display_name: 'before' }),
        updated: (name) => ({ name, display_name: 'before', policy: policyFor({ AWS: NEW_ROLE }) }),
      },
      note: 'a refresh accepts the policy as it is; the published provider waits 2 minutes and then fails',
      rules: [
        ...(['create', 'update'] as const).map((step): Rule => ({
          kind: 'retry',
          step,
          service: 'sns',
          operation: 'SetTopicAttributes',
          errors: [
            {
              status: 400,
              code: 'InvalidParameter',
              message: 'Invalid parameter: Policy',
              anyMessage: true,
            },
            {
              status: 403,
              code: 'AuthorizationError',
              message: 'because no identity-based policy allows the SNS:SetTopicAttributes action',
            },
          ],
          limit: minutes(2),
        })),
        {
          kind: 'wait',
          step: 'create',
          service: 'sns',
          operation: 'GetTopicAttributes',
          pending: [],
          target: ['all principals are known'],
          show: unknownRole,
          limit: minutes(2),
          timeoutMessage: /contains principals that are not known yet/,
          subject: { written: (name) => ({ name, policy: policyFor({ AWS: NEW_ROLE }) }) },
        },
        {
          kind: 'wait',
          step: 'update',
          service: 'sns',
          operation: 'GetTopicAttributes',
          pending: [],
          target: ['all principals are known'],
          show: unknownRole,
          missing: NO_TOPIC,
          limit: minutes(2),
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'sns',
          operation: 'GetTopicAttributes',
          pending: ['exists'],
          target: [],
          show: (body) => body,
          limit: minutes(5),
          difference: 'no wait; a topic of the same name could not be distinguished from it',
        },
      ],
    },
    {
      type: 'aws_sns_topic_subscription',
      sources: [{ file: 'sns/topic_subscription.go', release: '5' }],
      subject: {
        prepare: async (actors, name) => {
          const topic = await prerequisite(actors, 'aws_sns_topic', { name });
          const queue = await prerequisite(actors, 'aws_sqs_queue', { name });
          return { topic_arn: String(topic['arn']), endpoint: String(queue['arn']) };
        },
        written: () => ({ protocol: 'sqs' }),
      },
      note: 'waits for the confirmation of endpoints that confirm automatically, for `confirmation_timeout_in_minutes`; does not wait for email and other endpoints',
      rules: [
        {
          kind: 'wait',
          step: 'create',
          service: 'sns',
          operation: 'GetSubscriptionAttributes',
          pending: ['true'],
          target: ['false'],
          show: (body, state) =>
            body.replace(/(<key>PendingConfirmation<\/key>\s*<value>)[^<]*/, `$1${state}`),
          missing: NO_TOPIC,
          limit: minutes(2),
        },
        {
          kind: 'ignore',
          step: 'delete',
          service: 'sns',
          operation: 'Unsubscribe',
          errors: [
            {
              status: 400,
              code: 'InvalidParameter',
              message: 'Cannot unsubscribe a subscription that is pending confirmation',
            },
          ],
          limit: 0,
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'sns',
          operation: 'GetSubscriptionAttributes',
          pending: ['exists'],
          target: [],
          show: (body) => body,
          limit: minutes(2),
        },
      ],
    },
  ],
};
