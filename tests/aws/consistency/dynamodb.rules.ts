import { minutes, seconds } from '@terrane/provider/sdk';
import type { FaultProxy } from '../fault-proxy.ts';
import { jsonMember, type Rule, type ServiceRules, type Subject, type WaitRule } from './rules.ts';

const SIMULTANEOUS = {
  status: 400,
  code: 'LimitExceededException',
  message:
    'Subscriber limit exceeded: Only 50 tables can be created, updated, or deleted simultaneously',
};
const IN_USE = {
  status: 400,
  code: 'ResourceInUseException',
  message: 'Attempt to change a resource which is still in use',
  anyMessage: true,
};

const table = (name: string) => ({
  name,
  billing_mode: 'PAY_PER_REQUEST',
  hash_key: 'id',
  attribute: [{ name: 'id', type: 'S' }],
});

const OTHER_REGION = 'eu-west-1';
const withReplica = (name: string) => ({
  ...table(name),
  stream_enabled: true,
  stream_view_type: 'NEW_AND_OLD_IMAGES',
  replica: [{ region_name: OTHER_REGION }],
});

/** Shows the replica of a table in a state. */
const replicaState: WaitRule['show'] = (body, ReplicaStatus) => {
  const answer: unknown = JSON.parse(body);
  const described: unknown = Reflect.get(Object(answer), 'Table');
  if (described === undefined) return body;
  Object.assign(Object(described), { Replicas: [{ RegionName: OTHER_REGION, ReplicaStatus }] });
  return JSON.stringify(answer);
};

/** Answers about replicas, which the test server does not know, in all regions. */
function replicates(proxy: FaultProxy): void {
  let described = '';
  const isReplicated = (): boolean =>
    proxy.requests
      .findLast(({ body }) => body.includes('"ReplicaUpdates"'))
      ?.body.includes('"Create"') === true;
  const changed = (operation: string, about: string, change: (body: string) => string): void =>
    void proxy.add(
      { service: 'dynamodb', operation, about },
      { kind: 'changed', status: 200, change },
    );
  changed('DescribeTable', 'TableName', (body) => {
    // In the other region there is no table; after the deletion there is none at home.
    if (body.includes('"Table"')) described = body;
    return isReplicated() ? replicaState(described, 'ACTIVE') : body;
  });
  changed('DescribeContinuousBackups', 'TableName', () =>
    JSON.stringify({
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' },
      },
    }),
  );
  changed('UpdateTable', '"ReplicaUpdates"', () => '{}');
}

/** Shows every index of a table in a state. */
const indexState: WaitRule['show'] = (body, IndexStatus) => {
  const answer: unknown = JSON.parse(body);
  const table: unknown = Reflect.get(Object(answer), 'Table');
  const indexes: unknown = Reflect.get(Object(table), 'GlobalSecondaryIndexes');
  for (const index of Array.isArray(indexes) ? indexes : [])
    Object.assign(Object(index), { IndexStatus });
  return JSON.stringify(answer);
};

/** Shows an element of a table in a state, which the test server does not have. */
function tableMember(name: string): WaitRule['show'] {
  return (body, Status) => {
    const answer: unknown = JSON.parse(body);
    const table: unknown = Reflect.get(Object(answer), 'Table');
    if (table !== undefined) Object.assign(Object(table), { [name]: { Status } });
    return JSON.stringify(answer);
  };
}

const withIndex = (name: string) => ({
  ...table(name),
  global_secondary_index: [{ name: 'all', hash_key: 'id', projection_type: 'ALL' }],
});
const withWarmIndex = (name: string) => ({
  ...table(name),
  global_secondary_index: [
    {
      name: 'all',
      hash_key: 'id',
      projection_type: 'ALL',
      warm_throughput: [{ read_units_per_second: 12_000, write_units_per_second: 4000 }],
    },
  ],
});
const withWarmth = (name: string) => ({
  ...table(name),
  warm_throughput: [{ read_units_per_second: 13_000, write_units_per_second: 5000 }],
});
const withExpiry = (name: string) => ({
  ...table(name),
  ttl: [{ attribute_name: 'until', enabled: true }],
});
const withRecovery = (name: string) => ({
  ...table(name),
  point_in_time_recovery: [{ enabled: true }],
});

