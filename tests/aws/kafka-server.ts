// Answers as Amazon's service for clusters of Kafka does, whose waits and versions other servers for tests do not have.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Fields = Readonly<Record<string, unknown>>;

interface Cluster {
  fields: Fields;
  state: string;
  /** looks at it that find it on its way still */
  looks: number;
  version: number;
  operation: Operation | undefined;
}

interface Operation {
  readonly arn: string;
  /** what it changes when it is done */
  readonly change: Fields;
  looks: number;
}

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

const LOOKS = 2;
const ARN = 'arn:aws:kafka:eu-west-1:123456789012';

/** A server on loopback. What is asked for takes some looks until it is done. */
export class KafkaServer {
  readonly #server: Server;
  readonly #clusters = new Map<string, Cluster>();
  #count = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request).then(({ status = 200, body }) => {
        const isText = typeof body === 'string';
        response.writeHead(status, { 'content-type': isText ? 'text/xml' : 'application/json' });
        response.end(isText ? body : JSON.stringify(body));
      });
    });
  }

  static async start(): Promise<KafkaServer> {
    const it = new KafkaServer();
    it.#server.listen(0, '127.0.0.1');
    await once(it.#server, 'listening');
    return it;
  }

  get endpoint(): string {
    // It listens at an address, not at a file.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Names of clusters that there are. */
  get clusters(): readonly string[] {
    return [...this.#clusters.keys()];
  }

  /** Changes a cluster from outside, at once. */
  change(arn: string, fields: Fields): void {
    const cluster = this.#clusters.get(arn);
    if (cluster !== undefined) cluster.fields = { ...cluster.fields, ...fields };
  }

  /** Takes a cluster away from outside, at once. */
  remove(arn: string): void {
    this.#clusters.delete(arn);
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString('utf8');
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, , kind = '', name = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const { method = 'GET' } = request;
    if (text.startsWith('Action=GetCallerIdentity')) return { body: IDENTITY };
    const asked: Fields = text === '' ? {} : JSON.parse(text);
    if (kind === 'clusters' && name === '') return this.#create(asked);
    if (kind === 'operations') return this.#operation(name);
    const cluster = this.#clusters.get(name);
    if (cluster === undefined) return failed(404, 'NotFoundException', 'There is no such cluster.');
    if (kind === 'tags')
      return retagged(cluster, method, asked, url.searchParams.getAll('tagKeys'));
    const what = rest.join('/');
    if (method === 'GET' && what === 'bootstrap-brokers') {
      return { body: { bootstrapBrokerStringTls: 'b-2.example:9094,b-1.example:9094' } };
    }
    if (method === 'GET') return this.#describe(name, cluster);
    if (method === 'DELETE') {
      cluster.state = 'DELETING';
      cluster.looks = LOOKS;
      return { body: { clusterArn: name, state: cluster.state } };
    }
    return this.#begin(name, cluster, what, asked);
  }

  #create(asked: Fields): Answer {
    const clusterName = String(asked['clusterName']);
    const { kafkaVersion, configurationInfo, ...fields } = asked;
    this.#count += 1;
    const arn = `${ARN}:cluster/${clusterName}/uuid-${this.#count}`;
    this.#clusters.set(arn, {
      fields: {
        // The defaults of Amazon.
        storageMode: 'LOCAL',
        encryptionInfo: {
          encryptionAtRest: { dataVolumeKMSKeyId: 'arn:aws:kms:eu-west-1:123456789012:key/own' },
          encryptionInTransit: { clientBroker: 'TLS', inCluster: true },
        },
        clientAuthentication: { unauthenticated: { enabled: true } },
        openMonitoring: { prometheus: { jmxExporter: { enabledInBroker: false } } },
        ...fields,
        currentBrokerSoftwareInfo: softwareOf(kafkaVersion, configurationInfo),
      },
      state: 'CREATING',
      looks: LOOKS,
      version: 1,
      operation: undefined,
    });
    return { body: { clusterArn: arn, clusterName, state: 'CREATING' } };
  }

  #describe(arn: string, cluster: Cluster): Answer {
    if (cluster.looks > 0) cluster.looks -= 1;
    else if (cluster.state === 'CREATING') cluster.state = 'ACTIVE';
    else if (cluster.state === 'DELETING') {
      this.#clusters.delete(arn);
      return failed(404, 'NotFoundException', 'There is no such cluster.');
    }
    const { fields, state, version } = cluster;
    const current = { clusterArn: arn, state, currentVersion: `K${version}` };
    return { body: { clusterInfo: { ...fields, ...current } } };
  }

  #begin(arn: string, cluster: Cluster, what: string, asked: Fields): Answer {
    const { currentVersion, ...wanted } = asked;
    if (currentVersion !== `K${cluster.version}`) {
      return failed(400, 'BadRequestException', 'This is not the current version of the cluster.');
    }
    if (cluster.state !== 'ACTIVE' || cluster.operation !== undefined) {
      return failed(400, 'BadRequestException', 'The cluster is being changed.');
    }
    this.#count += 1;
    const operation = `${ARN}:cluster-operation/${this.#count}`;
    const change = changeOf(what, wanted, cluster.fields);
    cluster.operation = { arn: operation, change, looks: LOOKS };
    return { body: { clusterArn: arn, clusterOperationArn: operation } };
  }

  #operation(arn: string): Answer {
    for (const cluster of this.#clusters.values()) {
      const { operation } = cluster;
      if (operation?.arn !== arn) continue;
      operation.looks -= 1;
      if (operation.looks >= 0) {
        const operationState = operation.looks > 0 ? 'PENDING' : 'UPDATE_IN_PROGRESS';
        return { body: { clusterOperationInfo: { operationState } } };
      }
      cluster.fields = { ...cluster.fields, ...operation.change };
      cluster.version += 1;
      cluster.operation = undefined;
      return { body: { clusterOperationInfo: { operationState: 'UPDATE_COMPLETE' } } };
    }
    return failed(404, 'NotFoundException', 'There is no such operation.');
  }
}

