import type { Unknown } from '@terrane/provider/sdk';
import type { Connect } from './service-connect.ts';
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

type Computed<T> = T | Unknown | null;
type Some<T> = readonly T[];

/** The planned arguments of a service that requests contain. */
export interface ServicePlan {
  readonly alarms: Some<Alarms>;
  readonly availability_zone_rebalancing: Computed<string>;
  readonly capacity_provider_strategy: Some<Capacity>;
  readonly cluster: Computed<string>;
  readonly deployment_circuit_breaker: Some<Switches>;
  readonly deployment_configuration: Some<Strategy<Unknown>>;
  readonly deployment_controller: Some<{ readonly type: string }>;
  readonly deployment_maximum_percent: number;
  readonly deployment_minimum_healthy_percent: number;
  readonly desired_count: number | null;
  readonly enable_ecs_managed_tags: boolean;
  readonly enable_execute_command: boolean;
  readonly force_new_deployment: boolean | null;
  readonly health_check_grace_period_seconds: number | null;
  readonly iam_role: Computed<string>;
  readonly launch_type: Computed<string>;
  readonly load_balancer: Some<Balancer>;
  readonly name: string;
  readonly network_configuration: Some<Network>;
  readonly ordered_placement_strategy: Some<Placement>;
  readonly placement_constraints: Some<Constraint>;
  readonly platform_version: Computed<string>;
  readonly propagate_tags: string | null;
  readonly scheduling_strategy: string;
  readonly service_connect_configuration: Some<Connect<Unknown>>;
  readonly service_registries: Some<Registry>;
  readonly task_definition: string | null;
  readonly volume_configuration: Some<Volume>;
  readonly vpc_lattice_configurations: Some<Lattice>;
}
