import {
  bool,
  decimal,
  int64,
  list,
  listBlock,
  map,
  minutes,
  ProviderError,
  type Resource,
  set,
  sizeBetween,
  string,
  timeoutsBlock,
  unknown,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { computedBlocks } from '../resource/computed-blocks.ts';
import { NOT_FOUND, PROPAGATION } from './consts.ts';
import { createFunction, startFunction } from './function-creation.ts';
import { blocksOf, invokeArn, latestVersion, signingOf } from './function-arguments.ts';
import { replaceGroups } from './function-groups.ts';
import { CODE, CONFIGURATION } from './function-request.ts';
import { updateFunction } from './function-update.ts';
import { waitForDeletedFunction, waitForUpdatedFunction, whenRoleIsKnown } from './wait.ts';
import {
  atLeast,
  between,
  each,
  exactlyOneConfigured,
  lengthBetween,
  matches,
  oneOf,
  requiredTogether,
} from '../resource/validators.ts';
import { isArn } from '../resource/text-forms.ts';
import { listing } from '../resource/listing.ts';

const single = { maxItems: 1 } as const;
const optional = string({ optional: true });
const required = string({ required: true });
const computed = string({ computed: true });

/** `aws_lambda_function` */
export const lambdaFunction: Resource<Aws> = awsResource({
  type: 'Lambda Function',
  identity: 'function_name',
  list: listing(
    (aws, Marker) => aws.lambda.listFunctions({ Marker }),
    ({ Functions }) => Functions,
    ({ FunctionName: id }) => (id === undefined ? undefined : { id }),
    ({ NextMarker }) => NextMarker,
  ),
  notFound: NOT_FOUND,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    architectures: list(string, {
      optional: true,
      computed: true,
      validators: [sizeBetween(0, 1), each(oneOf('x86_64', 'arm64'))],
    }),
    code_sha256: computed,
    code_signing_config_arn: optional,
    description: optional,
    filename: optional,
    function_name: string({ required: true, requiresReplace: true }),
    handler: string({ optional: true, validators: [lengthBetween(1, 128)] }),
    image_uri: optional,
    invoke_arn: computed,
    kms_key_arn: optional,
    last_modified: computed,
    layers: list(string, { optional: true, validators: [sizeBetween(0, 5)] }),
    memory_size: int64({ default: 128, computed: false, validators: [between(128, 10_240)] }),
    package_type: string({
      default: 'Zip',
      computed: false,
      requiresReplace: true,
      validators: [oneOf('Zip', 'Image')],
    }),
    publish: bool({ default: false, computed: false }),
    publish_to: optional,
    qualified_arn: computed,
    qualified_invoke_arn: computed,
    replace_security_groups_on_destroy: bool({ optional: true }),
    replacement_security_group_ids: set(string, { optional: true }),
    reserved_concurrent_executions: int64({
      default: -1,
      computed: false,
      validators: [atLeast(-1)],
    }),
    role: string({ required: true, validators: [isArn] }),
    runtime: optional,
    s3_bucket: optional,
    s3_key: optional,
    s3_object_version: optional,
    signing_job_arn: computed,
    signing_profile_version_arn: computed,
    skip_destroy: bool({ default: false, computed: false }),
    source_code_hash: string({ optional: true, computed: true }),
    source_code_size: int64({ computed: true }),
    source_kms_key_arn: optional,
    timeout: int64({ default: 3, computed: false, validators: [between(1, 900)] }),
    version: computed,
  },
  blocks: {
    capacity_provider_config: listBlock(
      {},
      {
        ...single,
        blocks: {
          lambda_managed_instances_capacity_provider_config: listBlock(
            {
              capacity_provider_arn: required,
              execution_environment_memory_gib_per_vcpu: decimal({
                optional: true,
                computed: true,
              }),
              per_execution_environment_max_concurrency: int64({ optional: true, computed: true }),
            },
            { minItems: 1, maxItems: 1 },
          ),
        },
      },
    ),
    dead_letter_config: listBlock({ target_arn: required }, single),
    durable_config: listBlock(
      {
        execution_timeout: int64({ required: true, validators: [between(1, 31_622_400)] }),
        retention_period: int64({ default: 14, computed: false, validators: [between(1, 90)] }),
      },
      single,
    ),
    environment: listBlock({ variables: map(string, { optional: true }) }, single),
    ephemeral_storage: listBlock(
      { size: int64({ optional: true, computed: true, validators: [between(512, 10_240)] }) },
      single,
    ),
    file_system_config: listBlock(
      {
        arn: required,
        local_mount_path: string({
          required: true,
          validators: [matches(/^\/mnt\/[0-9A-Za-z_.-]+$/, "must start with '/mnt/'")],
        }),
      },
      single,
    ),
    image_config: listBlock(
      {
        command: list(string, { optional: true }),
        entry_point: list(string, { optional: true }),
        working_directory: optional,
      },
      single,
    ),
    logging_config: listBlock(
      {
        application_log_level: optional,
        log_format: required,
        log_group: string({ optional: true, computed: true }),
        system_log_level: optional,
      },
      single,
    ),
    snap_start: listBlock({ apply_on: required, optimization_status: computed }, single),
    tenancy_config: listBlock(
      { tenant_isolation_mode: string({ required: true, requiresReplace: true }) },
      single,
    ),
    timeouts: timeoutsBlock({ create: '10m', update: '10m', delete: '10m' }),
    tracing_config: listBlock(
      { mode: string({ required: true, validators: [oneOf('Active', 'PassThrough')] }) },
      single,
    ),
    vpc_config: listBlock(
      {
        ipv6_allowed_for_dual_stack: bool({ default: false, computed: false }),
        security_group_ids: set(string, { required: true }),
        subnet_ids: set(string, { required: true }),
        vpc_id: computed,
      },
      single,
    ),
  },
  validators: [
    exactlyOneConfigured('filename', 'image_uri', 's3_bucket'),
    requiredTogether('s3_bucket', 's3_key'),
  ],
  label: ({ function_name: name }) => name,

  plan(planning) {
    const { plan, config, state, changed, requireReplace } = planning;
    if (plan.package_type === 'Zip' && (config.handler === null || config.runtime === null)) {
      throw new ProviderError('handler and runtime must be set when PackageType is Zip');
    }
    const kept = computedBlocks(planning, 'ephemeral_storage', 'logging_config', 'tracing_config');
    if (state === null) return kept;
    // Durability can only be set at the creation of the function.
    const durable = Array.isArray(plan.durable_config) ? plan.durable_config.length : 0;
    if ((state.durable_config.length === 0) !== (durable === 0)) requireReplace('durable_config');
    const code = changed(...CODE);
    const configured = changed(...CONFIGURATION.filter((name) => !Object.hasOwn(kept, name)));
    const published = plan.publish === true && (code || configured || changed('publish'));
    return {
      ...kept,
      ...((code || configured) && { last_modified: unknown() }),
      ...(code && { code_sha256: unknown(), source_code_size: unknown() }),
      ...(published && {
        qualified_arn: unknown(),
        qualified_invoke_arn: unknown(),
        version: unknown(),
      }),
    };
  },

  async create({ aws, object, plan, tags }) {
    await whenRoleIsKnown(object, 'creating', () => createFunction(aws, plan, tags));
    return plan.function_name;
  },

  async created({ aws, object, plan, tags, id: FunctionName, timeout }) {
    const look = () => aws.lambda.getFunction({ FunctionName });
    await object.read(look, { isNew: true, timeout: PROPAGATION });
    await startFunction(aws, object, plan, { tags, timeout });
    const ReservedConcurrentExecutions = plan.reserved_concurrent_executions;
    if (ReservedConcurrentExecutions < 0) return;
    await aws.lambda.putFunctionConcurrency({ FunctionName, ReservedConcurrentExecutions });
  },

  async find({ aws, id }) {
    const answer = await aws.lambda.getFunction({ FunctionName: id });
    return answer.Configuration && { ...answer, Configuration: answer.Configuration };
  },

  async read({ Configuration: configuration, Code, Concurrency, Tags }, { aws, id, state }) {
    const latest = await latestVersion(aws, id);
    return {
      ...blocksOf(configuration),
      architectures: configuration.Architectures ?? ['x86_64'],
      arn: configuration.FunctionArn,
      code_sha256: configuration.CodeSha256,
      code_signing_config_arn: await signingOf(aws, id, configuration.PackageType),
      description: configuration.Description,
      function_name: configuration.FunctionName,
      handler: configuration.Handler,
      image_uri: Code?.ImageUri,
      invoke_arn: invokeArn(aws, configuration.FunctionArn ?? ''),
      kms_key_arn: configuration.KMSKeyArn,
      last_modified: configuration.LastModified,
      layers: configuration.Layers?.map(({ Arn }) => Arn),
      memory_size: configuration.MemorySize ?? 128,
      package_type: configuration.PackageType ?? 'Zip',
      qualified_arn: latest.arn,
      qualified_invoke_arn: invokeArn(aws, latest.arn),
      reserved_concurrent_executions: Concurrency?.ReservedConcurrentExecutions ?? -1,
      role: configuration.Role,
      runtime: configuration.Runtime,
      signing_job_arn: configuration.SigningJobArn ?? '',
      signing_profile_version_arn: configuration.SigningProfileVersionArn ?? '',
      source_code_hash: state.source_code_hash ?? configuration.CodeSha256,
      source_code_size: configuration.CodeSize ?? 0,
      source_kms_key_arn: Code?.SourceKMSKeyArn,
      tags: Tags ?? {},
      timeout: configuration.Timeout ?? 3,
      version: latest.version,
    };
  },

  async update({ aws, object, plan, changed, id, timeout }) {
    await updateFunction({ aws, object, plan: { ...plan }, changed, id, timeout });
  },

  async retag({ aws, state }, { set: Tags, removed }) {
    const Resource = state.arn;
    if (removed.length > 0) await aws.lambda.untagResource({ Resource, TagKeys: [...removed] });
    if (Object.keys(Tags).length > 0) await aws.lambda.tagResource({ Resource, Tags });
  },

  async delete({ aws, object, id: FunctionName, state, timeout }) {
    if (state.skip_destroy) return;
    if (state.replace_security_groups_on_destroy === true) {
      const groups = state.replacement_security_group_ids ?? [];
      await replaceGroups(aws, FunctionName, groups, state.vpc_config[0]);
      await waitForUpdatedFunction(aws, object, FunctionName, timeout);
    }
    await object.operation('deleting', () => aws.lambda.deleteFunction({ FunctionName }), {
      propagation: timeout,
      // Edge replicas are removed automatically.
      isRetryable: (error) =>
        hasMessage(error, 'InvalidParameterValueException', 'because it is a replicated function'),
    });
    await waitForDeletedFunction(aws, object, FunctionName, Math.max(timeout, minutes(1)));
  },

  import: (id) => ({ id, function_name: id, publish: false, skip_destroy: false }),
});
