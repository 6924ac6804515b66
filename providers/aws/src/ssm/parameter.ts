import type { ParameterTier, ParameterType, PutParameterRequest } from '@aws-sdk/client-ssm';
import { bool, int64, isUnknown, type Resource, string, unknown } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional, tagged } from '../resource/common-attributes.ts';
import { omitUnset } from '../resource/only.ts';
import { tagList } from '../tags/tags.ts';
import { NO_PARAMETER } from './consts.ts';
import { metadataOf, parameterOf } from './find.ts';
import {
  exactlyOneConfigured,
  lengthBetween,
  oneOf,
  requiredTogether,
} from '../resource/validators.ts';
import { listing } from '../resource/listing.ts';

/** `aws_ssm_parameter` */
export const parameter: Resource<Aws> = awsResource({
  type: 'SSM Parameter',
  identity: 'name',
  list: listing(
    (aws, NextToken) => aws.ssm.describeParameters({ NextToken }),
    ({ Parameters }) => Parameters,
    ({ Name: id }) => (id === undefined ? undefined : { id }),
  ),
  notFound: NO_PARAMETER,
  attributes: {
    ...regional,
    ...tagged,
    allowed_pattern: string({ optional: true, validators: [lengthBetween(0, 1024)] }),
    arn: string({ optional: true, computed: true }),
    data_type: string({
      optional: true,
      computed: true,
      requiresReplace: true,
      validators: [oneOf('aws:ec2:image', 'aws:ssm:integration', 'text')],
    }),
    description: string({ optional: true, validators: [lengthBetween(0, 1024)] }),
    has_value_wo: bool({ computed: true, nullable: true }),
    insecure_value: string({ optional: true, computed: true, nullable: true }),
    key_id: string({ optional: true, computed: true }),
    name: string({ required: true, requiresReplace: true, validators: [lengthBetween(1, 2048)] }),
    overwrite: bool({ optional: true }),
    tier: string({
      optional: true,
      computed: true,
      validators: [oneOf('Standard', 'Advanced', 'Intelligent-Tiering')],
    }),
    type: string({ required: true, validators: [oneOf('String', 'StringList', 'SecureString')] }),
    value: string({ optional: true, computed: true, nullable: true, sensitive: true }),
    value_wo: string({ optional: true, sensitive: true, writeOnly: true }),
    value_wo_version: int64({ optional: true }),
    version: int64({ computed: true }),
  },
  validators: [
    exactlyOneConfigured('value', 'insecure_value', 'value_wo'),
    requiredTogether('value_wo', 'value_wo_version'),
  ],

  plan({ plan, config, state, changed, requireReplace }) {
    if (state === null) return undefined;
    // The tier selected by Intelligent-Tiering is not a change.
    const clever = plan.tier === 'Intelligent-Tiering' && state.tier !== '';
    if (state.tier === 'Advanced' && plan.tier === 'Standard') requireReplace('tier');
    const written = changed('value') || isUnknown(plan.value);
    const bare = changed('insecure_value') || isUnknown(plan.insecure_value);
    const anew = changed('value_wo_version') || isUnknown(plan.value_wo_version);
    return {
      ...(clever && { tier: state.tier }),
      ...((written || bare || anew || changed('description')) && { version: unknown() }),
      ...((bare || anew) && config.value === null && { value: unknown() }),
      ...((written || anew) && config.insecure_value === null && { insecure_value: unknown() }),
      ...(anew && { has_value_wo: unknown() }),
    };
  },

  async create({ aws, plan, config, tags }) {
    const overwrite = plan.overwrite ?? false;
    await put(aws, {
      ...parameterRequest(plan),
      ...omitUnset({
        DataType: plan.data_type,
        Description: plan.description,
        Tier: tierOf(plan.tier),
      }),
      ...omitUnset({ KeyId: plan.type === 'SecureString' ? plan.key_id : null }),
      Overwrite: overwrite,
      Value: valueOf(plan, config.value_wo),
      // Parameters that are overwritten take no tags.
      ...(!overwrite && omitUnset({ Tags: tagList(tags) })),
    });
    return plan.name;
  },

  async created({ aws, id, plan, tags }) {
    const Tags = tagList(tags);
    if (plan.overwrite !== true || Tags === undefined) return;
    await aws.ssm.addTagsToResource({ ResourceType: 'Parameter', ResourceId: id, Tags });
  },

  find: ({ aws, id }) => parameterOf(aws, id),

  async read(parameter, { aws, state }) {
    const name = parameter.Name ?? '';
    const details = await metadataOf(aws, name);
    const secret = parameter.Type === 'SecureString';
    if (secret && (state.insecure_value ?? '') !== '') {
      throw new Error('invalid configuration, cannot set type = SecureString and insecure_value');
    }
    const bare = (state.insecure_value ?? '') !== '';
    const writeOnly = state.value_wo_version !== null;
    const { TagList } = await aws.ssm.listTagsForResource({
      ResourceType: 'Parameter',
      ResourceId: name,
    });
    return {
      arn: parameter.ARN,
      name,
      type: parameter.Type,
      version: parameter.Version,
      allowed_pattern: details.AllowedPattern,
      data_type: details.DataType,
      description: details.Description,
      key_id: details.KeyId ?? '',
      tier: details.Tier,
      ...(writeOnly && { has_value_wo: true }),
      // The other one stays as planned.
      ...(bare
        ? { insecure_value: parameter.Value }
        : { value: writeOnly ? null : parameter.Value }),
      tags: TagList ?? [],
    };
  },

  async update({ aws, plan, config, state, changed, id }) {
    const others = ['allowed_pattern', 'description', 'insecure_value', 'key_id', 'tier'] as const;
    if (!changed(...others, 'type', 'value', 'value_wo_version')) return;
    await put(aws, {
      ...parameterRequest({ ...plan, name: id }),
      ...omitUnset({ Tier: tierOf(config.tier ?? state.tier) }),
      ...(changed('description') && { Description: plan.description ?? '' }),
      ...(changed('key_id') && plan.type === 'SecureString' && omitUnset({ KeyId: plan.key_id })),
      Overwrite: plan.overwrite ?? true,
      Value:
        valueOf(plan, changed('value_wo_version') ? config.value_wo : null) ||
        ((await parameterOf(aws, id)).Value ?? ''),
    });
  },

  async retag({ aws, id }, { set, removed }) {
    const at = { ResourceType: 'Parameter', ResourceId: id } as const;
    if (removed.length > 0) await aws.ssm.removeTagsFromResource({ ...at, TagKeys: [...removed] });
    const Tags = tagList(set);
    if (Tags !== undefined) await aws.ssm.addTagsToResource({ ...at, Tags });
  },

  async delete({ aws, state }) {
    await aws.ssm.deleteParameter({ Name: state.name });
  },

  import: (id) => ({ id, has_value_wo: false }),
});

/** Returns the members that all requests have. */
function parameterRequest(plan: {
  readonly allowed_pattern: string | null;
  readonly name: string;
  readonly type: string;
}): { readonly AllowedPattern: string; readonly Name: string; readonly Type: ParameterType } {
  return {
    AllowedPattern: plan.allowed_pattern ?? '',
    Name: plan.name,
    // It has been validated.
    Type: plan.type as ParameterType,
  };
}

function tierOf(tier: unknown): ParameterTier | undefined {
  // It has been validated.
  return typeof tier === 'string' ? (tier as ParameterTier) : undefined;
}

function valueOf(
  { value, insecure_value: bare }: { readonly value: unknown; readonly insecure_value: unknown },
  writeOnly: string | null,
): string {
  const values = [writeOnly, bare, value];
  return values.find((each): each is string => typeof each === 'string' && each !== '') ?? '';
}

/** Some regions know no tiers. */
async function put(aws: RegionalAws, request: PutParameterRequest): Promise<void> {
  try {
    await aws.ssm.putParameter(request);
  } catch (error) {
    if (!hasMessage(error, 'ValidationException', 'Tier is not supported')) throw error;
    const { Tier: _, ...rest } = request;
    await aws.ssm.putParameter(rest);
  }
}
