import type { CreateServiceRequest } from '@aws-sdk/client-ecs';
import type { RegionalAws } from '../clients/aws.ts';
import { enumOf } from '../resource/enum-of.ts';
import { omitUnset } from '../resource/only.ts';
import type { Tags } from '../tags/tags.ts';
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
import { ecsTags } from './tags.ts';

/** Returns the request that creates a service. */
export function createRequest(
  aws: RegionalAws,
  plan: ServicePlan,
  tags: Tags,
): CreateServiceRequest {
  const [controller] = plan.deployment_controller;
  const [breaker] = plan.deployment_circuit_breaker;
  const isDaemon = plan.scheduling_strategy === 'DAEMON';
  const percents = {
    maximumPercent: plan.deployment_maximum_percent,
    minimumHealthyPercent: plan.deployment_minimum_healthy_percent,
  };
  const { minimumHealthyPercent } = percents;
  const healthyPercent = minimumHealthyPercent !== 100 && { minimumHealthyPercent };
  return {
    serviceName: plan.name,
    // A retry after a lost response must not create a second one.
    clientToken: [...aws.provider.random.bytes(16)]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join(''),
    ...omitUnset({
      availabilityZoneRebalancing: enumOf<'ENABLED'>(plan.availability_zone_rebalancing),
      cluster: plan.cluster,
      healthCheckGracePeriodSeconds: plan.health_check_grace_period_seconds,
      platformVersion: plan.platform_version,
      propagateTags: enumOf<'NONE'>(plan.propagate_tags),
      role: plan.iam_role,
      tags: ecsTags(tags),
      taskDefinition: plan.task_definition,
    }),
    // Task sets say theirs themselves.
    ...(controller?.type !== 'EXTERNAL' &&
      omitUnset({ launchType: enumOf<'EC2'>(plan.launch_type) })),
    schedulingStrategy: enumOf<'REPLICA'>(plan.scheduling_strategy),
    ...(!isDaemon && { desiredCount: plan.desired_count ?? 0 }),
    enableECSManagedTags: plan.enable_ecs_managed_tags,
    enableExecuteCommand: plan.enable_execute_command,
    ...(controller && { deploymentController: { type: enumOf<'ECS'>(controller.type) } }),
    deploymentConfiguration: {
      ...strategyOf(plan.deployment_configuration),
      ...(isDaemon ? healthyPercent : percents),
      ...omitUnset({ alarms: alarmsOf(plan.alarms), deploymentCircuitBreaker: breaker }),
    },
    ...filledLists({
      capacityProviderStrategy: capacityOf(plan.capacity_provider_strategy),
      loadBalancers: balancersOf(plan.load_balancer),
      placementConstraints: constraintsOf(plan.placement_constraints),
      placementStrategy: placementOf(plan.ordered_placement_strategy),
      serviceRegistries: registriesOf(plan.service_registries),
      volumeConfigurations: volumesOf(plan.volume_configuration),
      vpcLatticeConfigurations: latticeOf(plan.vpc_lattice_configurations),
    }),
    ...omitUnset({ networkConfiguration: networkOf(plan.network_configuration) }),
    ...(plan.service_connect_configuration.length > 0 && {
      serviceConnectConfiguration: connectOf(plan.service_connect_configuration),
    }),
  };
}

/** Returns the non-empty lists. */
function filledLists<T extends Readonly<Record<string, readonly unknown[]>>>(lists: T): Partial<T> {
  const filled = Object.entries(lists).filter(([, each]) => each.length > 0);
  // The remaining members have their types.
  return Object.fromEntries(filled) as Partial<T>;
}
