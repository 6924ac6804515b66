// The requests that change a table: DynamoDB rejects several changes that are requested together.
import { describe, expect, it } from 'vitest';
import { MOTO } from '../backends/moto.ts';
import type { FaultProxy } from './fault-proxy.ts';
import { type Actors, actors, errorOf } from './moto-world.ts';
import { requireMoto, withProxy } from './patterns/pattern-world.ts';

requireMoto();

const OTHERS = ['eu-west-1', 'eu-west-2'];

const table = {
  billing_mode: 'PAY_PER_REQUEST',
  hash_key: 'id',
  attribute: [{ name: 'id', type: 'S' }],
  stream_enabled: true,
};
const asNew = { ...table, stream_view_type: 'NEW_IMAGE' };
const replicated = { ...table, stream_view_type: 'NEW_AND_OLD_IMAGES' };

/** The parts of a request that the test server does not know. */
interface Change {
  readonly MultiRegionConsistency?: string;
  readonly ReplicaUpdates?: readonly {
    readonly Create?: { readonly RegionName: string; readonly KMSMasterKeyId?: string };
    readonly Delete?: { readonly RegionName: string };
  }[];
  readonly GlobalTableWitnessUpdates?: readonly { readonly Create?: object }[];
  readonly SSESpecification?: { readonly KMSMasterKeyId?: string };
  readonly StreamSpecification?: object;
}

/** A table as the requests so far have changed it. */
function described(requests: readonly Change[]): object {
  const replicas = new Map<string, object>();
  let table: object = {};
  for (const request of requests) {
    const { ReplicaUpdates = [], GlobalTableWitnessUpdates = [] } = request;
    const { MultiRegionConsistency, SSESpecification, StreamSpecification } = request;
    for (const { Create, Delete } of ReplicaUpdates) {
      if (Create) replicas.set(Create.RegionName, { ...Create, ReplicaStatus: 'ACTIVE' });
      if (Delete) replicas.delete(Delete.RegionName);
    }
    const KMSMasterKeyArn = SSESpecification?.KMSMasterKeyId;
    table = {
      ...table,
      ...(StreamSpecification && { StreamSpecification }),
      ...(MultiRegionConsistency !== undefined && { MultiRegionConsistency }),
      ...(SSESpecification && { SSEDescription: { Status: 'ENABLED', KMSMasterKeyArn } }),
      ...(GlobalTableWitnessUpdates.length > 0 && {
        GlobalTableWitnesses: GlobalTableWitnessUpdates.flatMap(({ Create }) => Create ?? []),
      }),
    };
  }
  return { ...table, Replicas: [...replicas.values()] };
}

/** Answers about tables with replicas, the same in every region; the test server has none. */
function replicates(proxy: FaultProxy): void {
  let table: object = {};
  proxy.add(
    { service: 'dynamodb', operation: 'DescribeTable' },
    {
      kind: 'changed',
      status: 200,
      change: (body) => {
        if (body.includes('"Table"'))
          table = (JSON.parse(body) as { readonly Table: object }).Table;
        const requests = proxy.requests
          .filter(({ operation }) => /^(Create|Update)Table$/.test(operation))
          .map((request) => JSON.parse(request.body) as Change);
        return JSON.stringify({ Table: { ...table, ...described(requests) } });
      },
    },
  );
  const others: Readonly<Record<string, object>> = {
    UpdateTable: {},
    DescribeContinuousBackups: {},
    ListTagsOfResource: { Tags: [] },
  };
  for (const [operation, answer] of Object.entries(others)) {
    const about = operation === 'UpdateTable' ? /"ReplicaUpdates"|"StreamEnabled"/ : /./;
    const change = (): string => JSON.stringify(answer);
    proxy.add({ service: 'dynamodb', operation, about }, { kind: 'changed', status: 200, change });
  }
}

/** The bodies of the requests that changed a table. */
function changes(proxy: FaultProxy): readonly unknown[] {
  return proxy.requests
    .filter(({ operation }) => operation === 'UpdateTable')
    .map(({ body }) => {
      const { TableName: _, ...change } = JSON.parse(body) as Readonly<Record<string, unknown>>;
      return change;
    });
}