const READ = [
  'DescribeTable',
  'DescribeContinuousBackups',
  'DescribeTimeToLive',
  'ListTagsOfResource',
];

/** Answers about imports, which the test server would make from a bucket. */
function imports(proxy: FaultProxy, name: string): void {
  const answered = (operation: string, ImportStatus: string): void =>
    void proxy.add(
      { service: 'dynamodb', operation },
      {
        kind: 'changed',
        status: 200,
        change: () =>
          JSON.stringify({ ImportTableDescription: { ImportArn: `arn:${name}`, ImportStatus } }),
      },
    );
  answered('ImportTable', 'IN_PROGRESS');
  answered('DescribeImport', 'COMPLETED');
  for (const operation of READ) {
    proxy.add(
      { service: 'dynamodb', operation, about: name },
      {
        kind: 'changed',
        status: 200,
        change: () => JSON.stringify(operation === 'DescribeTable' ? imported(name) : {}),
      },
    );
  }
}

function imported(TableName: string): object {
  const TableArn = `arn:aws:dynamodb:eu-central-1:123456789012:table/${TableName}`;
  return { Table: { TableName, TableArn, TableStatus: 'ACTIVE' } };
}

const IMPORT_FAILURE = 'The bucket has no objects with this prefix.';

/** Waits for parts and settings of a table. Most begin when the table is active, which is polled after 5 seconds. */
const PARTS: readonly Rule[] = [
  {
    kind: 'wait',
    step: 'create',
    service: 'dynamodb',
    operation: 'DescribeImport',
    pending: ['IN_PROGRESS'],
    target: ['COMPLETED'],
    show: (_, ImportStatus) =>
      JSON.stringify({
        ImportTableDescription: { ImportStatus, FailureMessage: IMPORT_FAILURE },
      }),
    status: 200,
    unexpected: { state: 'FAILED', reason: IMPORT_FAILURE },
    limit: minutes(30),
    subject: {
      written: (name) => ({
        ...table(name),
        import_table: [{ input_format: 'DYNAMODB_JSON', s3_bucket_source: [{ bucket: 'it' }] }],
      }),
      answers: imports,
    },
  },
  {
    kind: 'wait',
    step: 'create',
    service: 'dynamodb',
    operation: 'DescribeTable',
    label: 'DescribeTable, warm throughput',
    // The first two find the table active.
    after: 2,
    pending: ['CREATING', 'UPDATING'],
    target: ['ACTIVE'],
    show: tableMember('WarmThroughput'),
    unexpected: { state: 'BROKEN' },
    delay: seconds(5),
    limit: minutes(30),
    subject: { written: withWarmth },
  },
  {
    kind: 'wait',
    step: 'create',
    service: 'dynamodb',
    operation: 'DescribeTable',
    label: 'DescribeTable, global_secondary_index',
    pending: ['CREATING', 'UPDATING'],
    target: ['ACTIVE'],
    show: indexState,
    unexpected: { state: 'BROKEN' },
    delay: seconds(5),
    limit: minutes(30),
    subject: { written: withIndex },
  },
  {
    kind: 'wait',
    step: 'update',
    service: 'dynamodb',
    operation: 'DescribeTable',
    label: 'DescribeTable, table_class',
    pending: ['UPDATING'],
    target: ['ACTIVE'],
    show: jsonMember('TableStatus'),
    unexpected: { state: 'ARCHIVED' },
    matches: 2,
    delay: seconds(5),
    limit: minutes(60),
    subject: { updated: (name) => ({ ...table(name), table_class: 'STANDARD_INFREQUENT_ACCESS' }) },
  },
  {
    kind: 'wait',
    step: 'update',
    service: 'dynamodb',
    operation: 'DescribeTable',
    label: 'DescribeTable, warm throughput',
    after: 2,
    pending: ['UPDATING'],
    target: ['ACTIVE'],
    show: tableMember('WarmThroughput'),
    unexpected: { state: 'BROKEN' },
    delay: seconds(5),
    limit: minutes(60),
    subject: { updated: withWarmth },
  },
  {
    kind: 'wait',
    step: 'update',
    service: 'dynamodb',
    operation: 'DescribeTable',
    label: 'DescribeTable, a global index is created',
    pending: ['CREATING', 'UPDATING'],
    target: ['ACTIVE'],
    show: indexState,
    unexpected: { state: 'BROKEN' },
    limit: minutes(60),
    subject: { updated: withIndex },
  },
  {
    kind: 'wait',
    step: 'update',
    service: 'dynamodb',
    operation: 'DescribeTable',
    label: 'DescribeTable, a global index is warmed',
    pending: ['UPDATING'],
    target: ['ACTIVE'],
    show: indexState,
    unexpected: { state: 'BROKEN' },
    limit: minutes(60),
    subject: { written: withIndex, updated: withWarmIndex },
  },
  {
    kind: 'wait',
    step: 'update',
    service: 'dynamodb',
    operation: 'DescribeTable',
    label: 'DescribeTable, a global index is deleted',
    pending: ['ACTIVE', 'DELETING', 'UPDATING'],
    target: [],
    show: indexState,
    limit: minutes(60),
    subject: { written: withIndex, updated: table },
  },
  {
    kind: 'wait',
    step: 'update',
    service: 'dynamodb',
    operation: 'DescribeTable',
    label: 'DescribeTable, server_side_encryption',
    pending: ['DISABLING', 'ENABLING', 'UPDATING'],
    target: ['ENABLED'],
    show: tableMember('SSEDescription'),
    unexpected: { state: 'BROKEN' },
    matches: 2,
    delay: seconds(30),
    limit: minutes(60),
    subject: {
      updated: (name) => ({ ...table(name), server_side_encryption: [{ enabled: true }] }),
    },
  },
  {
    kind: 'wait',
    step: 'update',
    service: 'dynamodb',
    operation: 'DescribeTimeToLive',
    label: 'DescribeTimeToLive, expiry is disabled',
    pending: ['ENABLED', 'DISABLING'],
    target: ['DISABLED'],
    show: jsonMember('TimeToLiveStatus'),
    limit: minutes(60),
    subject: {
      written: withExpiry,
      updated: (name) => ({ ...table(name), ttl: [{ attribute_name: 'until', enabled: false }] }),
    },
  },
  {
    kind: 'wait',
    step: 'update',
    service: 'dynamodb',
    operation: 'DescribeContinuousBackups',
    label: 'DescribeContinuousBackups, recovery is disabled',
    pending: ['ENABLED'],
    target: ['DISABLED'],
    show: jsonMember('PointInTimeRecoveryStatus'),
    interval: seconds(15),
    limit: minutes(60),
    subject: {
      written: withRecovery,
      updated: (name) => ({ ...table(name), point_in_time_recovery: [{ enabled: false }] }),
    },
  },
];

