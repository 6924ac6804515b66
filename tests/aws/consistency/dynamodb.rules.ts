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
  const found: unknown = Reflect.get(Object(answer), 'Table');
  if (found === undefined) return body;
  Object.assign(Object(found), { Replicas: [{ RegionName: OTHER_REGION, ReplicaStatus }] });
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
      note: 'waits for the states of indexes, imports and encryption, for 20 to 30 minutes or until the operation times out. In the published provider a `timeouts` block does not limit these waits',
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
            updated: (name) => ({
              ...table(name),
              ttl: [{ attribute_name: 'until', enabled: true }],
            }),
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
            updated: (name) => ({ ...table(name), point_in_time_recovery: [{ enabled: true }] }),
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
            updated: (name) => ({ ...table(name), point_in_time_recovery: [{ enabled: true }] }),
          },
          pending: ['ENABLING', 'DISABLED'],
          target: ['ENABLED'],
          show: jsonMember('PointInTimeRecoveryStatus'),
          interval: seconds(15),
          limit: minutes(60),
        },
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
