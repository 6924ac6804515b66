import type {
  CapacityProviderStrategyItem,
  DeploymentConfiguration,
  DeploymentLifecycleHook,
  LoadBalancer,
  NetworkConfiguration,
  PlacementConstraint,
  PlacementStrategy,
  ServiceRegistry,
  ServiceVolumeConfiguration,
  VpcLatticeConfiguration,
} from '@aws-sdk/client-ecs';
import { isUnknown, type Unknown } from '@terrane/provider/sdk';
import { enumOf } from '../resource/enum-of.ts';
import { omitUnset } from '../resource/only.ts';

// Stored arguments of a service, and the corresponding members of requests. In a plan, computed values may be unknown
// (`U`).

type Computed<T, U> = T | U | null;
type Some<T> = readonly T[];

/** `deployment_circuit_breaker` */
export interface Switches {
  readonly enable: boolean;
  readonly rollback: boolean;
}

/** `alarms` */
export interface Alarms extends Switches {
  readonly alarm_names: Some<string>;
}

/** `deployment_configuration` */
export interface Strategy<U = never> {
  readonly bake_time_in_minutes: Computed<string, U>;
  readonly strategy: Computed<string, U>;
  readonly canary_configuration: Some<{
    readonly canary_bake_time_in_minutes: Computed<string, U>;
    readonly canary_percent: Computed<number, U>;
  }>;
  readonly lifecycle_hook: Some<{
    readonly hook_details: string | null;
    readonly hook_target_arn: string;
    readonly lifecycle_stages: Some<string>;
    readonly role_arn: string;
  }>;
  readonly linear_configuration: Some<{
    readonly step_bake_time_in_minutes: Computed<string, U>;
    readonly step_percent: Computed<number, U>;
  }>;
}

/** `capacity_provider_strategy` */
export interface Capacity {
  readonly base: number | null;
  readonly capacity_provider: string;
  readonly weight: number | null;
}

/** `load_balancer` */
export interface Balancer {
  readonly container_name: string;
  readonly container_port: number;
  readonly elb_name: string | null;
  readonly target_group_arn: string | null;
  readonly advanced_configuration: Some<{
    readonly alternate_target_group_arn: string;
    readonly production_listener_rule: string;
    readonly role_arn: string;
    readonly test_listener_rule: string | null;
  }>;
}

/** `network_configuration` */
export interface Network {
  readonly assign_public_ip: boolean | null;
  readonly security_groups: Some<string> | null;
  readonly subnets: Some<string>;
}

/** `ordered_placement_strategy` */
export interface Placement {
  readonly field: string | null;
  readonly type: string;
}

/** `placement_constraints` */
export interface Constraint {
  readonly expression: string | null;
  readonly type: string;
}

/** `service_registries` */
export interface Registry {
  readonly container_name: string | null;
  readonly container_port: number | null;
  readonly port: number | null;
  readonly registry_arn: string;
}

/** `volume_configuration` */
export interface Volume {
  readonly name: string;
  readonly managed_ebs_volume: Some<{
    readonly encrypted: boolean | null;
    readonly file_system_type: string | null;
    readonly iops: number | null;
    readonly kms_key_id: string | null;
    readonly role_arn: string;
    readonly size_in_gb: number | null;
    readonly snapshot_id: string | null;
    readonly throughput: number | null;
    readonly volume_initialization_rate: number | null;
    readonly volume_type: string | null;
    readonly tag_specifications: Some<{
      readonly propagate_tags: string | null;
      readonly resource_type: string;
      readonly tags: Readonly<Record<string, string>> | null;
    }>;
  }>;
}

/** `vpc_lattice_configurations` */
export interface Lattice {
  readonly port_name: string;
  readonly role_arn: string;
  readonly target_group_arn: string;
}

/** The alarms that end a deployment; undefined: not configured. */
export function alarmsOf([alarms]: Some<Alarms>): DeploymentConfiguration['alarms'] {
  if (alarms === undefined) return undefined;
  const { alarm_names: names, enable, rollback } = alarms;
  return { alarmNames: [...names], enable, rollback };
}

/** Returns the deployment strategy; empty if none is configured. */
export function strategyOf([strategy]: Some<Strategy<Unknown>>): DeploymentConfiguration {
  if (strategy === undefined) return {};
  const [canary] = strategy.canary_configuration;
  const [linear] = strategy.linear_configuration;
  return {
    ...omitUnset({
      strategy: enumOf<'ROLLING'>(strategy.strategy),
      bakeTimeInMinutes: minutesOf(strategy.bake_time_in_minutes),
    }),
    ...(canary && {
      canaryConfiguration: omitUnset({
        canaryPercent: canary.canary_percent,
        canaryBakeTimeInMinutes: minutesOf(canary.canary_bake_time_in_minutes),
      }),
    }),
    ...(linear && {
      linearConfiguration: omitUnset({
        stepPercent: linear.step_percent,
        stepBakeTimeInMinutes: minutesOf(linear.step_bake_time_in_minutes),
      }),
    }),
    lifecycleHooks: strategy.lifecycle_hook.map((hook): DeploymentLifecycleHook => {
      const details = hook.hook_details ?? '';
      return {
        hookTargetArn: hook.hook_target_arn,
        roleArn: hook.role_arn,
        lifecycleStages: hook.lifecycle_stages.map((stage) => enumOf<'POST_SCALE_UP'>(stage)),
        // It has been validated.
        ...(details !== '' && { hookDetails: JSON.parse(details) }),
      };
    }),
  };
}