const REPLICA_MISSING = {
  status: 400,
  code: 'ValidationException',
  message:
    'Replica specified in the Replica Update or Replica Delete action of the request was not found.',
};
const added: Partial<Subject> = { updated: withReplica, answers: replicates };
const removed: Partial<Subject> = { written: withReplica, updated: table, answers: replicates };

/** Replicas are created, and deleted, by updates of the table. */
const REPLICAS: readonly Rule[] = [
  {
    kind: 'retry',
    step: 'update',
    service: 'dynamodb',
    operation: 'UpdateTable',
    label: 'UpdateTable, a replica is created',
    about: '"Create"',
    errors: [SIMULTANEOUS, IN_USE, REPLICA_MISSING],
    limit: minutes(30),
    subject: added,
  },
  {
    kind: 'wait',
    step: 'update',
    service: 'dynamodb',
    operation: 'DescribeTable',
    label: 'DescribeTable, a replica is created',
    pending: ['CREATING', 'UPDATING', 'DELETING'],
    target: ['ACTIVE'],
    show: replicaState,
    limit: minutes(60),
    subject: added,
  },
  {
    kind: 'retry',
    step: 'update',
    service: 'dynamodb',
    operation: 'UpdateTable',
    label: 'UpdateTable, a replica is deleted',
    about: '"Delete"',
    errors: [SIMULTANEOUS, IN_USE],
    limit: minutes(30),
    subject: removed,
  },
  {
    kind: 'ignore',
    step: 'update',
    service: 'dynamodb',
    operation: 'UpdateTable',
    label: 'UpdateTable, a replica is deleted',
    about: '"Delete"',
    errors: [REPLICA_MISSING],
    limit: 0,
    subject: removed,
  },
  {
    kind: 'wait',
    step: 'update',
    service: 'dynamodb',
    operation: 'DescribeTable',
    label: 'DescribeTable, a replica is deleted',
    pending: ['CREATING', 'UPDATING', 'DELETING', 'ACTIVE'],
    target: [],
    show: replicaState,
    limit: minutes(60),
    subject: removed,
  },
];

