import type { Deployment, DeploymentConfiguration, Service } from '@aws-sdk/client-ecs';
import type { Loose, LooseObject } from '../resource/loose.ts';
import { omitUnset } from '../resource/only.ts';
import type { AwsTag } from '../tags/tags.ts';
import { type Connect, connectIn } from './service-connect.ts';
import type {
  Alarms,
  Balancer,
  Capacity,
  Constraint,
  Lattice,
  Network,
  Placement,
  Registry,
  Strategy,
  Switches,
  Volume,
} from './service-request.ts';
import { tagsOfEcs } from './tags.ts';

// The arguments of a service in responses.

interface Placed {
  readonly capacity_provider_strategy: readonly Capacity[];
  readonly load_balancer: readonly Balancer[];
  readonly network_configuration: readonly Network[];
  readonly ordered_placement_strategy: readonly Placement[];
  readonly placement_constraints: readonly Constraint[];
  readonly service_registries: readonly Registry[];
}

/** Returns the arguments for the placement of tasks. `written` is the stored order of the placement strategies. */
function placedIn(service: Service, written: readonly Placement[] = []): LooseObject<Placed> {
  const network = service.networkConfiguration?.awsvpcConfiguration;
  return {
    capacity_provider_strategy: (service.capacityProviderStrategy ?? []).map((each) => ({
      base: each.base,
      capacity_provider: each.capacityProvider,
      weight: each.weight,
    })),
    load_balancer: (service.loadBalancers ?? []).map((each) => ({
      container_name: each.containerName,
      container_port: each.containerPort,
      elb_name: each.loadBalancerName,
      target_group_arn: each.targetGroupArn,
      advanced_configuration: each.advancedConfiguration && [
        {
          alternate_target_group_arn: each.advancedConfiguration.alternateTargetGroupArn,
          production_listener_rule: each.advancedConfiguration.productionListenerRule,
          role_arn: each.advancedConfiguration.roleArn,
          test_listener_rule: each.advancedConfiguration.testListenerRule,
        },
      ],
    })),
    network_configuration: network && [
      {
        assign_public_ip: network.assignPublicIp === 'ENABLED',
        security_groups: network.securityGroups,
        subnets: network.subnets,
      },
    ],
    ordered_placement_strategy: (service.placementStrategy ?? []).map(({ field, type }, index) => ({
      field: fieldOf(written[index]?.field, field),
      type,
    })),
    placement_constraints: (service.placementConstraints ?? []).map(({ expression, type }) => ({
      expression,
      type,
    })),
    service_registries: (service.serviceRegistries ?? []).map((each) => ({
      container_name: each.containerName,
      container_port: each.containerPort,
      port: each.port,
      registry_arn: each.registryArn,
    })),
  };
}

/** Returns a field as the configuration writes it. ECS reports fields in another case, and hosts under another name. */
function fieldOf(written: string | null | undefined, reportedText = ''): string {
  const same = (text: string): string => (text === 'host' ? 'instanceid' : text.toLowerCase());
  if (typeof written === 'string' && same(written) === same(reportedText)) return written;
  return reportedText === 'CPU' || reportedText === 'MEMORY'
    ? reportedText.toLowerCase()
    : reportedText;
}

interface Deployed {
  readonly alarms: readonly Alarms[];
  readonly deployment_circuit_breaker: readonly Switches[];
  readonly deployment_configuration: readonly Strategy[];
  readonly deployment_maximum_percent: number;
  readonly deployment_minimum_healthy_percent: number;
}

/** Returns the arguments for deployments; none if ECS reports none. */
function deployedIn(configuration: DeploymentConfiguration | undefined): LooseObject<Deployed> {
  if (configuration === undefined) return {};
  const { alarms, canaryConfiguration: canary, deploymentCircuitBreaker: breaker } = configuration;
  const { linearConfiguration: linear, lifecycleHooks: hooks = [] } = configuration;
  return {
    alarms: alarms && [
      { alarm_names: alarms.alarmNames, enable: alarms.enable, rollback: alarms.rollback },
    ],
    deployment_circuit_breaker: breaker && [{ enable: breaker.enable, rollback: breaker.rollback }],
    deployment_configuration: [
      {
        bake_time_in_minutes: textOf(configuration.bakeTimeInMinutes),
        strategy: configuration.strategy,
        canary_configuration: canary && [
          {
            canary_bake_time_in_minutes: textOf(canary.canaryBakeTimeInMinutes),
            canary_percent: canary.canaryPercent,
          },
        ],
        lifecycle_hook: hooks.map((hook) => ({
          hook_details: hook.hookDetails === undefined ? null : JSON.stringify(hook.hookDetails),
          hook_target_arn: hook.hookTargetArn,
          lifecycle_stages: hook.lifecycleStages,
          role_arn: hook.roleArn,
        })),
        linear_configuration: linear && [
          {
            step_bake_time_in_minutes: textOf(linear.stepBakeTimeInMinutes),
            step_percent: linear.stepPercent,
          },
        ],
      },
    ],
    deployment_maximum_percent: configuration.maximumPercent,
    deployment_minimum_healthy_percent: configuration.minimumHealthyPercent,
  };
}

