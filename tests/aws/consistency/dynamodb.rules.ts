import { minutes, seconds } from '@terrane/provider/sdk';
import { jsonMember, type ServiceRules } from './rules.ts';

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
      note: 'waits for the states of indexes, replicas, imports and encryption, for 20 to 30 minutes or until the operation times out. In the published provider a `timeouts` block does not limit these waits',
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
