import type { DeploymentConfiguration, UpdateServiceRequest } from '@aws-sdk/client-ecs';
import { enumOf } from '../resource/enum-of.ts';
import { omitUnset } from '../resource/only.ts';
import { connectOf } from './service-connect.ts';
import type { ServicePlan } from './service-plan.ts';
import {
  alarmsOf,
  balancersOf,
  capacityOf,
  constraintsOf,
  latticeOf,
  networkOf,
  placementOf,
  registriesOf,
  strategyOf,
  volumesOf,
} from './service-request.ts';

/** Arguments whose change is sent to ECS, or replaces tasks. */
export const CHANGEABLE = [
  'alarms',
  'availability_zone_rebalancing',
  'capacity_provider_strategy',
  'deployment_circuit_breaker',
  'deployment_configuration',
  'deployment_maximum_percent',
  'deployment_minimum_healthy_percent',
  'desired_count',
  'enable_ecs_managed_tags',
  'enable_execute_command',
  'force_new_deployment',
  'health_check_grace_period_seconds',
  'load_balancer',
  'network_configuration',
  'ordered_placement_strategy',
  'placement_constraints',
  'platform_version',
  'propagate_tags',
  'service_connect_configuration',
  'service_registries',
  'task_definition',
  'triggers',
  'volume_configuration',
  'vpc_lattice_configurations',
  'wait_for_steady_state',
] as const;

/** Returns the request that applies the changes of a service. */
export function updateRequest(
  service: string,
  plan: ServicePlan,
  changed: Changed,
): UpdateServiceRequest {
  const isDaemon = plan.scheduling_strategy === 'DAEMON';
  const deployment = deploymentChange(plan, changed);
  return {
    service,
    ...omitUnset({ cluster: plan.cluster }),
    forceNewDeployment: plan.force_new_deployment === true,
    ...(Object.keys(deployment).length > 0 && { deploymentConfiguration: deployment }),
    ...(changed('availability_zone_rebalancing') &&
      omitUnset({
        availabilityZoneRebalancing: enumOf<'ENABLED'>(plan.availability_zone_rebalancing),
      })),
    ...(changed('capacity_provider_strategy') && {
      capacityProviderStrategy: capacityOf(plan.capacity_provider_strategy),
    }),
    ...(changed('desired_count') && !isDaemon && { desiredCount: plan.desired_count ?? 0 }),
    ...(changed('enable_ecs_managed_tags') && {
      enableECSManagedTags: plan.enable_ecs_managed_tags,
    }),
    ...(changed('enable_execute_command') && {
      enableExecuteCommand: plan.enable_execute_command,
    }),
    ...(changed('health_check_grace_period_seconds') && {
      healthCheckGracePeriodSeconds: plan.health_check_grace_period_seconds ?? 0,
    }),
    ...(changed('load_balancer') && { loadBalancers: balancersOf(plan.load_balancer) }),
    ...(changed('network_configuration') &&
      omitUnset({ networkConfiguration: networkOf(plan.network_configuration) })),
    ...(changed('ordered_placement_strategy') && {
      placementStrategy: placementOf(plan.ordered_placement_strategy),
    }),
    ...(changed('placement_constraints') && {
      placementConstraints: constraintsOf(plan.placement_constraints),
    }),
    ...(changed('platform_version') && omitUnset({ platformVersion: plan.platform_version })),
    ...(changed('propagate_tags') && {
      propagateTags: enumOf<'NONE'>(plan.propagate_tags ?? 'NONE'),
    }),
    ...(changed('service_connect_configuration') && {
      serviceConnectConfiguration: connectOf(plan.service_connect_configuration),
    }),
    ...(changed('service_registries') && {
      serviceRegistries: registriesOf(plan.service_registries),
    }),
    ...(changed('task_definition') && omitUnset({ taskDefinition: plan.task_definition })),
    ...(changed('volume_configuration') && {
      volumeConfigurations: volumesOf(plan.volume_configuration),
    }),
    ...(changed('vpc_lattice_configurations') && {
      vpcLatticeConfigurations: latticeOf(plan.vpc_lattice_configurations),
    }),
  };
}

type Changed = (...at: readonly (keyof ServicePlan)[]) => boolean;

/** Returns the changed parts of the deployment configuration. */
function deploymentChange(plan: ServicePlan, changed: Changed): DeploymentConfiguration {
  const [breaker] = plan.deployment_circuit_breaker;
  return {
    ...(changed('deployment_configuration') && strategyOf(plan.deployment_configuration)),
    ...(changed('alarms') && omitUnset({ alarms: alarmsOf(plan.alarms) })),
    ...(changed('deployment_circuit_breaker') && {
      deploymentCircuitBreaker: breaker ?? { enable: false, rollback: false },
    }),
    ...(changed('deployment_maximum_percent', 'deployment_minimum_healthy_percent') && {
      ...(plan.scheduling_strategy !== 'DAEMON' && {
        maximumPercent: plan.deployment_maximum_percent,
      }),
      minimumHealthyPercent: plan.deployment_minimum_healthy_percent,
    }),
  };
}