/** Resource types of DynamoDB. */
export const DYNAMODB: ServiceRules = {
  service: 'DynamoDB',
  types: [
    {
      type: 'aws_dynamodb_table',
      sources: [
        { file: 'dynamodb/table.go', release: '6' },
        { file: 'dynamodb/wait.go', release: '5' },
      ],
      subject: { written: table },
      note: 'in the published provider, a `timeouts` block cannot shorten the waits: each lasts at least 20 or 30 minutes',
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'dynamodb',
          operation: 'CreateTable',
          errors: [SIMULTANEOUS],
          limit: minutes(30),
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'dynamodb',
          operation: 'DescribeTable',
          pending: ['CREATING', 'UPDATING'],
          target: ['ACTIVE'],
          show: jsonMember('TableStatus'),
          unexpected: { state: 'ARCHIVED' },
          matches: 2,
          delay: seconds(5),
          limit: minutes(30),
        },
        {
          kind: 'wait',
          step: 'update',
          service: 'dynamodb',
          operation: 'DescribeTimeToLive',
          subject: {
            updated: withExpiry,
          },
          pending: ['DISABLED', 'ENABLING'],
          target: ['ENABLED'],
          show: jsonMember('TimeToLiveStatus'),
          limit: minutes(60),
        },
        {
          kind: 'retry',
          step: 'update',
          service: 'dynamodb',
          operation: 'UpdateContinuousBackups',
          subject: {
            updated: withRecovery,
          },
          errors: [
            {
              status: 400,
              code: 'ContinuousBackupsUnavailableException',
              message: 'Backups are being enabled for the table: it. Please retry later',
            },
          ],
          limit: minutes(20),
        },
        {
          kind: 'wait',
          step: 'update',
          service: 'dynamodb',
          operation: 'DescribeContinuousBackups',
          subject: {
            updated: withRecovery,
          },
          pending: ['ENABLING', 'DISABLED'],
          target: ['ENABLED'],
          show: jsonMember('PointInTimeRecoveryStatus'),
          interval: seconds(15),
          limit: minutes(60),
        },
        ...PARTS,
        ...REPLICAS,
        {
          kind: 'retry',
          step: 'delete',
          service: 'dynamodb',
          operation: 'DeleteTable',
          errors: [SIMULTANEOUS, IN_USE],
          limit: minutes(10),
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'dynamodb',
          operation: 'DescribeTable',
          pending: ['DELETING'],
          target: [],
          show: jsonMember('TableStatus'),
          limit: minutes(10),
        },
      ],
    },
  ],
};
