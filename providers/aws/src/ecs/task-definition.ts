import type { RegisterTaskDefinitionRequest } from '@aws-sdk/client-ecs';
import {
  bool,
  elementsAre,
  int64,
  listBlock,
  map,
  NotFoundError,
  type Resource,
  set,
  setBlock,
  string,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { omitUnset } from '../resource/only.ts';
import {
  containerDefinitions,
  containersOf,
  containersText,
  sameContainers,
} from './container-definitions.ts';
import { ecsRetag, ecsTags, tagsOfEcs } from './tags.ts';
import { volumeArguments, volumeOf } from './volumes.ts';
import { between, lengthBetween, matches, oneOf } from '../resource/validators.ts';

const requiresReplace = true;
const text = string({ optional: true, requiresReplace });
const ONE = { maxItems: 1, requiresReplace } as const;
// A change inside a block replaces the block.
const inner = string({ optional: true });
const innerNeeded = string({ required: true });
const innerChoice = (...values: string[]) =>
  string({ optional: true, validators: [oneOf(...values)] });
const INNER = { maxItems: 1 } as const;
const chosen = (...values: string[]) =>
  string({ optional: true, requiresReplace, validators: [oneOf(...values)] });

/** `aws_ecs_task_definition` */
export const taskDefinition: Resource<Aws> = awsResource({
  type: 'ECS Task Definition',
  version: 1,
  label: ({ family }) => family,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    arn_without_revision: string({ computed: true }),
    container_definitions: containerDefinitions({ required: true, requiresReplace }),
    cpu: text,
    enable_fault_injection: bool({ optional: true, computed: true, requiresReplace }),
    execution_role_arn: text,
    family: string({
      required: true,
      requiresReplace,
      validators: [
        lengthBetween(1, 255),
        matches(/^[0-9A-Za-z_-]+$/, 'must be of letters, digits, "_" and "-"'),
      ],
    }),
    ipc_mode: chosen('host', 'none', 'task'),
    memory: text,
    network_mode: string({
      optional: true,
      computed: true,
      requiresReplace,
      validators: [oneOf('awsvpc', 'bridge', 'host', 'none')],
    }),
    pid_mode: chosen('host', 'task'),
    requires_compatibilities: set(string, {
      optional: true,
      requiresReplace,
      validators: [elementsAre(oneOf('EC2', 'EXTERNAL', 'FARGATE', 'MANAGED_INSTANCES'))],
    }),
    revision: int64({ computed: true }),
    skip_destroy: bool({ default: false, computed: false }),
    task_role_arn: text,
    track_latest: bool({ default: false, computed: false }),
  },
  blocks: {
    ephemeral_storage: listBlock(
      { size_in_gib: int64({ required: true, validators: [between(21, 200)] }) },
      ONE,
    ),
    placement_constraints: setBlock(
      {
        expression: inner,
        type: string({ required: true, validators: [oneOf('memberOf')] }),
      },
      { maxItems: 10, requiresReplace },
    ),
    proxy_configuration: listBlock(
      {
        container_name: innerNeeded,
        properties: map(string, { optional: true }),
        type: string({
          default: 'APPMESH',
          computed: false,
          validators: [oneOf('APPMESH')],
        }),
      },
      ONE,
    ),
    runtime_platform: listBlock(
      { cpu_architecture: innerChoice('ARM64', 'X86_64'), operating_system_family: inner },
      ONE,
    ),
    volume: setBlock(
      {
        configure_at_launch: bool({ optional: true, computed: true }),
        host_path: inner,
        name: innerNeeded,
      },
      {
        blocks: {
          docker_volume_configuration: listBlock(
            {
              autoprovision: bool({ default: false, computed: false }),
              driver: string({ optional: true, computed: true }),
              driver_opts: map(string, { optional: true }),
              labels: map(string, { optional: true }),
              scope: string({
                optional: true,
                computed: true,
                validators: [oneOf('shared', 'task')],
              }),
            },
            INNER,
          ),
          efs_volume_configuration: listBlock(
            {
              file_system_id: innerNeeded,
              root_directory: string({ default: '/', computed: false }),
              transit_encryption: innerChoice('DISABLED', 'ENABLED'),
              transit_encryption_port: int64({
                optional: true,
                validators: [between(1, 65_535)],
              }),
            },
            {
              ...INNER,
              blocks: {
                authorization_config: listBlock(
                  { access_point_id: inner, iam: innerChoice('DISABLED', 'ENABLED') },
                  INNER,
                ),
              },
            },
          ),
          fsx_windows_file_server_volume_configuration: listBlock(
            { file_system_id: innerNeeded, root_directory: innerNeeded },
            {
              ...INNER,
              blocks: {
                authorization_config: listBlock(
                  { credentials_parameter: innerNeeded, domain: innerNeeded },
                  { ...INNER, minItems: 1 },
                ),
              },
            },
          ),
        },
      },
    ),
  },

  plan({ state, changed, requireReplace }) {
    if (state !== null && changed('volume')) requireReplace('volume');
  },

  async create({ aws, plan, tags }) {
    const { taskDefinition: made } = await aws.ecs.registerTaskDefinition({
      containerDefinitions: containersOf(plan.container_definitions),
      family: plan.family,
      ...omitUnset({
        cpu: plan.cpu,
        enableFaultInjection: plan.enable_fault_injection,
        executionRoleArn: plan.execution_role_arn,
        memory: plan.memory,
        taskRoleArn: plan.task_role_arn,
        tags: ecsTags(tags),
      }),
      ...modesOf(plan),
      ...(plan.ephemeral_storage[0] && {
        ephemeralStorage: { sizeInGiB: plan.ephemeral_storage[0].size_in_gib },
      }),
      ...(plan.proxy_configuration[0] && {
        proxyConfiguration: {
          containerName: plan.proxy_configuration[0].container_name,
          type: 'APPMESH',
          properties: Object.entries(plan.proxy_configuration[0].properties ?? {}).map(
            ([name, value]) => ({ name, value }),
          ),
        },
      }),
      placementConstraints: plan.placement_constraints.map(({ expression }) => ({
        type: 'memberOf',
        ...omitUnset({ expression }),
      })),
      volumes: plan.volume.map(volumeOf),
    });
    return { id: made?.family ?? plan.family, arn: made?.taskDefinitionArn };
  },

  async find({ aws, state, id }) {
    const answer = await aws.ecs.describeTaskDefinition({
      taskDefinition: state.track_latest === true || state.arn === null ? id : state.arn,
      include: ['TAGS'],
    });
    const status = answer.taskDefinition?.status;
    if (status === 'INACTIVE' || status === 'DELETE_IN_PROGRESS') {
      throw new NotFoundError({ message: status });
    }
    return answer;
  },

  read({ taskDefinition: definition, tags }, { state }) {
    if (definition === undefined) throw new NotFoundError();
    const definitionArn = definition.taskDefinitionArn ?? '';
    const text = containersText(definition.containerDefinitions ?? []);
    const proxy = definition.proxyConfiguration;
    const platform = definition.runtimePlatform;
    const before = state.container_definitions ?? '';
    const isSame = sameContainers(before, text, definition.networkMode === 'awsvpc');
    return {
      id: definition.family,
      arn: definitionArn,
      arn_without_revision: definitionArn.replace(/:\d+$/, ''),
      container_definitions: isSame ? before : text,
      cpu: definition.cpu,
      enable_fault_injection: definition.enableFaultInjection ?? false,
      execution_role_arn: definition.executionRoleArn,
      family: definition.family,
      ipc_mode: definition.ipcMode,
      memory: definition.memory,
      network_mode: definition.networkMode ?? '',
      pid_mode: definition.pidMode,
      requires_compatibilities: definition.requiresCompatibilities ?? [],
      revision: definition.revision,
      task_role_arn: definition.taskRoleArn,
      track_latest: state.track_latest ?? false,
      ephemeral_storage: definition.ephemeralStorage && [
        { size_in_gib: definition.ephemeralStorage.sizeInGiB },
      ],
      placement_constraints: (definition.placementConstraints ?? []).map(
        ({ expression, type }) => ({
          expression,
          type,
        }),
      ),
      proxy_configuration: proxy && [
        {
          container_name: proxy.containerName,
          type: proxy.type,
          properties: Object.fromEntries(
            (proxy.properties ?? []).map(({ name = '', value = '' }) => [name, value]),
          ),
        },
      ],
      runtime_platform: platform && [
        {
          cpu_architecture: platform.cpuArchitecture,
          operating_system_family: platform.operatingSystemFamily,
        },
      ],
      volume: (definition.volumes ?? []).map(volumeArguments),
      tags: tagsOfEcs(tags),
    };
  },

  retag: ({ aws, state }, change) => ecsRetag(aws, state.arn, change),

  async delete({ aws, state, log }) {
    if (state.skip_destroy === true) {
      log.debug('Retaining ECS Task Definition Revision', { arn: state.arn });
      return;
    }
    await aws.ecs.deregisterTaskDefinition({ taskDefinition: state.arn });
  },

  import(id) {
    const [, family] = /^arn:[^:]+:ecs:[^:]+:[^:]*:task-definition\/([^:]+):\d+$/.exec(id) ?? [];
    if (family === undefined) {
      throw new Error(
        `Expected ID in format of arn:PARTITION:ecs:REGION:ACCOUNTID:task-definition/FAMILY:REVISION and provided: ${id}`,
      );
    }
    return { id: family, arn: id };
  },
});

type Modes = Pick<
  RegisterTaskDefinitionRequest,
  'ipcMode' | 'networkMode' | 'pidMode' | 'requiresCompatibilities' | 'runtimePlatform'
>;

/** Returns the arguments with a fixed set of values, which have been validated. */
function modesOf(plan: {
  readonly ipc_mode: string | null;
  readonly network_mode: unknown;
  readonly pid_mode: string | null;
  readonly requires_compatibilities: readonly string[] | null;
  readonly runtime_platform: readonly {
    readonly cpu_architecture: string | null;
    readonly operating_system_family: string | null;
  }[];
}): Modes {
  const [platform] = plan.runtime_platform;
  const network = typeof plan.network_mode === 'string' ? plan.network_mode : null;
  return omitUnset({
    ipcMode: plan.ipc_mode,
    networkMode: network,
    pidMode: plan.pid_mode,
    requiresCompatibilities: plan.requires_compatibilities,
    runtimePlatform:
      platform &&
      omitUnset({
        cpuArchitecture: platform.cpu_architecture,
        operatingSystemFamily: platform.operating_system_family,
      }),
  }) as Modes;
}
