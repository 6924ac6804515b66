import {
  bool,
  int64,
  listBlock,
  type Resource,
  set,
  string,
  timeoutsBlock,
  unknown,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { keptInside } from '../resource/kept-inside.ts';
import { omitUnset } from '../resource/only.ts';
import { nodesIn, settingsIn, sortedAddresses } from './cluster-arguments.ts';
import {
  authenticationOf,
  configurationOf,
  connectivityOf,
  encryptionOf,
  loggingOf,
  monitoringOf,
  nodesOf,
} from './cluster-request.ts';
import { carryOut, stepsOf } from './cluster-update.ts';
import { NO_CLUSTER } from './consts.ts';
import { waitForActiveCluster, waitForDeletedCluster, clusterOf } from './wait.ts';
import { atLeast, between, lengthBetween, oneOf } from '../resource/validators.ts';

const requiresReplace = true;
const computedText = string({ computed: true });
const text = string({ optional: true });
const flag = bool({ optional: true });
const open = bool({ optional: true, computed: true });
const enabled = bool({ required: true });
const ONE = { maxItems: 1 } as const;
const EXACTLY_ONE = { minItems: 1, maxItems: 1 } as const;
const exporter = listBlock({ enabled_in_broker: enabled }, ONE);

/** `aws_msk_cluster` */
export const cluster: Resource<Aws> = awsResource({
  type: 'MSK Cluster',
  label: ({ cluster_name: name }) => name,
  notFound: NO_CLUSTER,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    bootstrap_brokers: computedText,
    bootstrap_brokers_public_sasl_iam: computedText,
    bootstrap_brokers_public_sasl_scram: computedText,
    bootstrap_brokers_public_tls: computedText,
    bootstrap_brokers_sasl_iam: computedText,
    bootstrap_brokers_sasl_scram: computedText,
    bootstrap_brokers_tls: computedText,
    bootstrap_brokers_vpc_connectivity_sasl_iam: computedText,
    bootstrap_brokers_vpc_connectivity_sasl_scram: computedText,
    bootstrap_brokers_vpc_connectivity_tls: computedText,
    cluster_name: string({ required: true, requiresReplace, validators: [lengthBetween(1, 64)] }),
    cluster_uuid: computedText,
    current_version: computedText,
    enhanced_monitoring: string({
      default: 'DEFAULT',
      computed: false,
      validators: [
        oneOf('DEFAULT', 'PER_BROKER', 'PER_TOPIC_PER_BROKER', 'PER_TOPIC_PER_PARTITION'),
      ],
    }),
    kafka_version: string({ required: true, validators: [lengthBetween(1, 64)] }),
    number_of_broker_nodes: int64({ required: true }),
    storage_mode: string({
      optional: true,
      computed: true,
      validators: [oneOf('LOCAL', 'TIERED')],
    }),
    zookeeper_connect_string: computedText,
    zookeeper_connect_string_tls: computedText,
  },
  blocks: {
    broker_node_group_info: listBlock(
      {
        az_distribution: string({
          default: 'DEFAULT',
          computed: false,
          requiresReplace,
          validators: [oneOf('DEFAULT')],
        }),
        client_subnets: set(string, { required: true, requiresReplace }),
        instance_type: string({ required: true }),
        security_groups: set(string, { required: true, requiresReplace }),
      },
      {
        ...EXACTLY_ONE,
        blocks: {
          connectivity_info: listBlock(
            {},
            {
              ...ONE,
              blocks: {
                public_access: listBlock(
                  {
                    type: string({
                      optional: true,
                      computed: true,
                      validators: [oneOf('DISABLED', 'SERVICE_PROVIDED_EIPS')],
                    }),
                  },
                  ONE,
                ),
                vpc_connectivity: listBlock(
                  {},
                  {
                    ...ONE,
                    blocks: {
                      client_authentication: listBlock(
                        { tls: open },
                        { ...ONE, blocks: { sasl: listBlock({ iam: open, scram: open }, ONE) } },
                      ),
                    },
                  },
                ),
              },
            },
          ),
          storage_info: listBlock(
            {},
            {
              ...ONE,
              blocks: {
                ebs_storage_info: listBlock(
                  // Volumes of 1 to 16384 GiB.
                  { volume_size: int64({ optional: true, validators: [between(1, 16_384)] }) },
                  {
                    ...ONE,
                    blocks: {
                      provisioned_throughput: listBlock(
                        { enabled: flag, volume_throughput: int64({ optional: true }) },
                        ONE,
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
    client_authentication: listBlock(
      { unauthenticated: flag },
      {
        ...ONE,
        blocks: {
          sasl: listBlock({ iam: flag, scram: flag }, ONE),
          tls: listBlock({ certificate_authority_arns: set(string, { optional: true }) }, ONE),
        },
      },
    ),
    configuration_info: listBlock(
      {
        arn: string({ required: true }),
        revision: int64({ required: true, validators: [atLeast(0)] }),
      },
      ONE,
    ),
    encryption_info: listBlock(
      {
        encryption_at_rest_kms_key_arn: string({ optional: true, computed: true, requiresReplace }),
      },
      {
        ...ONE,
        blocks: {
          encryption_in_transit: listBlock(
            {
              client_broker: string({
                default: 'TLS',
                computed: false,
                validators: [oneOf('PLAINTEXT', 'TLS', 'TLS_PLAINTEXT')],
              }),
              in_cluster: bool({ default: true, computed: false, requiresReplace }),
            },
            ONE,
          ),
        },
      },
    ),
    logging_info: listBlock(
      {},
      {
        ...ONE,
        blocks: {
          broker_logs: listBlock(
            {},
            {
              ...EXACTLY_ONE,
              blocks: {
                cloudwatch_logs: listBlock({ enabled, log_group: text }, ONE),
                firehose: listBlock({ delivery_stream: text, enabled }, ONE),
                s3: listBlock({ bucket: text, enabled, prefix: text }, ONE),
              },
            },
          ),
        },
      },
    ),
    open_monitoring: listBlock(
      {},
      {
        ...ONE,
        blocks: {
          prometheus: listBlock(
            {},
            { ...EXACTLY_ONE, blocks: { jmx_exporter: exporter, node_exporter: exporter } },
          ),
        },
      },
    ),
    rebalancing: listBlock(
      { status: string({ required: true, validators: [oneOf('ACTIVE', 'PAUSED')] }) },
      ONE,
    ),
    timeouts: timeoutsBlock({ create: '120m', update: '120m', delete: '120m' }),
  },

  plan(planning) {
    const { plan, state, changed, requireReplace } = planning;
    const { kafka_version: version } = plan;
    if (state !== null && typeof version === 'string' && isOlder(version, state.kafka_version)) {
      requireReplace('kafka_version');
    }
    const blocks = keptInside(
      planning,
      'broker_node_group_info',
      'client_authentication',
      'configuration_info',
      'encryption_info',
      'logging_info',
      'open_monitoring',
      'rebalancing',
    );
    const isChanged = changed(
      'enhanced_monitoring',
      'kafka_version',
      'number_of_broker_nodes',
      'storage_mode',
    );
    const isUpdated =
      state !== null &&
      (isChanged ||
        // Members are in the order of the schema; unknown ones are absent from both.
        Object.entries(blocks).some(
          ([name, block]) => JSON.stringify(block) !== JSON.stringify(Reflect.get(state, name)),
        ));
    // Each change creates a new version of a cluster.
    return { ...blocks, ...(isUpdated && { current_version: unknown() }) };
  },

  async create({ aws, plan, tags }) {
    const [nodes] = plan.broker_node_group_info;
    const [rebalancing] = plan.rebalancing;
    const answer = await aws.kafka.createCluster({
      ClusterName: plan.cluster_name,
      KafkaVersion: plan.kafka_version,
      NumberOfBrokerNodes: plan.number_of_broker_nodes,
      BrokerNodeGroupInfo: nodes && nodesOf(nodes),
      ...omitUnset({
        ClientAuthentication: authenticationOf(plan.client_authentication),
        ConfigurationInfo: configurationOf(plan.configuration_info),
        EncryptionInfo: encryptionOf(plan.encryption_info),
        EnhancedMonitoring: enumOf<'DEFAULT'>(plan.enhanced_monitoring),
        LoggingInfo: loggingOf(plan.logging_info),
        OpenMonitoring: monitoringOf(plan.open_monitoring),
        StorageMode: enumOf<'LOCAL'>(plan.storage_mode),
        Rebalancing: rebalancing && omitUnset({ Status: enumOf<'ACTIVE'>(rebalancing.status) }),
      }),
      Tags: { ...tags },
    });
    return answer.ClusterArn ?? '';
  },

  async created({ aws, object, plan, id, timeout }) {
    await waitForActiveCluster(aws, object, id, timeout);
    // A cluster must exist before other networks can be connected.
    const [nodes] = plan.broker_node_group_info;
    const { VpcConnectivity } = (nodes && connectivityOf(nodes)) ?? {};
    if (VpcConnectivity === undefined) return;
    const doing = 'updating the connectivity of';
    const request = (at: { ClusterArn: string; CurrentVersion: string | undefined }) =>
      aws.kafka.updateConnectivity({ ...at, ConnectivityInfo: { VpcConnectivity } });
    await carryOut(aws, object, id, [{ doing, request }], timeout);
  },

  find: ({ aws, id }) => clusterOf(aws, id),

  async read(cluster, { aws, id }) {
    const brokers = await aws.kafka.getBootstrapBrokers({ ClusterArn: id });
    return {
      arn: cluster.ClusterArn,
      bootstrap_brokers: sortedAddresses(brokers.BootstrapBrokerString),
      bootstrap_brokers_public_sasl_iam: sortedAddresses(
        brokers.BootstrapBrokerStringPublicSaslIam,
      ),
      bootstrap_brokers_public_sasl_scram: sortedAddresses(
        brokers.BootstrapBrokerStringPublicSaslScram,
      ),
      bootstrap_brokers_public_tls: sortedAddresses(brokers.BootstrapBrokerStringPublicTls),
      bootstrap_brokers_sasl_iam: sortedAddresses(brokers.BootstrapBrokerStringSaslIam),
      bootstrap_brokers_sasl_scram: sortedAddresses(brokers.BootstrapBrokerStringSaslScram),
      bootstrap_brokers_tls: sortedAddresses(brokers.BootstrapBrokerStringTls),
      bootstrap_brokers_vpc_connectivity_sasl_iam: sortedAddresses(
        brokers.BootstrapBrokerStringVpcConnectivitySaslIam,
      ),
      bootstrap_brokers_vpc_connectivity_sasl_scram: sortedAddresses(
        brokers.BootstrapBrokerStringVpcConnectivitySaslScram,
      ),
      bootstrap_brokers_vpc_connectivity_tls: sortedAddresses(
        brokers.BootstrapBrokerStringVpcConnectivityTls,
      ),
      cluster_name: cluster.ClusterName,
      // arn:aws:kafka:eu-west-1:123456789012:cluster/NAME/UUID
      cluster_uuid: id.split('/')[2],
      current_version: cluster.CurrentVersion,
      enhanced_monitoring: cluster.EnhancedMonitoring,
      kafka_version: cluster.CurrentBrokerSoftwareInfo?.KafkaVersion,
      number_of_broker_nodes: cluster.NumberOfBrokerNodes,
      storage_mode: cluster.StorageMode,
      zookeeper_connect_string: sortedAddresses(cluster.ZookeeperConnectString),
      zookeeper_connect_string_tls: sortedAddresses(cluster.ZookeeperConnectStringTls),
      broker_node_group_info: cluster.BrokerNodeGroupInfo && [nodesIn(cluster.BrokerNodeGroupInfo)],
      ...settingsIn(cluster),
      tags: cluster.Tags,
    };
  },

  async update({ aws, object, plan, state, changed, id, timeout }) {
    await carryOut(aws, object, id, stepsOf(aws, plan, state, changed), timeout);
  },

  async retag({ aws, id }, { set: Tags, removed }) {
    if (removed.length > 0) {
      await aws.kafka.untagResource({ ResourceArn: id, TagKeys: [...removed] });
    }
    if (Object.keys(Tags).length > 0) {
      await aws.kafka.tagResource({ ResourceArn: id, Tags: { ...Tags } });
    }
  },

  async delete({ aws, object, id, timeout }) {
    await aws.kafka.deleteCluster({ ClusterArn: id });
    await waitForDeletedCluster(aws, object, id, timeout);
  },
});

/** Tests whether a version ("3.6.0", "2.8.2.tiered", "3.7.x") precedes another one. */
function isOlder(version: string, other: string): boolean {
  const [a, b] = [version, other].map((each) => each.split('.').map((part) => parseInt(part, 10)));
  for (let i = 0; i < 3; i++) {
    const [component, its] = [a?.[i] ?? 0, b?.[i] ?? 0];
    if (component !== its) return component < its;
  }
  return false;
}
