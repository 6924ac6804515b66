import {
  bool,
  ifKnown,
  int64,
  list,
  listBlock,
  map,
  ProviderError,
  type Resource,
  set,
  setBlock,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { openBlocks, writtenBlocks, writtenDiffers } from '../resource/open-blocks.ts';
import type { InstanceBlocks } from './instance-plan.ts';
import { instanceFlags } from './instance-flags.ts';
import { instanceArguments } from './instance-arguments.ts';
import { runRequest } from './instance-request.ts';
import { instanceById, waitForInstance } from './instance-state.ts';
import { isUnknownProfile, updateInstance } from './instance-update.ts';
import { instanceVolumes } from './instance-volumes.ts';
import { ec2Retag } from './tags.ts';
import { atLeastOneConfigured, between, conflicting, oneOf } from '../resource/validators.ts';
import { instances } from './lists.ts';

const text = string({ optional: true, computed: true });
const replacing = string({ optional: true, computed: true, requiresReplace: true });
const flag = bool({ optional: true, computed: true });
const count = int64({ optional: true, computed: true });

const isVolumeType = oneOf('standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3');

const VOLUME = {
  delete_on_termination: bool({ default: true, computed: false }),
  encrypted: flag,
  iops: count,
  kms_key_id: text,
  tags: map(string, { optional: true }),
  tags_all: map(string, { optional: true, computed: true }),
  throughput: count,
  volume_id: string({ computed: true }),
  volume_size: count,
  volume_type: string({ optional: true, computed: true, validators: [isVolumeType] }),
};

const BLOCKS = [
  'capacity_reservation_specification',
  'cpu_options',
  'credit_specification',
  'ebs_block_device',
  'enclave_options',
  'ephemeral_block_device',
  'instance_market_options',
  'launch_template',
  'maintenance_options',
  'metadata_options',
  'network_interface',
  'primary_network_interface',
  'private_dns_name_options',
  'root_block_device',
] as const satisfies readonly (keyof InstanceBlocks)[];

/** Blocks with values from EC2 if they are not configured. */
const COMPUTED = BLOCKS.filter((name) => name !== 'launch_template');

/** Blocks that only a new instance can have otherwise. */
const FIXED = [
  'cpu_options',
  'enclave_options',
  'ephemeral_block_device',
  'instance_market_options',
  'network_interface',
  'primary_network_interface',
] as const;

/** `aws_instance` */
export const instance: Resource<Aws> = awsResource({
  type: 'EC2 Instance',
  identity: 'id',
  list: instances,
  notFound: ['InvalidInstanceID.NotFound'],
  version: 2,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    ami: replacing,
    associate_public_ip_address: bool({ optional: true, computed: true, requiresReplace: true }),
    availability_zone: replacing,
    disable_api_stop: flag,
    disable_api_termination: flag,
    ebs_optimized: flag,
    enable_primary_ipv6: bool({ optional: true, computed: true, requiresReplace: true }),
    force_destroy: bool({ default: false, computed: false }),
    get_password_data: bool({ default: false, computed: false }),
    hibernation: bool({ optional: true, requiresReplace: true }),
    host_id: replacing,
    host_resource_group_arn: replacing,
    iam_instance_profile: text,
    instance_initiated_shutdown_behavior: text,
    instance_lifecycle: string({ computed: true }),
    instance_state: string({ computed: true }),
    instance_type: text,
    ipv6_address_count: int64({ optional: true, computed: true, requiresReplace: true }),
    ipv6_addresses: list(string, { optional: true, computed: true, requiresReplace: true }),
    key_name: replacing,
    monitoring: flag,
    outpost_arn: string({ computed: true }),
    password_data: string({ computed: true }),
    placement_group: replacing,
    placement_group_id: replacing,
    placement_partition_number: int64({ optional: true, computed: true, requiresReplace: true }),
    primary_network_interface_id: string({ computed: true }),
    private_dns: string({ computed: true }),
    private_ip: replacing,
    public_dns: string({ computed: true }),
    public_ip: string({ computed: true }),
    secondary_private_ips: set(string, { optional: true, computed: true }),
    security_groups: set(string, { optional: true, computed: true, requiresReplace: true }),
    source_dest_check: bool({ default: true, computed: false }),
    spot_instance_request_id: string({ computed: true }),
    subnet_id: replacing,
    tenancy: string({
      optional: true,
      computed: true,
      requiresReplace: true,
      validators: [oneOf('default', 'dedicated', 'host')],
    }),
    user_data: string({ optional: true }),
    user_data_base64: text,
    user_data_replace_on_change: bool({ default: false, computed: false }),
    volume_tags: map(string, { optional: true }),
    vpc_security_group_ids: set(string, { optional: true, computed: true }),
  },
  blocks: {
    capacity_reservation_specification: listBlock(
      { capacity_reservation_preference: string({ optional: true }) },
      {
        maxItems: 1,
        blocks: {
          capacity_reservation_target: listBlock(
            {
              capacity_reservation_id: string({ optional: true }),
              capacity_reservation_resource_group_arn: string({ optional: true }),
            },
            { maxItems: 1 },
          ),
        },
      },
    ),
    cpu_options: listBlock(
      { amd_sev_snp: text, core_count: count, threads_per_core: count },
      { maxItems: 1 },
    ),
    credit_specification: listBlock(
      { cpu_credits: string({ optional: true, validators: [oneOf('standard', 'unlimited')] }) },
      { maxItems: 1 },
    ),
    ebs_block_device: setBlock({
      ...VOLUME,
      device_name: string({ required: true }),
      snapshot_id: text,
    }),
    enclave_options: listBlock({ enabled: flag }, { maxItems: 1 }),
    ephemeral_block_device: setBlock({
      device_name: string({ required: true }),
      no_device: bool({ optional: true }),
      virtual_name: string({ optional: true }),
    }),
    instance_market_options: listBlock(
      { market_type: text },
      {
        maxItems: 1,
        blocks: {
          spot_options: listBlock(
            {
              instance_interruption_behavior: text,
              max_price: text,
              spot_instance_type: text,
              valid_until: text,
            },
            { maxItems: 1 },
          ),
        },
      },
    ),
    launch_template: listBlock(
      { id: text, name: text, version: string({ default: '$Default', computed: false }) },
      { maxItems: 1 },
    ),
    maintenance_options: listBlock({ auto_recovery: text }, { maxItems: 1 }),
    metadata_options: listBlock(
      {
        http_endpoint: string({ default: 'enabled', computed: false }),
        http_protocol_ipv6: string({ default: 'disabled', computed: false }),
        http_put_response_hop_limit: int64({
          optional: true,
          computed: true,
          validators: [between(1, 64)],
        }),
        http_tokens: string({
          optional: true,
          computed: true,
          validators: [oneOf('optional', 'required')],
        }),
        instance_metadata_tags: text,
      },
      { maxItems: 1 },
    ),
    network_interface: setBlock({
      delete_on_termination: bool({ default: false, computed: false }),
      device_index: int64({ required: true }),
      network_card_index: int64({ default: 0, computed: false }),
      network_interface_id: string({ required: true }),
    }),
    primary_network_interface: listBlock(
      {
        delete_on_termination: bool({ computed: true }),
        network_interface_id: string({ required: true }),
      },
      { maxItems: 1 },
    ),
    private_dns_name_options: listBlock(
      {
        enable_resource_name_dns_a_record: flag,
        enable_resource_name_dns_aaaa_record: flag,
        hostname_type: text,
      },
      { maxItems: 1 },
    ),
    root_block_device: listBlock(
      { ...VOLUME, device_name: string({ computed: true }) },
      { maxItems: 1 },
    ),
    timeouts: timeoutsBlock({ create: '10m', read: '15m', update: '10m', delete: '20m' }),
  },
  validators: [
    conflicting('user_data', 'user_data_base64'),
    conflicting('ipv6_addresses', 'ipv6_address_count'),
    conflicting('network_interface', 'subnet_id'),
    atLeastOneConfigured('ami', 'launch_template'),
    atLeastOneConfigured('instance_type', 'launch_template'),
  ],
  label: ({ instance_type }) => ifKnown(instance_type) ?? 'new',

  plan({ plan, config, state, changed, requireReplace }) {
    if (config.network_interface.length > 0 && config.primary_network_interface.length > 0) {
      throw new ProviderError(
        'Conflicting configuration arguments',
        '"network_interface": conflicts with primary_network_interface',
        'network_interface',
      );
    }
    if (state !== null) {
      const data = changed('user_data', 'user_data_base64');
      if (data && plan.user_data_replace_on_change === true) requireReplace('user_data');
      for (const name of FIXED) {
        if (config[name].length > 0 && writtenDiffers(config[name], state[name])) {
          requireReplace(name);
        }
      }
      for (const name of ['root_block_device', 'ebs_block_device'] as const) {
        const fixed = (volumes: readonly object[]) =>
          volumes.map((volume) => ({
            device_name: Reflect.get(volume, 'device_name'),
            encrypted: Reflect.get(volume, 'encrypted'),
            kms_key_id: Reflect.get(volume, 'kms_key_id'),
            snapshot_id: Reflect.get(volume, 'snapshot_id'),
          }));
        const written = config[name];
        if (written.length > 0 && writtenDiffers(fixed(written), fixed(state[name]))) {
          requireReplace(name);
        }
      }
    }
    return openBlocks(COMPUTED, config, state);
  },

  async create({ aws, object, plan, config, tags }) {
    const volumes = { ...plan.volume_tags };
    const blocks: InstanceBlocks = writtenBlocks(BLOCKS, config);
    const request = await runRequest(aws, plan, blocks, { instance: tags, volumes });
    // A new IAM instance profile may not have propagated yet.
    const { Instances } = await object.operation('creating', () => aws.ec2.runInstances(request), {
      isRetryable: isUnknownProfile,
    });
    return Instances?.[0]?.InstanceId ?? '';
  },

  async created({ aws, object, plan, id, timeout }) {
    await waitForInstance(aws, object, id, 'creation', timeout);
    if (plan.source_dest_check) return;
    await aws.ec2.modifyInstanceAttribute({ InstanceId: id, SourceDestCheck: { Value: false } });
  },

  find: ({ aws, id }) => instanceById(aws, id),

  async read(instance, { aws, id, state }) {
    const volumes = await instanceVolumes(aws, instance, { tagged: state.volume_tags !== null });
    return {
      ...instanceArguments(aws, instance, state),
      ...(await instanceFlags(aws, id, state)),
      ...(state.volume_tags !== null && { volume_tags: volumes.tags }),
      root_block_device: volumes.root,
      ebs_block_device: volumes.others,
    };
  },

  async update({ aws, object, plan, config, state, changed, id, timeout }) {
    await updateInstance({
      aws,
      object,
      id,
      plan,
      timeout,
      state,
      blocks: writtenBlocks(BLOCKS, config),
      source_dest_check: plan.source_dest_check,
      volume_tags: { before: state.volume_tags ?? {}, after: plan.volume_tags ?? {} },
      changed: changed as (...at: readonly string[]) => boolean,
    });
  },

  retag: ec2Retag,

  async delete({ aws, object, state, id, timeout }) {
    if (state.force_destroy) {
      const off = { Value: false };
      await aws.ec2.modifyInstanceAttribute({ InstanceId: id, DisableApiTermination: off });
      await aws.ec2.modifyInstanceAttribute({ InstanceId: id, DisableApiStop: off });
    }
    await aws.ec2.terminateInstances({ InstanceIds: [id] });
    await waitForInstance(aws, object, id, 'deletion', timeout);
  },
});
