import { bool, int64, minutes, type Resource, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { jsonText } from '../json-policy/policy-text.ts';
import { errorCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional } from '../resource/common-attributes.ts';
import { attributesOf, changedAttributes, givenAttributes } from './attributes.ts';
import { NO_TOPIC, PROTOCOLS, SUBSCRIPTION_ATTRIBUTES } from './consts.ts';
import { oneOf } from '../resource/validators.ts';
import { isArn } from '../resource/text-forms.ts';

/** `aws_sns_topic_subscription` */
export const topicSubscription: Resource<Aws> = awsResource({
  type: 'SNS Topic Subscription',
  notFound: NO_TOPIC,
  attributes: {
    ...regional,
    ...arn,
    confirmation_timeout_in_minutes: int64({ default: 1, computed: false }),
    confirmation_was_authenticated: bool({ computed: true }),
    delivery_policy: jsonText({ optional: true }),
    endpoint: string({ required: true, requiresReplace: true }),
    endpoint_auto_confirms: bool({ default: false, computed: false }),
    filter_policy: jsonText({ optional: true }),
    filter_policy_scope: string({
      optional: true,
      computed: true,
      validators: [oneOf('MessageAttributes', 'MessageBody')],
    }),
    owner_id: string({ computed: true }),
    pending_confirmation: bool({ computed: true }),
    protocol: string({ required: true, requiresReplace: true, validators: [oneOf(...PROTOCOLS)] }),
    raw_message_delivery: bool({ default: false, computed: false }),
    redrive_policy: jsonText({ optional: true }),
    replay_policy: jsonText({ optional: true }),
    subscription_role_arn: string({ optional: true, validators: [isArn] }),
    topic_arn: string({ required: true, requiresReplace: true, validators: [isArn] }),
  },
  label: ({ topic_arn: topic }) => topic,
  amazon: {
    arn: 'SubscriptionArn',
    confirmation_timeout_in_minutes: null,
    endpoint_auto_confirms: null,
    owner_id: 'Owner',
  },

  async create({ aws, plan }) {
    const attributes = givenAttributes(attributesOf(plan, SUBSCRIPTION_ATTRIBUTES));
    const { SubscriptionArn } = await aws.sns.subscribe({
      TopicArn: plan.topic_arn,
      Protocol: plan.protocol,
      Endpoint: plan.endpoint,
      ReturnSubscriptionArn: true,
      Attributes: Object.fromEntries(attributes),
    });
    return SubscriptionArn ?? '';
  },

  async created({ aws, object, plan, id: SubscriptionArn }) {
    // Recipients confirm e-mail manually, and so do web servers without automatic confirmation.
    const isWeb = plan.protocol.startsWith('http');
    if (plan.protocol.startsWith('email') || (isWeb && !plan.endpoint_auto_confirms)) return;
    await object.waitFor('confirmation', {
      pending: ['true'],
      target: ['false'],
      timeout: isWeb ? minutes(plan.confirmation_timeout_in_minutes) : minutes(2),
      refresh: async () => {
        const { Attributes } = await aws.sns.getSubscriptionAttributes({ SubscriptionArn });
        return (
          Attributes && { result: 'found', state: Attributes['PendingConfirmation'] ?? 'false' }
        );
      },
    });
  },

  async find({ aws, id: SubscriptionArn }) {
    return (await aws.sns.getSubscriptionAttributes({ SubscriptionArn })).Attributes;
  },

  read: (attributes) => ({
    delivery_policy: normalJson(attributes['DeliveryPolicy']),
    // A removed filter is an empty one.
    filter_policy:
      attributes['FilterPolicy'] === '{}' ? '' : normalJson(attributes['FilterPolicy']),
    redrive_policy: normalJson(attributes['RedrivePolicy']),
    replay_policy: normalJson(attributes['ReplayPolicy']),
  }),

  async update({ aws, plan, state, id: SubscriptionArn }) {
    const after = attributesOf(plan, SUBSCRIPTION_ATTRIBUTES);
    const changes = changedAttributes(attributesOf(state, SUBSCRIPTION_ATTRIBUTES), after);
    // The scope of a filter exists only for subscriptions that have one.
    const scope = 'FilterPolicyScope';
    for (const [AttributeName, text] of [...changes].sort(
      ([a], [b]) => Number(b === scope) - Number(a === scope),
    )) {
      if (AttributeName === scope && text === '') continue;
      const empty = AttributeName === 'FilterPolicy' && text === '' ? '{}' : text;
      await aws.sns.setSubscriptionAttributes({
        SubscriptionArn,
        AttributeName,
        AttributeValue: empty,
      });
    }
  },

  // An unconfirmed subscription cannot be deleted; it expires.
  async delete({ aws, id: SubscriptionArn }) {
    try {
      await aws.sns.unsubscribe({ SubscriptionArn });
    } catch (error) {
      const pending = 'Cannot unsubscribe a subscription that is pending confirmation';
      if (hasMessage(error, errorCode(error), pending)) return false;
      throw error;
    }
    return undefined;
  },

  gone: { timeout: minutes(2) },

  import: (id) => ({ id, confirmation_timeout_in_minutes: 1, endpoint_auto_confirms: false }),
});