/** Minutes are text, to distinguish an empty value from zero. */
function minutesOf(value: Computed<string, Unknown>): number | undefined {
  return value === null || value === '' || isUnknown(value) ? undefined : Number(value);
}

/** Returns the capacity provider strategy of tasks. */
export function capacityOf(strategy: Some<Capacity>): CapacityProviderStrategyItem[] {
  return strategy.map(({ base, capacity_provider: capacityProvider, weight }) => ({
    capacityProvider,
    ...omitUnset({ base, weight }),
  }));
}

/** Returns the load balancers of the tasks as a request parameter. */
export function balancersOf(balancers: Some<Balancer>): LoadBalancer[] {
  return balancers.map((balancer) => {
    const [more] = balancer.advanced_configuration;
    return {
      containerName: balancer.container_name,
      containerPort: balancer.container_port,
      ...omitUnset({
        loadBalancerName: balancer.elb_name,
        targetGroupArn: balancer.target_group_arn,
      }),
      ...(more && {
        advancedConfiguration: {
          alternateTargetGroupArn: more.alternate_target_group_arn,
          productionListenerRule: more.production_listener_rule,
          roleArn: more.role_arn,
          ...omitUnset({ testListenerRule: more.test_listener_rule }),
        },
      }),
    };
  });
}

/** The networks of tasks; undefined: not configured. */
export function networkOf([network]: Some<Network>): NetworkConfiguration | undefined {
  return (
    network && {
      awsvpcConfiguration: {
        subnets: [...network.subnets],
        securityGroups: [...(network.security_groups ?? [])],
        assignPublicIp: network.assign_public_ip === true ? 'ENABLED' : 'DISABLED',
      },
    }
  );
}

/** Returns the placement strategies. */
export function placementOf(placement: Some<Placement>): PlacementStrategy[] {
  return placement.map(({ field, type }) => ({
    type: enumOf<'spread'>(type),
    ...omitUnset({ field }),
  }));
}

/** Returns the placement constraints. */
export function constraintsOf(constraints: Some<Constraint>): PlacementConstraint[] {
  return constraints.map(({ expression, type }) => ({
    type: enumOf<'memberOf'>(type),
    ...omitUnset({ expression }),
  }));
}

/** Returns the registries that list the tasks. */
export function registriesOf(registries: Some<Registry>): ServiceRegistry[] {
  return registries.map((registry) => ({
    registryArn: registry.registry_arn,
    ...omitUnset({
      containerName: registry.container_name,
      containerPort: registry.container_port,
      port: registry.port,
    }),
  }));
}

/** Returns the volumes that are created for each task. */
export function volumesOf(volumes: Some<Volume>): ServiceVolumeConfiguration[] {
  return volumes.map(({ name, managed_ebs_volume: [volume] }) => ({
    name,
    ...(volume && {
      managedEBSVolume: {
        roleArn: volume.role_arn,
        ...omitUnset({
          encrypted: volume.encrypted,
          filesystemType: enumOf<'xfs'>(volume.file_system_type ?? ''),
          iops: volume.iops,
          kmsKeyId: volume.kms_key_id,
          sizeInGiB: volume.size_in_gb,
          snapshotId: volume.snapshot_id,
          throughput: volume.throughput,
          volumeInitializationRate: volume.volume_initialization_rate,
          volumeType: volume.volume_type,
        }),
        ...(volume.tag_specifications.length > 0 && {
          tagSpecifications: volume.tag_specifications.map((tagged) => ({
            resourceType: enumOf<'volume'>(tagged.resource_type),
            ...omitUnset({ propagateTags: enumOf<'NONE'>(tagged.propagate_tags ?? '') }),
            tags: Object.entries(tagged.tags ?? {}).map(([key, value]) => ({ key, value })),
          })),
        }),
      },
    }),
  }));
}

/** Ports in networks of VPC Lattice. */
export function latticeOf(lattice: Some<Lattice>): VpcLatticeConfiguration[] {
  return lattice.map((each) => ({
    portName: each.port_name,
    roleArn: each.role_arn,
    targetGroupArn: each.target_group_arn,
  }));
}