function textOf(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** The deployment that a service is to have. */
function primaryOf({ deployments = [] }: Service): Deployment | undefined {
  return deployments.find(({ status }) => status === 'PRIMARY');
}

interface Attached {
  readonly volume_configuration: readonly Volume[];
  readonly vpc_lattice_configurations: readonly Lattice[];
}

/** Returns the arguments that a deployment passes to its tasks; none if ECS reports none. */
function attachedIn(deployment: Deployment | undefined): LooseObject<Attached> {
  const { volumeConfigurations: volumes, vpcLatticeConfigurations: lattice } = deployment ?? {};
  return {
    ...(volumes && { volume_configuration: volumes.map(volumeIn) }),
    ...(lattice && {
      vpc_lattice_configurations: lattice.map((each) => ({
        port_name: each.portName,
        role_arn: each.roleArn,
        target_group_arn: each.targetGroupArn,
      })),
    }),
  };
}

function volumeIn({
  name,
  managedEBSVolume: volume,
}: NonNullable<Deployment['volumeConfigurations']>[number]): Loose<Volume> {
  return {
    name,
    managed_ebs_volume: volume && [
      {
        encrypted: volume.encrypted,
        file_system_type: volume.filesystemType,
        iops: volume.iops,
        kms_key_id: volume.kmsKeyId,
        role_arn: volume.roleArn,
        size_in_gb: volume.sizeInGiB,
        snapshot_id: volume.snapshotId,
        throughput: volume.throughput,
        volume_initialization_rate: volume.volumeInitializationRate,
        volume_type: volume.volumeType,
        tag_specifications: (volume.tagSpecifications ?? []).map((each) => ({
          propagate_tags: each.propagateTags,
          resource_type: each.resourceType,
          tags: Object.fromEntries(
            tagsOfEcs(each.tags).map(({ Key, Value }) => [Key, Value] as const),
          ),
        })),
      },
    ],
  };
}

/** Returns a name in the configured form: an ARN, or the part after its last slash. */
function asWritten(written: string | null | undefined, arn = ''): string {
  return written?.startsWith('arn:') === true ? arn : (arn.split('/').at(-1) ?? '');
}

interface Stored {
  readonly cluster?: string | null;
  readonly iam_role?: string | null;
  readonly name?: string | null;
  readonly ordered_placement_strategy?: readonly Placement[];
  readonly task_definition?: string | null;
}

type Text =
  | 'arn'
  | 'availability_zone_rebalancing'
  | 'cluster'
  | 'iam_role'
  | 'id'
  | 'launch_type'
  | 'name'
  | 'platform_version'
  | 'propagate_tags'
  | 'scheduling_strategy'
  | 'task_definition';

type Found = { readonly [K in Text]?: string | undefined } & {
  readonly [K in 'enable_ecs_managed_tags' | 'enable_execute_command']: boolean | undefined;
} & {
  readonly [K in 'desired_count' | 'health_check_grace_period_seconds']: number | undefined;
} & {
  readonly deployment_controller: readonly { readonly type: string }[];
  readonly service_connect_configuration?: readonly Loose<Connect>[];
  readonly tags: readonly AwsTag[];
} & LooseObject<Placed> &
  LooseObject<Deployed> &
  LooseObject<Attached>;

/** The arguments of a service as they were found; `stored`: as they were. */
export function serviceArguments(service: Service, stored: Stored): Found {
  const primary = primaryOf(service);
  const connect = primary?.serviceConnectConfiguration;
  // Imported services have no stored values. Otherwise responses may format names differently from the configuration.
  const isImported = (stored.name ?? '') === '';
  return {
    id: service.serviceArn,
    arn: service.serviceArn,
    ...omitUnset({ availability_zone_rebalancing: service.availabilityZoneRebalancing }),
    cluster: asWritten(stored.cluster, service.clusterArn),
    desired_count: service.desiredCount,
    enable_ecs_managed_tags: service.enableECSManagedTags,
    enable_execute_command: service.enableExecuteCommand,
    health_check_grace_period_seconds: service.healthCheckGracePeriodSeconds,
    ...(service.roleArn !== undefined && { iam_role: asWritten(stored.iam_role, service.roleArn) }),
    launch_type: service.launchType,
    name: service.serviceName,
    platform_version: service.platformVersion,
    propagate_tags: service.propagateTags,
    scheduling_strategy: service.schedulingStrategy,
    // Task sets say theirs themselves.
    ...(service.taskDefinition !== undefined && {
      task_definition: asWritten(stored.task_definition, service.taskDefinition),
    }),
    deployment_controller: [{ type: service.deploymentController?.type ?? 'ECS' }],
    ...deployedIn(service.deploymentConfiguration),
    ...placedIn(service, stored.ordered_placement_strategy),
    ...attachedIn(primary),
    ...(isImported && connect && { service_connect_configuration: [connectIn(connect)] }),
    tags: tagsOfEcs(service.tags),
  };
}
