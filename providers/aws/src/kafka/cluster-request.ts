import type {
  BrokerNodeGroupInfo,
  ClientAuthentication,
  ConfigurationInfo,
  ConnectivityInfo,
  EncryptionInfo,
  LoggingInfo,
  OpenMonitoringInfo,
  ProvisionedThroughput,
  VpcConnectivity,
} from '@aws-sdk/client-kafka';
import type { Unknown } from '@terrane/provider/sdk';
import { enumOf } from '../resource/enum-of.ts';
import { omitUnset } from '../resource/only.ts';

// Stored arguments of a cluster, and the corresponding members of requests. In a plan, computed values may be unknown
// (`U`).

type Computed<T, U> = T | U | null;

interface Connectivity<U> {
  readonly public_access: readonly { readonly type: Computed<string, U> }[];
  readonly vpc_connectivity: readonly {
    readonly client_authentication: readonly {
      readonly tls: Computed<boolean, U>;
      readonly sasl: readonly {
        readonly iam: Computed<boolean, U>;
        readonly scram: Computed<boolean, U>;
      }[];
    }[];
  }[];
}

interface Volumes {
  readonly volume_size: number | null;
  readonly provisioned_throughput: readonly {
    readonly enabled: boolean | null;
    readonly volume_throughput: number | null;
  }[];
}

/** `broker_node_group_info` */
export interface BrokerNodes<U = never> {
  readonly az_distribution: string | null;
  readonly client_subnets: readonly string[];
  readonly instance_type: string;
  readonly security_groups: readonly string[];
  readonly connectivity_info: readonly Connectivity<U>[];
  readonly storage_info: readonly { readonly ebs_storage_info: readonly Volumes[] }[];
}

/** `client_authentication` */
export interface Authentication {
  readonly unauthenticated: boolean | null;
  readonly sasl: readonly { readonly iam: boolean | null; readonly scram: boolean | null }[];
  readonly tls: readonly { readonly certificate_authority_arns: readonly string[] | null }[];
}

/** `encryption_info` */
export interface Encryption<U = never> {
  readonly encryption_at_rest_kms_key_arn: Computed<string, U>;
  readonly encryption_in_transit: readonly {
    readonly client_broker: string | null;
    readonly in_cluster: boolean | null;
  }[];
}

/** `logging_info` */
export interface Logging {
  readonly broker_logs: readonly {
    readonly cloudwatch_logs: readonly {
      readonly enabled: boolean;
      readonly log_group: string | null;
    }[];
    readonly firehose: readonly {
      readonly delivery_stream: string | null;
      readonly enabled: boolean;
    }[];
    readonly s3: readonly {
      readonly bucket: string | null;
      readonly enabled: boolean;
      readonly prefix: string | null;
    }[];
  }[];
}

/** `open_monitoring` */
export interface Monitoring {
  readonly prometheus: readonly {
    readonly jmx_exporter: readonly { readonly enabled_in_broker: boolean }[];
    readonly node_exporter: readonly { readonly enabled_in_broker: boolean }[];
  }[];
}

/** The nodes of a new cluster, which cannot be reached from other networks yet. */
export function nodesOf(nodes: BrokerNodes<Unknown>): BrokerNodeGroupInfo {
  const connectivity = connectivityOf(nodes);
  const volumes = volumesOf(nodes);
  return {
    ...omitUnset({ BrokerAZDistribution: enumOf<'DEFAULT'>(nodes.az_distribution ?? '') }),
    ClientSubnets: [...nodes.client_subnets],
    InstanceType: nodes.instance_type,
    SecurityGroups: [...nodes.security_groups],
    ...(connectivity?.PublicAccess && {
      ConnectivityInfo: { PublicAccess: connectivity.PublicAccess },
    }),
    ...(volumes && {
      StorageInfo: {
        EbsStorageInfo: {
          ...omitUnset({ VolumeSize: volumes.size }),
          ...(volumes.throughput && { ProvisionedThroughput: volumes.throughput }),
        },
      },
    }),
  };
}

/** The connectivity of the brokers; undefined: not configured. */
export function connectivityOf({
  connectivity_info: [info],
}: BrokerNodes<Unknown>): ConnectivityInfo | undefined {
  if (info === undefined) return undefined;
  const [access] = info.public_access;
  const [vpc] = info.vpc_connectivity;
  return {
    ...(access && { PublicAccess: omitUnset({ Type: access.type }) }),
    ...(vpc && { VpcConnectivity: otherNetworks(vpc) }),
  };
}

