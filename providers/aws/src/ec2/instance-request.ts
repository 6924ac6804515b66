import type {
  BlockDeviceMapping,
  CapacityReservationSpecification,
  InstanceNetworkInterfaceSpecification,
  RunInstancesRequest,
  TagSpecification,
  VolumeType,
} from '@aws-sdk/client-ec2';
import { ifKnown } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { enumOf } from '../resource/enum-of.ts';
import { elementsOf, omitUnset, only } from '../resource/only.ts';
import { type Tags, tagList } from '../tags/tags.ts';
import type { InstanceBlocks, InstancePlan, WrittenVolume } from './instance-plan.ts';

/** Returns the request that creates an instance. */
export async function runRequest(
  aws: RegionalAws,
  plan: InstancePlan,
  blocks: InstanceBlocks,
  tags: { readonly instance: Tags; readonly volumes: Tags },
): Promise<RunInstancesRequest> {
  const profile = ifKnown(plan.iam_instance_profile);
  const data = plan.user_data === null ? ifKnown(plan.user_data_base64) : base64(plan.user_data);
  const request = {
    MinCount: 1,
    MaxCount: 1,
    TagSpecifications: specifications(tags),
    Placement: orNothing(
      omitUnset({
        AvailabilityZone: plan.availability_zone,
        GroupName: plan.placement_group,
        GroupId: plan.placement_group_id,
        HostId: plan.host_id,
        HostResourceGroupArn: plan.host_resource_group_arn,
        PartitionNumber: plan.placement_partition_number,
        Tenancy: plan.tenancy,
      }),
    ),
    ...omitUnset({
      ImageId: plan.ami,
      InstanceType: plan.instance_type,
      KeyName: plan.key_name,
      EbsOptimized: plan.ebs_optimized,
      DisableApiStop: plan.disable_api_stop,
      DisableApiTermination: plan.disable_api_termination,
      EnablePrimaryIpv6: plan.enable_primary_ipv6,
      InstanceInitiatedShutdownBehavior: plan.instance_initiated_shutdown_behavior,
      UserData: data,
    }),
    ...(ifKnown(plan.monitoring) === true && { Monitoring: { Enabled: true } }),
    ...(profile !== undefined &&
      profile !== null &&
      profile !== '' && {
        IamInstanceProfile: { Name: profile },
      }),
    ...(plan.hibernation === true && { HibernationOptions: { Configured: true } }),
    ...blockOptions(blocks),
    BlockDeviceMappings: await devices(aws, plan, blocks),
    ...network(plan, blocks),
  };
  // Configured texts are passed to EC2 unchanged, which rejects unknown ones.
  return request as RunInstancesRequest;
}

/** Returns the members of a request that have a separate block. */
function blockOptions(blocks: InstanceBlocks): object {
  const [template] = blocks.launch_template;
  const [capacity] = blocks.capacity_reservation_specification;
  const [market] = blocks.instance_market_options;
  const [cpu] = blocks.cpu_options;
  const [metadata] = blocks.metadata_options;
  const [names] = blocks.private_dns_name_options;
  return {
    ...(blocks.enclave_options[0] && {
      EnclaveOptions: { Enabled: blocks.enclave_options[0].enabled ?? false },
    }),
    ...(template && {
      LaunchTemplate: omitUnset({
        LaunchTemplateId: template.id,
        LaunchTemplateName: template.name,
        Version: template.version,
      }),
    }),
    ...(capacity && { CapacityReservationSpecification: capacityReservation(capacity) }),
    ...(market && { InstanceMarketOptions: marketOptions(market) }),
    ...(cpu && {
      CpuOptions: omitUnset({
        AmdSevSnp: cpu.amd_sev_snp,
        CoreCount: cpu.core_count,
        ThreadsPerCore: cpu.threads_per_core,
      }),
    }),
    ...(blocks.credit_specification[0] && {
      CreditSpecification: { CpuCredits: blocks.credit_specification[0].cpu_credits ?? undefined },
    }),
    ...(blocks.maintenance_options[0] && {
      MaintenanceOptions: omitUnset({ AutoRecovery: blocks.maintenance_options[0].auto_recovery }),
    }),
    ...(metadata && { MetadataOptions: metadataOptions(metadata) }),
    ...(names && {
      PrivateDnsNameOptions: omitUnset({
        EnableResourceNameDnsARecord: names.enable_resource_name_dns_a_record,
        EnableResourceNameDnsAAAARecord: names.enable_resource_name_dns_aaaa_record,
        HostnameType: names.hostname_type,
      }),
    }),
  };
}

function marketOptions(market: InstanceBlocks['instance_market_options'][number]): object {
  const [spot] = market.spot_options;
  return {
    ...omitUnset({ MarketType: market.market_type }),
    ...(spot && {
      SpotOptions: {
        ...omitUnset({
          InstanceInterruptionBehavior: spot.instance_interruption_behavior,
          MaxPrice: spot.max_price,
          SpotInstanceType: spot.spot_instance_type,
        }),
        ...(spot.valid_until !== null && { ValidUntil: new Date(spot.valid_until) }),
      },
    }),
  };
}

/** Options of the metadata service in requests. */
export function metadataOptions(written: InstanceBlocks['metadata_options'][number]): object {
  return omitUnset({
    HttpEndpoint: written.http_endpoint,
    HttpProtocolIpv6: written.http_protocol_ipv6,
    HttpPutResponseHopLimit: written.http_put_response_hop_limit,
    HttpTokens: written.http_tokens,
    InstanceMetadataTags: written.instance_metadata_tags,
  });
}

/** A text as base64 of its UTF-8. */
export function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function orNothing<T extends object>(object: T): T | undefined {
  return Object.keys(object).length === 0 ? undefined : object;
}

