import {
  type AttributeOf,
  type Deadline,
  type RemoteObject,
  type Resource,
  string,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { jsonText, policyText } from '../json-policy/policy-text.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { only } from '../resource/only.ts';
import { MISSING_FOR, NO_QUEUE } from './consts.ts';
import { isPrincipalPropagating, waitForQueueAttributes } from './wait.ts';

/** Defines a resource type for a single attribute of queues, whose value is JSON. */
type JsonAttribute = 'Policy' | 'RedrivePolicy' | 'RedriveAllowPolicy';

/** The parts of a creation or an update that set the attribute. */
interface Putting {
  readonly aws: RegionalAws;
  readonly object: RemoteObject;
  readonly plan: object;
  readonly deadline: Deadline;
}

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
  const put = async ({ aws, object, plan, deadline }: Putting, QueueUrl: string): Promise<void> => {
    const value = normalJson(String(Reflect.get(plan, name)));
    const Attributes = { [attribute]: value };
    await object.operation('setting', () => aws.sqs.setQueueAttributes({ QueueUrl, Attributes }), {
      isRetryable: isPrincipalPropagating,
    });
    await waitForQueueAttributes(aws, object, QueueUrl, Attributes, deadline);
  };
  return awsResource({
    type,
    notFound: NO_QUEUE,
    missingFor: MISSING_FOR,
    attributes: { ...regional, ...queue, [name]: text },
    label: ({ queue_url: url }) => url,

    async create(change) {
      const { queue_url: url } = change.plan;
      await put(change, url);
      return url;
    },

    async find({ aws, id }) {
      const { Attributes } = await aws.sqs.getQueueAttributes({
        QueueUrl: id,
        AttributeNames: [attribute],
      });
      const value = Attributes?.[attribute] ?? '';
      return only(value === '' ? [] : [value]);
    },

    read: (document, { id }) => ({ queue_url: id, [name]: normalJson(document) }),

    async update(change) {
      await put(change, change.id);
    },

    async delete({ aws, object, id, timeout }) {
      const Attributes = { [attribute]: '' };
      await aws.sqs.setQueueAttributes({ QueueUrl: id, Attributes });
      await waitForQueueAttributes(aws, object, id, Attributes, timeout);
    },
  });
}