function otherNetworks({
  client_authentication: [by],
}: Connectivity<Unknown>['vpc_connectivity'][number]): VpcConnectivity {
  if (by === undefined) return {};
  const [sasl] = by.sasl;
  return {
    ClientAuthentication: {
      ...(sasl && { Sasl: { Iam: flag(sasl.iam), Scram: flag(sasl.scram) } }),
      Tls: flag(by.tls),
    },
  };
}

/** The volumes of each node; undefined: not configured. */
export function volumesOf({
  storage_info: [storage],
}: BrokerNodes<Unknown>):
  | { readonly size: number | null; readonly throughput: ProvisionedThroughput | undefined }
  | undefined {
  const [volumes] = storage?.ebs_storage_info ?? [];
  if (volumes === undefined) return undefined;
  const [throughput] = volumes.provisioned_throughput;
  const { volume_size: size } = volumes;
  if (throughput === undefined) return { size, throughput };
  const { enabled, volume_throughput: speed } = throughput;
  return {
    size,
    throughput: {
      Enabled: enabled === true,
      // Zero is stored if there is none.
      ...(speed !== null && speed > 0 && { VolumeThroughput: speed }),
    },
  };
}

/** The authentication of clients; undefined: not configured. */
export function authenticationOf([by]: readonly Authentication[]):
  | ClientAuthentication
  | undefined {
  if (by === undefined) return undefined;
  const [sasl] = by.sasl;
  const [tls] = by.tls;
  const authorities = [...(tls?.certificate_authority_arns ?? [])];
  return {
    ...(sasl && { Sasl: { Iam: flag(sasl.iam), Scram: flag(sasl.scram) } }),
    ...(tls && {
      Tls: {
        Enabled: authorities.length > 0,
        ...(authorities.length > 0 && { CertificateAuthorityArnList: authorities }),
      },
    }),
    Unauthenticated: flag(by.unauthenticated),
  };
}

/** The encryption at rest and in transit; undefined: not configured. */
export function encryptionOf([encryption]: readonly Encryption<Unknown>[]):
  | EncryptionInfo
  | undefined {
  if (encryption === undefined) return undefined;
  const { key } = omitUnset({ key: encryption.encryption_at_rest_kms_key_arn });
  const [transit] = encryption.encryption_in_transit;
  return {
    ...(key !== undefined && { EncryptionAtRest: { DataVolumeKMSKeyId: key } }),
    ...(transit && {
      EncryptionInTransit: omitUnset({
        ClientBroker: enumOf<'TLS'>(transit.client_broker ?? ''),
        InCluster: transit.in_cluster,
      }),
    }),
  };
}

/** The encryption that can be changed: that between clients and brokers. */
export function changeableEncryption(
  encryption: readonly Encryption<Unknown>[],
): EncryptionInfo | undefined {
  const { EncryptionInTransit: transit } = encryptionOf(encryption) ?? {};
  return transit && { EncryptionInTransit: omitUnset({ ClientBroker: transit.ClientBroker }) };
}

/** The destinations of broker logs; undefined: not configured. */
export function loggingOf([logging]: readonly Logging[]): LoggingInfo | undefined {
  const [logs] = logging?.broker_logs ?? [];
  if (logs === undefined) return undefined;
  const [group] = logs.cloudwatch_logs;
  const [stream] = logs.firehose;
  const [bucket] = logs.s3;
  return {
    BrokerLogs: {
      ...(group && {
        CloudWatchLogs: { Enabled: group.enabled, ...omitUnset({ LogGroup: group.log_group }) },
      }),
      ...(stream && {
        Firehose: {
          Enabled: stream.enabled,
          ...omitUnset({ DeliveryStream: stream.delivery_stream }),
        },
      }),
      ...(bucket && {
        S3: {
          Enabled: bucket.enabled,
          ...omitUnset({ Bucket: bucket.bucket, Prefix: bucket.prefix }),
        },
      }),
    },
  };
}

/** The monitoring by Prometheus; undefined: not configured. */
export function monitoringOf([monitoring]: readonly Monitoring[]): OpenMonitoringInfo | undefined {
  const [prometheus] = monitoring?.prometheus ?? [];
  if (prometheus === undefined) return undefined;
  const [jmx] = prometheus.jmx_exporter;
  const [node] = prometheus.node_exporter;
  return {
    Prometheus: {
      ...(jmx && { JmxExporter: { EnabledInBroker: jmx.enabled_in_broker } }),
      ...(node && { NodeExporter: { EnabledInBroker: node.enabled_in_broker } }),
    },
  };
}

/** The configuration of brokers; undefined: not configured. */
export function configurationOf([info]: readonly {
  readonly arn: string;
  readonly revision: number;
}[]): ConfigurationInfo | undefined {
  return info && { Arn: info.arn, Revision: info.revision };
}

function flag(value: unknown): { Enabled: boolean } {
  return { Enabled: value === true };
}
