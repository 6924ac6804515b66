import { type AttributeOf, type Resource, string } from '@terrane/provider/sdk';
import type { RemoteObject } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { jsonText, policyText } from '../json-policy/policy-text.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { only } from '../resource/only.ts';
import { NO_QUEUE } from './consts.ts';
import { queueHas } from './wait.ts';

/** An attribute of queues that is a resource type of its own: text in JSON. */
type JsonAttribute = 'Policy' | 'RedrivePolicy' | 'RedriveAllowPolicy';

const queue = { queue_url: string({ required: true, requiresReplace: true }) };

/** `aws_sqs_queue_policy` */
export const queuePolicy: Resource<Aws> = queueAttribute('Policy', 'policy', {
  type: 'SQS Queue Policy',
  text: policyText({ required: true }),
});

/** `aws_sqs_queue_redrive_policy` */
export const queueRedrivePolicy: Resource<Aws> = queueAttribute('RedrivePolicy', 'redrive_policy', {
  type: 'SQS Queue Redrive Policy',
  text: jsonText({ required: true }),
});

/** `aws_sqs_queue_redrive_allow_policy` */
export const queueRedriveAllowPolicy: Resource<Aws> = queueAttribute(
  'RedriveAllowPolicy',
  'redrive_allow_policy',
  { type: 'SQS Queue Redrive Allow Policy', text: jsonText({ required: true }) },
);

function queueAttribute<const N extends string>(
  attribute: JsonAttribute,
  name: N,
  { type, text }: { readonly type: string; readonly text: AttributeOf<typeof string, 'required'> },
): Resource<Aws> {
  const put = async (
    aws: RegionalAws,
    object: RemoteObject,
    QueueUrl: string,
    plan: object,
  ): Promise<void> => {
    const value = normalJson(String(Reflect.get(plan, name)));
    const Attributes = { [attribute]: value };
    await aws.sqs.setQueueAttributes({ QueueUrl, Attributes });
    await queueHas(aws, object, QueueUrl, Attributes);
  };
  return awsResource({
    type,
    notFound: NO_QUEUE,
    attributes: { ...regional, ...queue, [name]: text },
    label: ({ queue_url: url }) => url,

    async create({ aws, object, plan }) {
      await put(aws, object, plan.queue_url, plan);
      return plan.queue_url;
    },

    async find({ aws, id }) {
      const { Attributes } = await aws.sqs.getQueueAttributes({
        QueueUrl: id,
        AttributeNames: [attribute],
      });
      const value = Attributes?.[attribute] ?? '';
      return only(value === '' ? [] : [value]);
    },

    read: (found, { id }) => ({ queue_url: id, [name]: normalJson(found) }),

    async update({ aws, object, plan, id }) {
      await put(aws, object, id, plan);
    },

    async delete({ aws, object, id }) {
      const Attributes = { [attribute]: '' };
      await aws.sqs.setQueueAttributes({ QueueUrl: id, Attributes });
      await queueHas(aws, object, id, Attributes);
    },
  });
}
