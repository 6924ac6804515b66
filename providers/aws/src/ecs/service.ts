import {
  between,
  bool,
  int64,
  list,
  listBlock,
  map,
  minutes,
  NotFoundError,
  number,
  oneOf,
  ProviderError,
  type RemoteObject,
  type Resource,
  set,
  setBlock,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { jsonText } from '../json-policy/policy-text.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { keptInside } from '../resource/kept-inside.ts';
import { given } from '../resource/only.ts';
import { NO_SERVICE } from './consts.ts';
import { connectIn, connectOf } from './service-connect.ts';
import { asWritten, attachedIn, deployedIn, placedIn, primaryOf } from './service-found.ts';
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
import {
  serviceAt,
  type ServiceAt,
  serviceIsActive,
  serviceIsGone,
  serviceIsStable,
  takeBack,
} from './service-wait.ts';
import { ecsRetag, ecsTags, tagsOfEcs } from './tags.ts';

const requiresReplace = true;
const ONE = { maxItems: 1 } as const;
const text = string({ optional: true });
const some = string({ required: true });
const open = string({ optional: true, computed: true });
const whole = int64({ optional: true });
const part = number({ optional: true, computed: true });
const flag = bool({ optional: true });
const off = bool({ default: false, computed: false });
const needed = bool({ required: true });
const port = int64({ optional: true, validators: [between(0, 65_536)] });
const seconds = int64({ optional: true, validators: [between(0, 2_147_483_647)] });

/** `aws_ecs_service` */
export const service: Resource<Aws> = awsResource({
  type: 'ECS Service',
  notFound: NO_SERVICE,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    availability_zone_rebalancing: string({
      optional: true,
      computed: true,
      validators: [oneOf('DISABLED', 'ENABLED')],
    }),
    cluster: string({ optional: true, computed: true, requiresReplace }),
    deployment_maximum_percent: int64({ default: 200, computed: false }),
    deployment_minimum_healthy_percent: int64({ default: 100, computed: false }),
    desired_count: whole,
    enable_ecs_managed_tags: off,
    enable_execute_command: off,
    force_delete: flag,
    force_new_deployment: flag,
    health_check_grace_period_seconds: seconds,
    iam_role: string({ optional: true, computed: true, requiresReplace }),
    launch_type: string({
      optional: true,
      computed: true,
      requiresReplace,
      validators: [oneOf('EC2', 'EXTERNAL', 'FARGATE', 'MANAGED_INSTANCES')],
    }),
    name: string({ required: true, requiresReplace }),
    platform_version: open,
    propagate_tags: string({
      optional: true,
      validators: [oneOf('NONE', 'SERVICE', 'TASK_DEFINITION')],
    }),
    scheduling_strategy: string({
      default: 'REPLICA',
      computed: false,
      requiresReplace,
      validators: [oneOf('DAEMON', 'REPLICA')],
    }),
    sigint_rollback: flag,
    task_definition: text,
    triggers: map(string, { optional: true, computed: true }),
    wait_for_steady_state: off,
  },
  blocks: {
    alarms: listBlock(
      { alarm_names: set(string, { required: true }), enable: needed, rollback: needed },
      ONE,
    ),
    capacity_provider_strategy: setBlock({
      base: int64({ optional: true, validators: [between(0, 100_000)] }),
      capacity_provider: some,
      weight: int64({ optional: true, validators: [between(0, 1000)] }),
    }),
    deployment_circuit_breaker: listBlock({ enable: needed, rollback: needed }, ONE),
    deployment_configuration: listBlock(
      {
        bake_time_in_minutes: open,
        strategy: string({
          optional: true,
          computed: true,
          validators: [oneOf('BLUE_GREEN', 'CANARY', 'LINEAR', 'ROLLING')],
        }),
      },
      {
        ...ONE,
        blocks: {
          canary_configuration: listBlock(
            { canary_bake_time_in_minutes: open, canary_percent: part },
            ONE,
          ),
          lifecycle_hook: setBlock({
            hook_details: jsonText({ optional: true }),
            hook_target_arn: some,
            lifecycle_stages: list(string, { required: true }),
            role_arn: some,
          }),
          linear_configuration: listBlock(
            { step_bake_time_in_minutes: open, step_percent: part },
            ONE,
          ),
        },
      },
    ),
    deployment_controller: listBlock(
      {
        type: string({
          default: 'ECS',
          computed: false,
          requiresReplace,
          validators: [oneOf('CODE_DEPLOY', 'ECS', 'EXTERNAL')],
        }),
      },
      ONE,
    ),
    load_balancer: setBlock(
      {
        container_name: some,
        container_port: int64({ required: true, validators: [between(0, 65_536)] }),
        elb_name: text,
        target_group_arn: text,
      },
      {
        blocks: {
          advanced_configuration: listBlock(
            {
              alternate_target_group_arn: some,
              production_listener_rule: some,
              role_arn: some,
              test_listener_rule: text,
            },
            ONE,
          ),
        },
      },
    ),
    network_configuration: listBlock(
      {
        assign_public_ip: off,
        security_groups: set(string, { optional: true }),
        subnets: set(string, { required: true }),
      },
      ONE,
    ),
    ordered_placement_strategy: listBlock(
      {
        field: text,
        type: string({ required: true, validators: [oneOf('binpack', 'random', 'spread')] }),
      },
      { maxItems: 5 },
    ),
    placement_constraints: setBlock(
      {
        expression: text,
        type: string({ required: true, validators: [oneOf('distinctInstance', 'memberOf')] }),
      },
      { maxItems: 10 },
    ),
    service_connect_configuration: listBlock(
      { enabled: needed, namespace: open },
      {
        ...ONE,
        blocks: {
          log_configuration: listBlock(
            { log_driver: some, options: map(string, { optional: true, computed: true }) },
            { ...ONE, blocks: { secret_option: listBlock({ name: some, value_from: some }) } },
          ),
          service: listBlock(
            {
              discovery_name: open,
              ingress_port_override: int64({ optional: true, validators: [between(0, 65_535)] }),
              port_name: some,
            },
            {
              blocks: {
                client_alias: listBlock(
                  {
                    dns_name: open,
                    port: int64({ required: true, validators: [between(0, 65_535)] }),
                  },
                  {
                    ...ONE,
                    blocks: {
                      test_traffic_rules: listBlock(
                        {},
                        {
                          blocks: {
                            header: listBlock(
                              { name: some },
                              {
                                ...ONE,
                                blocks: {
                                  value: listBlock({ exact: some }, { minItems: 1, maxItems: 1 }),
                                },
                              },
                            ),
                          },
                        },
                      ),
                    },
                  },
                ),
                timeout: listBlock(
                  { idle_timeout_seconds: seconds, per_request_timeout_seconds: seconds },
                  ONE,
                ),
                tls: listBlock(
                  { kms_key: text, role_arn: text },
                  {
                    ...ONE,
                    blocks: {
                      issuer_cert_authority: listBlock(
                        { aws_pca_authority_arn: some },
                        { minItems: 1, maxItems: 1 },
                      ),
                    },
                  },
                ),
              },
            },
          ),
        },
      },
    ),
    service_registries: listBlock(
      { container_name: text, container_port: port, port, registry_arn: some },
      ONE,
    ),
    timeouts: timeoutsBlock({ create: '20m', update: '20m', delete: '20m' }),
    volume_configuration: listBlock(
      { name: some },
      {
        ...ONE,
        blocks: {
          managed_ebs_volume: listBlock(
            {
              encrypted: bool({ default: true, computed: false }),
              file_system_type: string({
                default: 'xfs',
                computed: false,
                validators: [oneOf('ext3', 'ext4', 'ntfs', 'xfs')],
              }),
              iops: whole,
              kms_key_id: text,
              role_arn: some,
              size_in_gb: whole,
              snapshot_id: text,
              throughput: whole,
              volume_initialization_rate: whole,
              volume_type: text,
            },
            {
              minItems: 1,
              maxItems: 1,
              blocks: {
                tag_specifications: listBlock({
                  propagate_tags: text,
                  resource_type: string({ required: true, validators: [oneOf('volume')] }),
                  tags: map(string, { optional: true }),
                }),
              },
            },
          ),
        },
      },
    ),
    vpc_lattice_configurations: setBlock({
      port_name: some,
      role_arn: some,
      target_group_arn: some,
    }),
  },

  plan(planning) {
    const { plan, config, state, changed, requireReplace } = planning;
    const kept = keptInside(
      planning,
      'alarms',
      'deployment_circuit_breaker',
      'deployment_configuration',
      'deployment_controller',
      'service_connect_configuration',
    );
    if (state === null) return kept;
    const isForced = config.force_new_deployment === true;
    const [had, has] = [state, config].map((each) => each.capacity_provider_strategy.length > 0);
    if (changed('capacity_provider_strategy') && (!isForced || had !== has)) {
      requireReplace('capacity_provider_strategy');
    }
    const isDaemon = plan.scheduling_strategy === 'DAEMON';
    return {
      ...kept,
      // They are there to have tasks replaced, and say nothing by themselves.
      ...(!isForced && { triggers: state.triggers }),
      ...(config.propagate_tags === null &&
        state.propagate_tags === 'NONE' && { propagate_tags: 'NONE' }),
      // One task a machine, however many are asked for.
      ...(isDaemon && {
        desired_count: state.desired_count,
        ...(plan.deployment_maximum_percent === 200 && {
          deployment_maximum_percent: state.deployment_maximum_percent,
        }),
        ...(plan.deployment_minimum_healthy_percent === 100 && {
          deployment_minimum_healthy_percent: state.deployment_minimum_healthy_percent,
        }),
      }),
    };
  },

  async create({ aws, object, plan, tags }) {
    const [controller] = plan.deployment_controller;
    const [breaker] = plan.deployment_circuit_breaker;
    const isDaemon = plan.scheduling_strategy === 'DAEMON';
    const percents = {
      maximumPercent: plan.deployment_maximum_percent,
      minimumHealthyPercent: plan.deployment_minimum_healthy_percent,
    };
    const { minimumHealthyPercent } = percents;
    const isHealthyAsked = minimumHealthyPercent !== 100 && { minimumHealthyPercent };
    const request = {
      serviceName: plan.name,
      // A try whose answer is lost must not make a second one.
      clientToken: [...aws.provider.random.bytes(16)]
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(''),
      ...given({
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
        given({ launchType: enumOf<'EC2'>(plan.launch_type) })),
      schedulingStrategy: enumOf<'REPLICA'>(plan.scheduling_strategy),
      ...(!isDaemon && { desiredCount: plan.desired_count ?? 0 }),
      enableECSManagedTags: plan.enable_ecs_managed_tags,
      enableExecuteCommand: plan.enable_execute_command,
      ...(controller && { deploymentController: { type: enumOf<'ECS'>(controller.type) } }),
      deploymentConfiguration: {
        ...strategyOf(plan.deployment_configuration),
        ...(isDaemon ? isHealthyAsked : percents),
        ...given({ alarms: alarmsOf(plan.alarms), deploymentCircuitBreaker: breaker }),
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
      ...given({ networkConfiguration: networkOf(plan.network_configuration) }),
      ...(plan.service_connect_configuration.length > 0 && {
        serviceConnectConfiguration: connectOf(plan.service_connect_configuration),
      }),
    };
    const answer = await object.operation('creating', () => aws.ecs.createService(request), {
      propagation: minutes(4),
      isRetryable: (error) => hasCode(error, 'ClusterNotFoundException') || isOnItsWay(error),
    });
    return answer.service?.serviceArn ?? '';
  },

  async created({ aws, object, plan, id, timeout }) {
    const { cluster = '' } = given({ cluster: plan.cluster });
    await isDeployed(aws, object, { id, cluster }, plan, timeout);
  },

  async find({ aws, id, state }) {
    const found = await serviceAt(aws, { id, cluster: state.cluster ?? '' });
    const { status = '' } = found;
    if (status === 'INACTIVE' || status === 'DRAINING')
      throw new NotFoundError({ message: status });
    return found;
  },

  read(found, { state }) {
    const primary = primaryOf(found);
    const connect = primary?.serviceConnectConfiguration;
    // Of those that are imported, nothing is known. Others say names in other words than are written.
    const isImported = (state.name ?? '') === '';
    return {
      id: found.serviceArn,
      arn: found.serviceArn,
      ...given({ availability_zone_rebalancing: found.availabilityZoneRebalancing }),
      cluster: asWritten(state.cluster, found.clusterArn),
      desired_count: found.desiredCount,
      enable_ecs_managed_tags: found.enableECSManagedTags,
      enable_execute_command: found.enableExecuteCommand,
      health_check_grace_period_seconds: found.healthCheckGracePeriodSeconds,
      ...(found.roleArn !== undefined && { iam_role: asWritten(state.iam_role, found.roleArn) }),
      launch_type: found.launchType,
      name: found.serviceName,
      platform_version: found.platformVersion,
      propagate_tags: found.propagateTags,
      scheduling_strategy: found.schedulingStrategy,
      // Task sets say theirs themselves.
      ...(found.taskDefinition !== undefined && {
        task_definition: asWritten(state.task_definition, found.taskDefinition),
      }),
      deployment_controller: [{ type: found.deploymentController?.type ?? 'ECS' }],
      ...deployedIn(found.deploymentConfiguration),
      ...placedIn(found, state.ordered_placement_strategy),
      ...attachedIn(primary),
      ...(isImported && connect && { service_connect_configuration: [connectIn(connect)] }),
      tags: tagsOfEcs(found.tags),
    };
  },

  async update({ aws, object, plan, changed, id, timeout }) {
    if (!changed(...CHANGEABLE)) return;
    const { cluster = '' } = given({ cluster: plan.cluster });
    const [breaker] = plan.deployment_circuit_breaker;
    const isDaemon = plan.scheduling_strategy === 'DAEMON';
    const deployment = {
      ...(changed('deployment_configuration') && strategyOf(plan.deployment_configuration)),
      ...(changed('alarms') && given({ alarms: alarmsOf(plan.alarms) })),
      ...(changed('deployment_circuit_breaker') && {
        deploymentCircuitBreaker: breaker ?? { enable: false, rollback: false },
      }),
      ...(changed('deployment_maximum_percent', 'deployment_minimum_healthy_percent') && {
        ...(!isDaemon && { maximumPercent: plan.deployment_maximum_percent }),
        minimumHealthyPercent: plan.deployment_minimum_healthy_percent,
      }),
    };
    const request = {
      service: id,
      ...given({ cluster }),
      forceNewDeployment: plan.force_new_deployment === true,
      ...(Object.keys(deployment).length > 0 && { deploymentConfiguration: deployment }),
      ...(changed('availability_zone_rebalancing') &&
        given({
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
        given({ networkConfiguration: networkOf(plan.network_configuration) })),
      ...(changed('ordered_placement_strategy') && {
        placementStrategy: placementOf(plan.ordered_placement_strategy),
      }),
      ...(changed('placement_constraints') && {
        placementConstraints: constraintsOf(plan.placement_constraints),
      }),
      ...(changed('platform_version') && given({ platformVersion: plan.platform_version })),
      ...(changed('propagate_tags') && {
        propagateTags: enumOf<'NONE'>(plan.propagate_tags ?? 'NONE'),
      }),
      ...(changed('service_connect_configuration') && {
        serviceConnectConfiguration: connectOf(plan.service_connect_configuration),
      }),
      ...(changed('service_registries') && {
        serviceRegistries: registriesOf(plan.service_registries),
      }),
      ...(changed('task_definition') && given({ taskDefinition: plan.task_definition })),
      ...(changed('volume_configuration') && {
        volumeConfigurations: volumesOf(plan.volume_configuration),
      }),
      ...(changed('vpc_lattice_configurations') && {
        vpcLatticeConfigurations: latticeOf(plan.vpc_lattice_configurations),
      }),
    };
    await object.operation('updating', () => aws.ecs.updateService(request), {
      propagation: minutes(4),
      isRetryable: isOnItsWay,
    });
    await isDeployed(aws, object, { id, cluster }, plan, timeout);
  },

  retag: ({ aws, id }, change) => ecsRetag(aws, id, change),

  async delete({ aws, object, id, state, timeout }) {
    const at = { id, cluster: state.cluster ?? '' };
    const { status, schedulingStrategy } = await serviceAt(aws, at);
    if (status === 'INACTIVE') return;
    const force = state.force_delete === true;
    const asked = { ...given({ cluster: at.cluster }), service: id };
    if (status !== 'DRAINING' && schedulingStrategy !== 'DAEMON' && !force) {
      await object.operation('draining', () =>
        aws.ecs.updateService({ ...asked, desiredCount: 0 }),
      );
    }
    await object.operation('deleting', () => aws.ecs.deleteService({ ...asked, force }), {
      propagation: timeout,
      isRetryable: (error) =>
        hasMessage(
          error,
          'InvalidParameterException',
          'The service cannot be stopped while deployments are active.',
        ) || hasMessage(error, 'DependencyViolation', 'has a dependent object'),
    });
    await serviceIsGone(aws, object, at, timeout);
  },

  import(id, aws) {
    const [cluster = '', name = '', ...rest] = id.split('/');
    if (cluster === '' || name === '' || rest.length > 0) {
      throw new ProviderError(
        `wrong format of resource: ${id}, expecting 'cluster-name/service-name'`,
      );
    }
    return { id: name, cluster: aws.arn('ecs', `cluster/${cluster}`) };
  },
});

/** What is asked of Amazon when it changes, or has tasks replaced. */
const CHANGEABLE = [
  ...(['alarms', 'availability_zone_rebalancing', 'capacity_provider_strategy'] as const),
  ...(['deployment_circuit_breaker', 'deployment_configuration'] as const),
  ...(['deployment_maximum_percent', 'deployment_minimum_healthy_percent'] as const),
  ...(['desired_count', 'enable_ecs_managed_tags', 'enable_execute_command'] as const),
  ...(['force_new_deployment', 'health_check_grace_period_seconds', 'load_balancer'] as const),
  ...(['network_configuration', 'ordered_placement_strategy', 'placement_constraints'] as const),
  ...(['platform_version', 'propagate_tags', 'service_connect_configuration'] as const),
  ...(['service_registries', 'task_definition', 'triggers', 'volume_configuration'] as const),
  ...(['vpc_lattice_configurations', 'wait_for_steady_state'] as const),
];

/** Roles, and what they may do, are not known everywhere at once. */
function isOnItsWay(error: unknown): boolean {
  return [
    'verify that the ECS service role being passed has the proper permissions',
    'does not have an associated load balancer',
    'Unable to assume the service linked role',
  ].some((message) => hasMessage(error, 'InvalidParameterException', message));
}

/** Lists that have something in them. */
function filledLists<T extends Readonly<Record<string, readonly unknown[]>>>(lists: T): Partial<T> {
  const filled = Object.entries(lists).filter(([, each]) => each.length > 0);
  // What is left is what there was.
  return Object.fromEntries(filled) as Partial<T>;
}

/** Waits as the user wants it. Who stops waiting may want the deployment taken back. */
async function isDeployed(
  aws: RegionalAws,
  object: RemoteObject,
  at: ServiceAt,
  wanted: {
    readonly wait_for_steady_state: boolean;
    readonly sigint_rollback: boolean | null;
  },
  timeout: number,
): Promise<void> {
  if (!wanted.wait_for_steady_state) {
    await serviceIsActive(aws, object, at, timeout);
    return;
  }
  try {
    await serviceIsStable(aws, object, at, timeout);
  } catch (error) {
    if (aws.signal.aborted && wanted.sigint_rollback === true) await takeBack(aws, at);
    throw error;
  }
}
