import type { RemoteObject, Unknown } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { enumOf } from '../resource/enum-of.ts';
import { omitUnset } from '../resource/only.ts';
import {
  type Authentication,
  authenticationOf,
  type BrokerNodes,
  changeableEncryption,
  configurationOf,
  connectivityOf,
  type Encryption,
  type Logging,
  loggingOf,
  type Monitoring,
  monitoringOf,
  volumesOf,
} from './cluster-request.ts';
import { clusterOf, waitForOperation } from './wait.ts';

/** The arguments of a cluster that can be changed. */
interface Changeable {
  readonly broker_node_group_info: readonly BrokerNodes<Unknown>[];
  readonly client_authentication: readonly Authentication[];
  readonly configuration_info: readonly { readonly arn: string; readonly revision: number }[];
  readonly encryption_info: readonly Encryption<Unknown>[];
  readonly enhanced_monitoring: string | null;
  readonly kafka_version: string;
  readonly logging_info: readonly Logging[];
  readonly number_of_broker_nodes: number;
  readonly open_monitoring: readonly Monitoring[];
  readonly rebalancing: readonly { readonly status: string }[];
  readonly storage_mode: string | Unknown | null;
}

/** A change: its name in errors, and the request, which returns the name of an operation. */
interface Step {
  readonly doing: string;
  readonly request: (at: At) => Promise<{ readonly ClusterOperationArn?: string | undefined }>;
}

/** The cluster to change, and its version: changes of another version are rejected. */
interface At {
  readonly ClusterArn: string;
  readonly CurrentVersion: string | undefined;
}

/** Returns the planned changes, in the order of their execution. */
export function stepsOf(
  aws: RegionalAws,
  plan: Changeable,
  state: Changeable,
  changed: (...at: readonly (keyof Changeable)[]) => boolean,
): readonly Step[] {
  const { kafka } = aws;
  const steps: Step[] = brokerSteps(aws, plan, state);
  const add = (doing: string, request: Step['request']) => steps.push({ doing, request });
  if (changed('storage_mode')) {
    const mode = omitUnset({ StorageMode: enumOf<'LOCAL'>(plan.storage_mode) });
    add('updating the storage of', (at) => kafka.updateStorage({ ...at, ...mode }));
  }
  if (changed('number_of_broker_nodes')) {
    const TargetNumberOfBrokerNodes = plan.number_of_broker_nodes;
    add('updating the broker count of', (at) =>
      kafka.updateBrokerCount({ ...at, TargetNumberOfBrokerNodes }),
    );
  }
  if (changed('enhanced_monitoring', 'logging_info', 'open_monitoring')) {
    const input = omitUnset({
      EnhancedMonitoring: enumOf<'DEFAULT'>(plan.enhanced_monitoring ?? ''),
      LoggingInfo: loggingOf(plan.logging_info),
      OpenMonitoring: monitoringOf(plan.open_monitoring),
    });
    add('updating the monitoring of', (at) => kafka.updateMonitoring({ ...at, ...input }));
  }
  const ConfigurationInfo = configurationOf(plan.configuration_info);
  const isConfigured = changed('configuration_info');
  if (isConfigured && !changed('kafka_version')) {
    add('updating the configuration of', (at) =>
      kafka.updateClusterConfiguration({ ...at, ConfigurationInfo }),
    );
  }
  if (changed('kafka_version')) {
    const TargetKafkaVersion = plan.kafka_version;
    const configuration = isConfigured && ConfigurationInfo && { ConfigurationInfo };
    add('updating the Kafka version of', (at) =>
      kafka.updateClusterKafkaVersion({ ...at, TargetKafkaVersion, ...configuration }),
    );
  }
  if (changed('client_authentication', 'encryption_info')) {
    const input = omitUnset({
      ClientAuthentication: changed('client_authentication')
        ? authenticationOf(plan.client_authentication)
        : undefined,
      EncryptionInfo: changed('encryption_info')
        ? changeableEncryption(plan.encryption_info)
        : undefined,
    });
    add('updating the security of', (at) => kafka.updateSecurity({ ...at, ...input }));
  }
  const [rebalancing] = plan.rebalancing;
  if (rebalancing !== undefined && changed('rebalancing')) {
    const Rebalancing = omitUnset({ Status: enumOf<'ACTIVE'>(rebalancing.status) });
    add('updating the rebalancing of', (at) => kafka.updateRebalancing({ ...at, Rebalancing }));
  }
  return steps;
}

/** The changes of the brokers: their connectivity, type and volumes. */
function brokerSteps({ kafka }: RegionalAws, plan: Changeable, state: Changeable): Step[] {
  const [nodes] = plan.broker_node_group_info;
  const [priorNodes] = state.broker_node_group_info;
  if (nodes === undefined || priorNodes === undefined) return [];
  const steps: Step[] = [];
  const ConnectivityInfo = connectivityOf(nodes);
  if (ConnectivityInfo !== undefined && differ(ConnectivityInfo, connectivityOf(priorNodes))) {
    steps.push({
      doing: 'updating the connectivity of',
      request: (at) => kafka.updateConnectivity({ ...at, ConnectivityInfo }),
    });
  }
  const { instance_type: TargetInstanceType } = nodes;
  if (TargetInstanceType !== priorNodes.instance_type) {
    steps.push({
      doing: 'updating the broker type of',
      request: (at) => kafka.updateBrokerType({ ...at, TargetInstanceType }),
    });
  }
  const volumes = volumesOf(nodes);
  if (volumes !== undefined && differ(volumes, volumesOf(priorNodes))) {
    const volume = {
      KafkaBrokerNodeId: 'All',
      ...omitUnset({ VolumeSizeGB: volumes.size }),
      ...(volumes.throughput && { ProvisionedThroughput: volumes.throughput }),
    };
    steps.push({
      doing: 'updating the broker storage of',
      request: (at) => kafka.updateBrokerStorage({ ...at, TargetBrokerEBSVolumeInfo: [volume] }),
    });
  }
  return steps;
}

/** Applies changes one after another, each after the previous one has completed. */
export async function carryOut(
  aws: RegionalAws,
  cluster: RemoteObject,
  id: string,
  steps: readonly Step[],
  timeout: number,
): Promise<void> {
  for (const { doing, request } of steps) {
    // Each change creates a new version of the cluster.
    const { CurrentVersion } = await clusterOf(aws, id);
    const answer = await cluster.operation(doing, () =>
      request({ ClusterArn: id, CurrentVersion }),
    );
    await waitForOperation(aws, cluster, answer.ClusterOperationArn, timeout);
  }
}

function differ(a: object | undefined, b: object | undefined): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