/** Returns the fields of a cluster that a request changes. */
function changeOf(what: string, wanted: Fields, fields: Fields): Fields {
  const nodes = fieldsOf(fields['brokerNodeGroupInfo']);
  const inNodes = (change: Fields): Fields => ({ brokerNodeGroupInfo: { ...nodes, ...change } });
  switch (what) {
    case 'nodes/count':
      return { numberOfBrokerNodes: wanted['targetNumberOfBrokerNodes'] };
    case 'nodes/type':
      return inNodes({ instanceType: wanted['targetInstanceType'] });
    case 'nodes/storage': {
      const [{ volumeSizeGB: volumeSize, provisionedThroughput } = {}] = wanted[
        'targetBrokerEBSVolumeInfo'
      ] as [Fields?];
      return inNodes({ storageInfo: { ebsStorageInfo: { volumeSize, provisionedThroughput } } });
    }
    case 'connectivity': {
      const { connectivityInfo } = wanted;
      return inNodes({
        connectivityInfo: { ...fieldsOf(nodes['connectivityInfo']), ...fieldsOf(connectivityInfo) },
      });
    }
    case 'configuration':
    case 'version': {
      const was = fieldsOf(fields['currentBrokerSoftwareInfo']);
      const { targetKafkaVersion = was['kafkaVersion'], configurationInfo } = wanted;
      const now = softwareOf(targetKafkaVersion, configurationInfo);
      return { currentBrokerSoftwareInfo: { ...was, ...now } };
    }
    case 'security': {
      const encryption = fieldsOf(fields['encryptionInfo']);
      const changed = fieldsOf(fieldsOf(wanted['encryptionInfo'])['encryptionInTransit']);
      const transit = { ...fieldsOf(encryption['encryptionInTransit']), ...changed };
      return { ...wanted, encryptionInfo: { ...encryption, encryptionInTransit: transit } };
    }
    default:
      return wanted;
  }
}

function softwareOf(kafkaVersion: unknown, configuration: unknown): Fields {
  const { arn, revision } = fieldsOf(configuration);
  const known = arn !== undefined && { configurationArn: arn, configurationRevision: revision };
  return { kafkaVersion, ...known };
}

function retagged(
  cluster: Cluster,
  method: string,
  asked: Fields,
  removed: readonly string[],
): Answer {
  const before = Object.entries(fieldsOf(cluster.fields['tags']));
  const tags =
    method === 'DELETE'
      ? before.filter(([name]) => !removed.includes(name))
      : [...before, ...Object.entries(fieldsOf(asked['tags']))];
  cluster.fields = { ...cluster.fields, tags: Object.fromEntries(tags) };
  return { body: {} };
}

function failed(status: number, code: string, message: string): Answer {
  return { status, body: { __type: code, code, message } };
}

function fieldsOf(value: unknown): Fields {
  // Members of requests are looked up by name.
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

const IDENTITY =
  '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/it</Arn><UserId>AIDAIT</UserId><Account>123456789012</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></GetCallerIdentityResponse>';
