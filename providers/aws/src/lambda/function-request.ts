import type { CreateFunctionRequest, FunctionCode } from '@aws-sdk/client-lambda';
import { userErrorText } from '@terrane/host';
import { ProviderError } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { isEmpty } from '../resource/empty.ts';
import { omitUnset } from '../resource/only.ts';

/** The planned arguments of a function, with blocks as lists. */
export type PlannedFunction = Readonly<Record<string, unknown>>;

/** Arguments by which the configuration of a function is changed, and not its code. */
export const CONFIGURATION = [
  'capacity_provider_config',
  'dead_letter_config',
  'description',
  'durable_config',
  'environment',
  'ephemeral_storage',
  'file_system_config',
  'handler',
  'image_config',
  'kms_key_arn',
  'layers',
  'logging_config',
  'memory_size',
  'role',
  'runtime',
  'snap_start',
  'timeout',
  'tracing_config',
  'vpc_config',
] as const;

/** Arguments by which the code of a function is changed. */
export const CODE = [
  'architectures',
  'filename',
  'image_uri',
  's3_bucket',
  's3_key',
  's3_object_version',
  'source_code_hash',
  'source_kms_key_arn',
] as const;

/** Returns the parts of a request that configure a function: those that `wanted` names, which may be empty. */
export function configuration(
  plan: PlannedFunction,
  wanted: (argument: (typeof CONFIGURATION)[number]) => boolean,
): Partial<CreateFunctionRequest> {
  const parts = CONFIGURATION.filter(wanted).map((argument) => part(plan, argument));
  // The content of the parts is validated by the schema, or rejected by the service.
  return Object.assign({}, ...parts) as Partial<CreateFunctionRequest>;
}

/** Returns all non-empty parts, for a new function. */
export function wholeConfiguration(plan: PlannedFunction): Partial<CreateFunctionRequest> {
  return configuration(plan, (argument) => !isEmpty(plan[argument]));
}

function part(plan: PlannedFunction, argument: (typeof CONFIGURATION)[number]): object {
  const value = plan[argument];
  const block = first(value);
  switch (argument) {
    case 'capacity_provider_config': {
      const managed = first(block?.['lambda_managed_instances_capacity_provider_config']);
      return {
        CapacityProviderConfig: managed && {
          LambdaManagedInstancesCapacityProviderConfig: {
            CapacityProviderArn: managed['capacity_provider_arn'],
            ExecutionEnvironmentMemoryGiBPerVCpu: numberOf(
              managed['execution_environment_memory_gib_per_vcpu'],
            ),
            PerExecutionEnvironmentMaxConcurrency: numberOf(
              managed['per_execution_environment_max_concurrency'],
            ),
          },
        },
      };
    }
    case 'dead_letter_config':
      return { DeadLetterConfig: { TargetArn: block?.['target_arn'] ?? '' } };
    case 'description':
      return { Description: value ?? '' };
    case 'durable_config':
      return {
        DurableConfig: block && {
          ExecutionTimeout: block['execution_timeout'],
          RetentionPeriodInDays: block['retention_period'],
        },
      };
    case 'environment':
      return { Environment: { Variables: block?.['variables'] ?? {} } };
    case 'ephemeral_storage':
      return { EphemeralStorage: block && omitUnset({ Size: numberOf(block['size']) }) };
    case 'file_system_config':
      return {
        FileSystemConfigs: block
          ? [{ Arn: block['arn'], LocalMountPath: block['local_mount_path'] }]
          : [],
      };
    case 'handler':
      return { Handler: value };
    case 'image_config':
      return {
        ImageConfig: omitUnset({
          Command: block?.['command'],
          EntryPoint: block?.['entry_point'],
          WorkingDirectory: block?.['working_directory'],
        }),
      };
    case 'kms_key_arn':
      return { KMSKeyArn: value ?? '' };
    case 'layers':
      return { Layers: value ?? [] };
    case 'logging_config':
      return {
        LoggingConfig:
          block &&
          omitUnset({
            ApplicationLogLevel: text(block['application_log_level']),
            LogFormat: block['log_format'],
            LogGroup: text(block['log_group']),
            SystemLogLevel: text(block['system_log_level']),
          }),
      };
    case 'memory_size':
      return { MemorySize: value };
    case 'role':
      return { Role: value };
    case 'runtime':
      return { Runtime: value };
    case 'snap_start':
      return { SnapStart: { ApplyOn: block?.['apply_on'] ?? 'None' } };
    case 'timeout':
      return { Timeout: value };
    case 'tracing_config':
      return { TracingConfig: block && { Mode: block['mode'] } };
    case 'vpc_config':
      return {
        VpcConfig: {
          Ipv6AllowedForDualStack: block?.['ipv6_allowed_for_dual_stack'] ?? false,
          SecurityGroupIds: block?.['security_group_ids'] ?? [],
          SubnetIds: block?.['subnet_ids'] ?? [],
        },
      };
  }
}

/** The arguments that name the code of a function. */
export interface CodeSource {
  readonly filename: string | null;
  readonly image_uri: string | null;
  readonly s3_bucket: string | null;
  readonly s3_key: string | null;
  readonly s3_object_version: string | null;
  readonly source_kms_key_arn: string | null;
}

/** Returns the code of a function for a request. */
export async function codeOf(aws: RegionalAws, plan: CodeSource): Promise<FunctionCode> {
  const key = omitUnset({ SourceKMSKeyArn: plan.source_kms_key_arn });
  if (plan.image_uri !== null) return { ...key, ImageUri: plan.image_uri };
  if (plan.filename === null) {
    return {
      ...key,
      ...omitUnset({
        S3Bucket: plan.s3_bucket,
        S3Key: plan.s3_key,
        S3ObjectVersion: plan.s3_object_version,
      }),
    };
  }
  try {
    return { ...key, ZipFile: await aws.provider.files.readFile(plan.filename) };
  } catch (problem) {
    const reason = userErrorText(problem);
    throw new ProviderError(`reading ZIP file (${plan.filename})`, reason);
  }
}

function first(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const block: unknown = Array.isArray(value) ? value[0] : undefined;
  return typeof block === 'object' && block !== null ? { ...block } : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
