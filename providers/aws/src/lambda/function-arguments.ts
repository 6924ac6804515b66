import type { FunctionConfiguration } from '@aws-sdk/client-lambda';
import type { RegionalAws } from '../clients/aws.ts';

type FunctionBlock =
  | 'capacity_provider_config'
  | 'dead_letter_config'
  | 'durable_config'
  | 'environment'
  | 'ephemeral_storage'
  | 'file_system_config'
  | 'image_config'
  | 'logging_config'
  | 'snap_start'
  | 'tenancy_config'
  | 'tracing_config'
  | 'vpc_config';

/** The blocks of a function as they were found. */
export function blocksOf(
  configuration: FunctionConfiguration,
): Readonly<Record<FunctionBlock, readonly object[]>> {
  const managed =
    configuration.CapacityProviderConfig?.LambdaManagedInstancesCapacityProviderConfig;
  const { DurableConfig: durable, ImageConfigResponse: image, VpcConfig: vpc } = configuration;
  const { LoggingConfig: logging, SnapStart: snap } = configuration;
  const dead = configuration.DeadLetterConfig?.TargetArn ?? '';
  const variables = configuration.Environment?.Variables ?? {};
  return {
    capacity_provider_config: some(managed, (each) => ({
      lambda_managed_instances_capacity_provider_config: [
        {
          capacity_provider_arn: each.CapacityProviderArn,
          execution_environment_memory_gib_per_vcpu: each.ExecutionEnvironmentMemoryGiBPerVCpu,
          per_execution_environment_max_concurrency: each.PerExecutionEnvironmentMaxConcurrency,
        },
      ],
    })),
    dead_letter_config: dead === '' ? [] : [{ target_arn: dead }],
    durable_config: some(durable, (each) => ({
      execution_timeout: each.ExecutionTimeout,
      retention_period: each.RetentionPeriodInDays,
    })),
    environment: Object.keys(variables).length === 0 ? [] : [{ variables }],
    ephemeral_storage: [{ size: configuration.EphemeralStorage?.Size ?? 512 }],
    file_system_config: (configuration.FileSystemConfigs ?? []).map((each) => ({
      arn: each.Arn,
      local_mount_path: each.LocalMountPath,
    })),
    image_config: some(image?.ImageConfig, (each) => ({
      command: each.Command ?? [],
      entry_point: each.EntryPoint ?? [],
      working_directory: each.WorkingDirectory,
    })),
    logging_config: some(logging, (each) => ({
      application_log_level: each.ApplicationLogLevel,
      log_format: each.LogFormat,
      log_group: each.LogGroup,
      system_log_level: each.SystemLogLevel,
    })),
    snap_start:
      snap?.ApplyOn === 'PublishedVersions'
        ? [{ apply_on: snap.ApplyOn, optimization_status: snap.OptimizationStatus }]
        : [],
    tenancy_config: some(configuration.TenancyConfig, (each) => ({
      tenant_isolation_mode: each.TenantIsolationMode,
    })),
    tracing_config: [{ mode: configuration.TracingConfig?.Mode ?? 'PassThrough' }],
    vpc_config:
      (vpc?.VpcId ?? '') === ''
        ? []
        : [
            {
              ipv6_allowed_for_dual_stack: vpc?.Ipv6AllowedForDualStack ?? false,
              security_group_ids: vpc?.SecurityGroupIds ?? [],
              subnet_ids: vpc?.SubnetIds ?? [],
              vpc_id: vpc?.VpcId,
            },
          ],
  };
}

function some<T, B>(part: T | undefined, block: (part: T) => B): readonly B[] {
  return part === undefined ? [] : [block(part)];
}

/** The version of a function that was published last. */
export async function latestVersion(
  aws: RegionalAws,
  FunctionName: string,
): Promise<{ readonly arn: string; readonly version: string }> {
  let latest = { arn: '', version: '' };
  let Marker: string | undefined;
  do {
    const page = await aws.lambda.listVersionsByFunction({ FunctionName, Marker });
    const last = page.Versions?.at(-1);
    if (last !== undefined) latest = { arn: last.FunctionArn ?? '', version: last.Version ?? '' };
    Marker = page.NextMarker === '' ? undefined : page.NextMarker;
  } while (Marker !== undefined);
  return latest;
}

/** The configuration by which the code of a function is signed. Only code in archives can be. */
export async function signingOf(
  aws: RegionalAws,
  FunctionName: string,
  type: string | undefined,
): Promise<string> {
  if (type === 'Image' || aws.partition.id !== 'aws') return '';
  const answer = await aws.lambda.getFunctionCodeSigningConfig({ FunctionName });
  return answer.CodeSigningConfigArn ?? '';
}

/** Returns the ARN with which API Gateway invokes a function. */
export function invokeArn(aws: RegionalAws, functionArn: string): string {
  return `arn:${aws.partition.id}:apigateway:${aws.region}:lambda:path/2015-03-31/functions/${functionArn}/invocations`;
}