function specifications(tags: {
  readonly instance: Tags;
  readonly volumes: Tags;
}): TagSpecification[] {
  const kinds = [
    ['instance', tags.instance],
    ['volume', tags.volumes],
  ] as const;
  return kinds.flatMap(([ResourceType, kindTags]) => {
    const Tags = tagList(kindTags);
    return Tags === undefined ? [] : [{ ResourceType, Tags }];
  });
}

/**
 * Returns the network members of a request. With network interfaces, they replace the network arguments of the
 * instance.
 */
function network(plan: InstancePlan, blocks: InstanceBlocks): Partial<RunInstancesRequest> {
  const groups = elementsOf(plan.vpc_security_group_ids);
  const addresses = elementsOf(plan.ipv6_addresses).map((Ipv6Address) => ({ Ipv6Address }));
  const secondary = elementsOf(plan.secondary_private_ips);
  const existing = [
    ...blocks.network_interface.map((each) => ({
      DeviceIndex: each.device_index,
      NetworkInterfaceId: each.network_interface_id,
      ...omitUnset({
        DeleteOnTermination: each.delete_on_termination,
        NetworkCardIndex: each.network_card_index,
      }),
    })),
    ...blocks.primary_network_interface.map(({ network_interface_id }) => ({
      DeviceIndex: 0,
      NetworkInterfaceId: network_interface_id,
    })),
  ];
  if (existing.length > 0) return { NetworkInterfaces: existing };
  const subnet = ifKnown(plan.subnet_id) ?? '';
  const names = elementsOf(plan.security_groups);
  const publicIp = ifKnown(plan.associate_public_ip_address) ?? undefined;
  const plainNetwork = publicIp === undefined && secondary.length === 0;
  if (plainNetwork || subnet === '') {
    return {
      ...omitUnset({ SubnetId: subnet, PrivateIpAddress: plan.private_ip }),
      ...(groups.length > 0 && { SecurityGroupIds: [...groups] }),
      ...(names.length > 0 && { SecurityGroups: [...names] }),
      ...(addresses.length > 0 && { Ipv6Addresses: addresses }),
      ...omitUnset({ Ipv6AddressCount: addresses.length > 0 ? null : plan.ipv6_address_count }),
    };
  }
  const address = ifKnown(plan.private_ip) ?? '';
  const networkInterface: InstanceNetworkInterfaceSpecification = {
    DeviceIndex: 0,
    SubnetId: subnet,
    ...(publicIp !== undefined && { AssociatePublicIpAddress: publicIp }),
    ...(groups.length > 0 && { Groups: [...groups] }),
    ...(addresses.length > 0 && { Ipv6Addresses: addresses }),
    ...omitUnset({ Ipv6AddressCount: addresses.length > 0 ? null : plan.ipv6_address_count }),
    ...(secondary.length === 0
      ? omitUnset({ PrivateIpAddress: address })
      : {
          PrivateIpAddresses: [
            ...(address === '' ? [] : [{ PrivateIpAddress: address, Primary: true }]),
            ...secondary.map((PrivateIpAddress) => ({ PrivateIpAddress, Primary: false })),
          ],
        }),
  };
  return { NetworkInterfaces: [networkInterface] };
}

async function devices(
  aws: RegionalAws,
  plan: InstancePlan,
  blocks: InstanceBlocks,
): Promise<BlockDeviceMapping[] | undefined> {
  const mappings: BlockDeviceMapping[] = [
    ...blocks.ebs_block_device.map((each) => ({
      DeviceName: each.device_name,
      Ebs: { ...ebs(each), ...omitUnset({ SnapshotId: each.snapshot_id }) },
    })),
    ...blocks.ephemeral_block_device.map((each) => ({
      DeviceName: each.device_name,
      ...(each.no_device === true
        ? { NoDevice: '' }
        : omitUnset({ VirtualName: each.virtual_name })),
    })),
  ];
  const [root] = blocks.root_block_device;
  if (root !== undefined) {
    const DeviceName = await rootDevice(aws, ifKnown(plan.ami) ?? '');
    mappings.push({ DeviceName, Ebs: ebs(root) });
  }
  return mappings.length === 0 ? undefined : mappings;
}

function ebs(volume: WrittenVolume) {
  return {
    ...omitUnset({
      DeleteOnTermination: volume.delete_on_termination ?? true,
      Encrypted: ifKnown(volume.encrypted) === true ? true : null,
      Iops: volume.iops,
      KmsKeyId: volume.kms_key_id,
      Throughput: volume.throughput,
      VolumeSize: volume.volume_size,
      VolumeType: enumOf<VolumeType>(volume.volume_type),
    }),
  };
}

/** The name under which an image has its root volume. */
async function rootDevice(aws: RegionalAws, image: string): Promise<string> {
  const { Images } = await aws.ec2.describeImages({ ImageIds: [image] });
  const { RootDeviceName = '', BlockDeviceMappings = [] } = only(Images);
  const known = BlockDeviceMappings.some(({ DeviceName }) => DeviceName === RootDeviceName);
  return known ? RootDeviceName : (BlockDeviceMappings[0]?.DeviceName ?? RootDeviceName);
}

/** Returns the capacity reservation of an instance as a request parameter. */
export function capacityReservation(
  block: InstanceBlocks['capacity_reservation_specification'][number],
): CapacityReservationSpecification {
  const [target] = block.capacity_reservation_target;
  const preference = enumOf<'open'>(block.capacity_reservation_preference);
  return {
    ...omitUnset({ CapacityReservationPreference: preference }),
    ...(target && {
      CapacityReservationTarget: omitUnset({
        CapacityReservationId: target.capacity_reservation_id,
        CapacityReservationResourceGroupArn: target.capacity_reservation_resource_group_arn,
      }),
    }),
  };
}
