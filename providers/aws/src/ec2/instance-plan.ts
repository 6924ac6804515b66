import type { Unknown } from '@terrane/provider/sdk';

type Computed<T> = T | Unknown | null;

/** A volume as it is written for an instance. */
export interface WrittenVolume {
  readonly delete_on_termination: boolean | null;
  readonly encrypted: Computed<boolean>;
  readonly iops: Computed<number>;
  readonly kms_key_id: Computed<string>;
  readonly throughput: Computed<number>;
  readonly volume_size: Computed<number>;
  readonly volume_type: Computed<string>;
}

/** The planned arguments of an instance that requests are built from. Unconfigured blocks are unknown or unchanged. */
export interface InstancePlan {
  readonly ami: Computed<string>;
  readonly associate_public_ip_address: Computed<boolean>;
  readonly availability_zone: Computed<string>;
  readonly disable_api_stop: Computed<boolean>;
  readonly disable_api_termination: Computed<boolean>;
  readonly ebs_optimized: Computed<boolean>;
  readonly enable_primary_ipv6: Computed<boolean>;
  readonly hibernation: boolean | null;
  readonly host_id: Computed<string>;
  readonly host_resource_group_arn: Computed<string>;
  readonly iam_instance_profile: Computed<string>;
  readonly instance_initiated_shutdown_behavior: Computed<string>;
  readonly instance_type: Computed<string>;
  readonly ipv6_address_count: Computed<number>;
  readonly ipv6_addresses: Computed<readonly (string | Unknown)[]>;
  readonly key_name: Computed<string>;
  readonly monitoring: Computed<boolean>;
  readonly placement_group: Computed<string>;
  readonly placement_group_id: Computed<string>;
  readonly placement_partition_number: Computed<number>;
  readonly private_ip: Computed<string>;
  readonly secondary_private_ips: Computed<readonly (string | Unknown)[]>;
  readonly security_groups: Computed<readonly (string | Unknown)[]>;
  readonly subnet_id: Computed<string>;
  readonly tenancy: Computed<string>;
  readonly user_data: string | null;
  readonly user_data_base64: Computed<string>;
  readonly vpc_security_group_ids: Computed<readonly (string | Unknown)[]>;
}

/** The blocks of an instance as they are written. */
export interface InstanceBlocks {
  readonly capacity_reservation_specification: readonly {
    readonly capacity_reservation_preference: string | null;
    readonly capacity_reservation_target: readonly {
      readonly capacity_reservation_id: string | null;
      readonly capacity_reservation_resource_group_arn: string | null;
    }[];
  }[];
  readonly cpu_options: readonly {
    readonly amd_sev_snp: string | null;
    readonly core_count: number | null;
    readonly threads_per_core: number | null;
  }[];
  readonly credit_specification: readonly { readonly cpu_credits: string | null }[];
  readonly ebs_block_device: readonly (WrittenVolume & {
    readonly device_name: string;
    readonly snapshot_id: Computed<string>;
  })[];
  readonly enclave_options: readonly { readonly enabled: boolean | null }[];
  readonly ephemeral_block_device: readonly {
    readonly device_name: string;
    readonly no_device: boolean | null;
    readonly virtual_name: string | null;
  }[];
  readonly instance_market_options: readonly {
    readonly market_type: string | null;
    readonly spot_options: readonly {
      readonly instance_interruption_behavior: string | null;
      readonly max_price: string | null;
      readonly spot_instance_type: string | null;
      readonly valid_until: string | null;
    }[];
  }[];
  readonly launch_template: readonly {
    readonly id: string | null;
    readonly name: string | null;
    readonly version: string | null;
  }[];
  readonly maintenance_options: readonly { readonly auto_recovery: string | null }[];
  readonly metadata_options: readonly {
    readonly http_endpoint: string | null;
    readonly http_protocol_ipv6: string | null;
    readonly http_put_response_hop_limit: number | null;
    readonly http_tokens: string | null;
    readonly instance_metadata_tags: string | null;
  }[];
  readonly network_interface: readonly {
    readonly delete_on_termination: boolean | null;
    readonly device_index: number;
    readonly network_card_index: number | null;
    readonly network_interface_id: string;
  }[];
  readonly primary_network_interface: readonly { readonly network_interface_id: string }[];
  readonly private_dns_name_options: readonly {
    readonly enable_resource_name_dns_a_record: boolean | null;
    readonly enable_resource_name_dns_aaaa_record: boolean | null;
    readonly hostname_type: string | null;
  }[];
  readonly root_block_device: readonly WrittenVolume[];
}