describe.runIf(MOTO)('requests that change a table', () => {
  let proxy: FaultProxy;
  withProxy((started) => (proxy = started));

  async function updated(name: string, from: object, to: object): Promise<readonly unknown[]> {
    proxy.reset();
    replicates(proxy);
    const { of }: Actors = await actors(proxy);
    const life = await of('aws_dynamodb_table');
    expect(errorOf(await life.apply({ name, ...from }))).toBe('');
    const before = changes(proxy).length;
    expect(errorOf(await life.apply({ name, ...to }))).toBe('');
    return changes(proxy).slice(before);
  }

  it('change its class alone', async () => {
    const to = { ...asNew, table_class: 'STANDARD_INFREQUENT_ACCESS', stream_enabled: false };
    expect(await updated('class', asNew, to)).toEqual([
      { TableClass: 'STANDARD_INFREQUENT_ACCESS' },
      { StreamSpecification: { StreamEnabled: false } },
    ]);
  });

  it('disable a stream to change its view type', async () => {
    const StreamViewType = 'NEW_AND_OLD_IMAGES';
    expect(await updated('stream', asNew, replicated)).toEqual([
      { StreamSpecification: { StreamEnabled: false } },
      { StreamSpecification: { StreamEnabled: true, StreamViewType } },
    ]);
  });

  it('change its warm throughput last and alone', async () => {
    const to = {
      ...asNew,
      deletion_protection_enabled: true,
      warm_throughput: [{ read_units_per_second: 13_000, write_units_per_second: 5000 }],
    };
    expect(await updated('warm', asNew, to)).toEqual([
      { DeletionProtectionEnabled: true },
      { WarmThroughput: { ReadUnitsPerSecond: 13_000, WriteUnitsPerSecond: 5000 } },
    ]);
  });

  it('create and delete strongly consistent replicas together', async () => {
    const replica = OTHERS.map((region) => ({ region_name: region, consistency_mode: 'STRONG' }));
    const updates = (kind: string): object[] =>
      OTHERS.map((RegionName) => ({ [kind]: { RegionName } }));
    expect(await updated('strong', replicated, { ...replicated, replica })).toEqual([
      { ReplicaUpdates: updates('Create'), MultiRegionConsistency: 'STRONG' },
    ]);
    expect(await updated('weak', { ...replicated, replica }, replicated)).toEqual([
      { ReplicaUpdates: updates('Delete') },
    ]);
  });

  it('create and delete the witness with its replica', async () => {
    const to = {
      ...replicated,
      replica: [{ region_name: 'eu-west-1', consistency_mode: 'STRONG' }],
      global_table_witness: [{ region_name: 'eu-west-3' }],
    };
    const [RegionName, Witness] = ['eu-west-1', 'eu-west-3'];
    expect(await updated('witness', replicated, to)).toEqual([
      {
        ReplicaUpdates: [{ Create: { RegionName } }],
        MultiRegionConsistency: 'STRONG',
        GlobalTableWitnessUpdates: [{ Create: { RegionName: Witness } }],
      },
    ]);
  });

  it('change the key of replicas with the key of the table', async () => {
    const key = (region: string, id: string): string =>
      `arn:aws:kms:${region}:123456789012:key/${id.repeat(8)}-1111-1111-1111-111111111111`;
    const replica = [{ region_name: 'eu-west-1', kms_key_arn: key('eu-west-1', 'a') }];
    const encrypted = (id: string): object => ({
      ...replicated,
      replica,
      server_side_encryption: [{ enabled: true, kms_key_arn: key('eu-central-1', id) }],
    });
    const update = (RegionName: string, KMSMasterKeyId: string): object => ({
      Update: { RegionName, KMSMasterKeyId },
    });
    const [changed, ...others] = await updated('keys', encrypted('b'), encrypted('c'));
    expect(changed).toEqual({
      ReplicaUpdates: [
        update('eu-west-1', key('eu-west-1', 'a')),
        update('eu-central-1', key('eu-central-1', 'c')),
      ],
    });
    expect(others).toEqual([]);
  });
});
