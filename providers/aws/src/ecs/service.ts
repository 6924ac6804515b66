import {
  bool,
  int64,
  list,
  listBlock,
  map,
  minutes,
  NotFoundError,
  number,
  ProviderError,
  type Resource,
  set,
  setBlock,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { jsonText } from '../json-policy/policy-text.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { keptInside } from '../resource/kept-inside.ts';
import { omitUnset } from '../resource/only.ts';
import { NO_SERVICE } from './consts.ts';
import { createRequest } from './service-create.ts';
import { primaryDeployment, waitForDeployment } from './service-deployment.ts';
import { serviceArguments } from './service-arguments.ts';
import { CHANGEABLE, updateRequest } from './service-update.ts';
import { isPropagating, serviceAt, waitForDeletedService } from './service-wait.ts';
import { ecsRetag } from './tags.ts';
import { between, oneOf } from '../resource/validators.ts';

const requiresReplace = true;
const ONE = { maxItems: 1 } as const;
const EXACTLY_ONE = { minItems: 1, maxItems: 1 } as const;
const text = string({ optional: true });
const some = string({ required: true });
const open = string({ optional: true, computed: true });
const integer = int64({ optional: true });
const part = number({ optional: true, computed: true });
const flag = bool({ optional: true });
const off = bool({ default: false, computed: false });
const needed = bool({ required: true });
const port = int64({ optional: true, validators: [between(0, 65_536)] });
const seconds = int64({ optional: true, validators: [between(0, 2_147_483_647)] });

const exact = listBlock({ exact: some }, EXACTLY_ONE);
const header = listBlock({ name: some }, { ...ONE, blocks: { value: exact } });

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
    desired_count: integer,
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
                      test_traffic_rules: listBlock({}, { blocks: { header } }),
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
                        EXACTLY_ONE,
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
              iops: integer,
              kms_key_id: text,
              role_arn: some,
              size_in_gb: integer,
              snapshot_id: text,
              throughput: integer,
              volume_initialization_rate: integer,
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
      // They only cause the replacement of tasks.
      ...(!isForced && { triggers: state.triggers }),
      ...(config.propagate_tags === null &&
        state.propagate_tags === 'NONE' && { propagate_tags: 'NONE' }),
      // One task per machine, regardless of the desired count.
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
    const request = createRequest(aws, plan, tags);
    const answer = await object.operation('creating', () => aws.ecs.createService(request), {
      propagation: minutes(4),
      isRetryable: (error) => hasCode(error, 'ClusterNotFoundException') || isPropagating(error),
    });
    return answer.service?.serviceArn ?? '';
  },

  async created({ aws, object, plan, id, timeout }) {
    const { cluster = '' } = omitUnset({ cluster: plan.cluster });
    await waitForDeployment(aws, object, { id, cluster }, plan, timeout);
  },

  async find({ aws, id, state }) {
    const service = await serviceAt(aws, { id, cluster: state.cluster ?? '' });
    const { status = '' } = service;
    if (status === 'INACTIVE' || status === 'DRAINING')
      throw new NotFoundError({ message: status });
    return service;
  },

  read: (service, { state }) => serviceArguments(service, state),

  async update({ aws, object, plan, changed, id, timeout }) {
    if (!changed(...CHANGEABLE)) return;
    const { cluster = '' } = omitUnset({ cluster: plan.cluster });
    const at = { id, cluster };
    const previousId = plan.wait_for_steady_state
      ? primaryDeployment(await serviceAt(aws, at))
      : undefined;
    const request = updateRequest(id, plan, changed);
    await object.operation('updating', () => aws.ecs.updateService(request), {
      propagation: minutes(4),
      isRetryable: isPropagating,
    });
    await waitForDeployment(aws, object, at, plan, timeout, previousId);
  },

  retag: ({ aws, id }, change) => ecsRetag(aws, id, change),

  async delete({ aws, object, id, state, timeout }) {
    const at = { id, cluster: state.cluster ?? '' };
    const { status, schedulingStrategy } = await serviceAt(aws, at);
    if (status === 'INACTIVE') return;
    const force = state.force_delete === true;
    const requestInput = { ...omitUnset({ cluster: at.cluster }), service: id };
    if (status !== 'DRAINING' && schedulingStrategy !== 'DAEMON' && !force) {
      await object.operation('draining', () =>
        aws.ecs.updateService({ ...requestInput, desiredCount: 0 }),
      );
    }
    await object.operation('deleting', () => aws.ecs.deleteService({ ...requestInput, force }), {
      propagation: timeout,
      isRetryable: (error) =>
        hasMessage(
          error,
          'InvalidParameterException',
          'The service cannot be stopped while deployments are active.',
        ) || hasMessage(error, 'DependencyViolation', 'has a dependent object'),
    });
    await waitForDeletedService(aws, object, at, timeout);
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
