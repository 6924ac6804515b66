import type { Instance, Tag } from '@aws-sdk/client-ec2';
import type { RegionalAws } from '../clients/aws.ts';

type Text =
  | 'ami'
  | 'arn'
  | 'availability_zone'
  | 'host_id'
  | 'host_resource_group_arn'
  | 'iam_instance_profile'
  | 'instance_lifecycle'
  | 'instance_state'
  | 'instance_type'
  | 'key_name'
  | 'outpost_arn'
  | 'placement_group'
  | 'placement_group_id'
  | 'primary_network_interface_id'
  | 'private_dns'
  | 'private_ip'
  | 'public_dns'
  | 'public_ip'
  | 'spot_instance_request_id'
  | 'subnet_id'
  | 'tenancy';

type Flag =
  | 'associate_public_ip_address'
  | 'ebs_optimized'
  | 'enable_primary_ipv6'
  | 'hibernation'
  | 'monitoring'
  | 'source_dest_check';

type Count = 'ipv6_address_count' | 'placement_partition_number';

type Texts =
  | 'ipv6_addresses'
  | 'secondary_private_ips'
  | 'security_groups'
  | 'vpc_security_group_ids';

type BlockName =
  | 'capacity_reservation_specification'
  | 'cpu_options'
  | 'enclave_options'
  | 'maintenance_options'
  | 'metadata_options'
  | 'primary_network_interface'
  | 'private_dns_name_options';

type Found = { readonly [K in Text]: string | undefined } & {
  readonly [K in Flag]: boolean | undefined;
} & { readonly [K in Count]: number } & { readonly [K in Texts]: readonly string[] } & Blocks & {
    readonly network_interface?: readonly object[];
    readonly tags: readonly Tag[];
  };

type Blocks = { readonly [K in BlockName]: readonly object[] | undefined };

/** Returns the arguments of an instance from its description. */
export function instanceArguments(
  aws: RegionalAws,
  instance: Instance,
  state: { readonly network_interface: readonly unknown[] },
): Found {
  const id = instance.InstanceId ?? '';
  const interfaces = instance.NetworkInterfaces ?? [];
  const primary = interfaces.find(({ Attachment }) => Attachment?.DeviceIndex === 0);
  const groups = instance.SecurityGroups ?? [];
  const inVpc = (instance.VpcId ?? '') !== '';
  const addresses = primary?.PrivateIpAddresses ?? [];
  const placement = instance.Placement;
  return {
    ami: instance.ImageId,
    arn: aws.arn('ec2', `instance/${id}`),
    associate_public_ip_address: (primary?.Association?.PublicIp ?? '') !== '',
    availability_zone: placement?.AvailabilityZone ?? '',
    ebs_optimized: instance.EbsOptimized ?? false,
    enable_primary_ipv6: primary?.Ipv6Addresses?.[0]?.IsPrimaryIpv6 ?? false,
    hibernation: instance.HibernationOptions?.Configured,
    host_id: placement?.HostId ?? '',
    host_resource_group_arn: placement?.HostResourceGroupArn ?? '',
    iam_instance_profile: instance.IamInstanceProfile?.Arn?.split('/').pop() ?? '',
    instance_lifecycle: instance.InstanceLifecycle ?? '',
    instance_state: instance.State?.Name ?? '',
    instance_type: instance.InstanceType ?? '',
    ipv6_address_count: primary?.Ipv6Addresses?.length ?? 0,
    ipv6_addresses: (primary?.Ipv6Addresses ?? []).map(({ Ipv6Address = '' }) => Ipv6Address),
    key_name: instance.KeyName ?? '',
    monitoring: ['enabled', 'pending'].includes(instance.Monitoring?.State ?? ''),
    outpost_arn: instance.OutpostArn ?? '',
    placement_group: placement?.GroupName ?? '',
    placement_group_id: placement?.GroupId ?? '',
    placement_partition_number: placement?.PartitionNumber ?? 0,
    primary_network_interface_id: primary?.NetworkInterfaceId ?? '',
    private_dns: instance.PrivateDnsName ?? '',
    private_ip: instance.PrivateIpAddress ?? '',
    public_dns: instance.PublicDnsName ?? '',
    public_ip: instance.PublicIpAddress ?? '',
    secondary_private_ips: addresses
      .filter(({ Primary }) => Primary === false)
      .map(({ PrivateIpAddress = '' }) => PrivateIpAddress),
    // Names are those of groups outside of networks, which only the default network takes too.
    security_groups: groups.map(({ GroupName = '' }) => GroupName),
    source_dest_check: instance.SourceDestCheck ?? true,
    spot_instance_request_id: instance.SpotInstanceRequestId ?? '',
    subnet_id: instance.SubnetId ?? '',
    tags: instance.Tags ?? [],
    tenancy: placement?.Tenancy ?? '',
    vpc_security_group_ids: inVpc ? groups.map(({ GroupId = '' }) => GroupId) : [],
    ...optionBlocks(instance),
    // Settings of interfaces are in the interface block if there is one.
    ...(state.network_interface.length > 0 && {
      network_interface: interfaces.map(({ Attachment, NetworkInterfaceId }) => ({
        delete_on_termination: Attachment?.DeleteOnTermination ?? false,
        device_index: Attachment?.DeviceIndex ?? 0,
        network_card_index: Attachment?.NetworkCardIndex ?? 0,
        network_interface_id: NetworkInterfaceId ?? '',
      })),
    }),
    primary_network_interface: primary && [
      {
        delete_on_termination: primary.Attachment?.DeleteOnTermination ?? false,
        network_interface_id: primary.NetworkInterfaceId ?? '',
      },
    ],
  };
}

