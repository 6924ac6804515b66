import type { BrokerNodeGroupInfo, ClusterInfo } from '@aws-sdk/client-kafka';
import type { Loose, LooseObject } from '../resource/loose.ts';
import type {
  Authentication,
  BrokerNodes,
  Encryption,
  Logging,
  Monitoring,
} from './cluster-request.ts';

// The arguments of a cluster in responses.

/** `broker_node_group_info` */
export function nodesIn(nodes: BrokerNodeGroupInfo): Loose<BrokerNodes> {
  const { ConnectivityInfo: connectivity, StorageInfo: storage } = nodes;
  return {
    az_distribution: nodes.BrokerAZDistribution,
    client_subnets: nodes.ClientSubnets,
    instance_type: nodes.InstanceType,
    security_groups: nodes.SecurityGroups,
    connectivity_info: connectivity && [connectivityIn(connectivity)],
    storage_info: storage && [storageIn(storage)],
  };
}

function connectivityIn({
  PublicAccess: access,
  VpcConnectivity: vpc,
}: NonNullable<BrokerNodeGroupInfo['ConnectivityInfo']>) {
  const by = vpc?.ClientAuthentication;
  return {
    public_access: access && [{ type: access.Type }],
    vpc_connectivity: vpc && [
      {
        client_authentication: by && [
          {
            tls: by.Tls?.Enabled,
            sasl: by.Sasl && [{ iam: by.Sasl.Iam?.Enabled, scram: by.Sasl.Scram?.Enabled }],
          },
        ],
      },
    ],
  };
}

function storageIn({ EbsStorageInfo: volumes }: NonNullable<BrokerNodeGroupInfo['StorageInfo']>) {
  const throughput = volumes?.ProvisionedThroughput;
  return {
    ebs_storage_info: volumes && [
      {
        volume_size: volumes.VolumeSize,
        provisioned_throughput: throughput && [
          { enabled: throughput.Enabled, volume_throughput: throughput.VolumeThroughput },
        ],
      },
    ],
  };
}

interface Settings {
  readonly client_authentication: readonly Authentication[];
  readonly configuration_info: readonly { readonly arn: string; readonly revision: number }[];
  readonly encryption_info: readonly Encryption[];
  readonly logging_info: readonly Logging[];
  readonly open_monitoring: readonly Monitoring[];
  readonly rebalancing: readonly { readonly status: string }[];
}

/** `client_authentication`, `configuration_info`, `encryption_info`, `logging_info`, `open_monitoring`, `rebalancing` */
export function settingsIn(cluster: ClusterInfo): LooseObject<Settings> {
  const { ClientAuthentication: by, CurrentBrokerSoftwareInfo: software } = cluster;
  const { EncryptionInfo: encryption, OpenMonitoring: open } = cluster;
  const logs = cluster.LoggingInfo?.BrokerLogs;
  const transit = encryption?.EncryptionInTransit;
  const { JmxExporter: jmx, NodeExporter: node } = open?.Prometheus ?? {};
  const hasConfiguration = (software?.ConfigurationArn ?? '') !== '';
  return {
    client_authentication: by && [
      {
        unauthenticated: by.Unauthenticated?.Enabled,
        sasl: by.Sasl && [{ iam: by.Sasl.Iam?.Enabled, scram: by.Sasl.Scram?.Enabled }],
        tls: by.Tls && [{ certificate_authority_arns: by.Tls.CertificateAuthorityArnList }],
      },
    ],
    configuration_info: hasConfiguration
      ? [{ arn: software?.ConfigurationArn, revision: software?.ConfigurationRevision }]
      : [],
    encryption_info: encryption && [
      {
        encryption_at_rest_kms_key_arn: encryption.EncryptionAtRest?.DataVolumeKMSKeyId,
        encryption_in_transit: transit && [
          { client_broker: transit.ClientBroker, in_cluster: transit.InCluster },
        ],
      },
    ],
    logging_info: logs && [
      {
        broker_logs: [
          {
            cloudwatch_logs: logs.CloudWatchLogs && [
              { enabled: logs.CloudWatchLogs.Enabled, log_group: logs.CloudWatchLogs.LogGroup },
            ],
            firehose: logs.Firehose && [
              { enabled: logs.Firehose.Enabled, delivery_stream: logs.Firehose.DeliveryStream },
            ],
            s3: logs.S3 && [
              { enabled: logs.S3.Enabled, bucket: logs.S3.Bucket, prefix: logs.S3.Prefix },
            ],
          },
        ],
      },
    ],
    open_monitoring: open?.Prometheus && [
      {
        prometheus: [
          {
            jmx_exporter: jmx && [{ enabled_in_broker: jmx.EnabledInBroker }],
            node_exporter: node && [{ enabled_in_broker: node.EnabledInBroker }],
          },
        ],
      },
    ],
    rebalancing: cluster.Rebalancing && [{ status: cluster.Rebalancing.Status }],
  };
}

/** Addresses in an order that does not change: "b-1…:9092,b-2…:9092". */
export function sortedAddresses(list = ''): string {
  return list.split(',').toSorted().join(',');
}