/** Returns the blocks with options of an instance; undefined for those that EC2 does not mention. */
function optionBlocks(instance: Instance): Omit<Blocks, 'primary_network_interface'> {
  const metadata = instance.MetadataOptions;
  const names = instance.PrivateDnsNameOptions;
  const reservation = instance.CapacityReservationSpecification;
  const target = reservation?.CapacityReservationTarget;
  return {
    capacity_reservation_specification: reservation && [
      {
        capacity_reservation_preference: reservation.CapacityReservationPreference,
        capacity_reservation_target: target && [
          {
            capacity_reservation_id: target.CapacityReservationId,
            capacity_reservation_resource_group_arn: target.CapacityReservationResourceGroupArn,
          },
        ],
      },
    ],
    cpu_options: instance.CpuOptions && [
      {
        amd_sev_snp: instance.CpuOptions.AmdSevSnp ?? '',
        core_count: instance.CpuOptions.CoreCount ?? 0,
        threads_per_core: instance.CpuOptions.ThreadsPerCore ?? 0,
      },
    ],
    enclave_options: instance.EnclaveOptions && [
      { enabled: instance.EnclaveOptions.Enabled ?? false },
    ],
    maintenance_options: instance.MaintenanceOptions && [
      { auto_recovery: instance.MaintenanceOptions.AutoRecovery ?? 'default' },
    ],
    metadata_options: metadata && [
      {
        http_endpoint: metadata.HttpEndpoint,
        http_protocol_ipv6: metadata.HttpProtocolIpv6 ?? 'disabled',
        http_put_response_hop_limit: metadata.HttpPutResponseHopLimit ?? 1,
        http_tokens: metadata.HttpTokens ?? '',
        instance_metadata_tags: metadata.InstanceMetadataTags ?? 'disabled',
      },
    ],
    private_dns_name_options: names && [
      {
        enable_resource_name_dns_a_record: names.EnableResourceNameDnsARecord ?? false,
        enable_resource_name_dns_aaaa_record: names.EnableResourceNameDnsAAAARecord ?? false,
        hostname_type: names.HostnameType ?? '',
      },
    ],
  };
}
