import { minutes } from '@terrane/provider/sdk';
import type { ServiceRules } from './rules.ts';

const anyMessage = true;
const BUSY = {
  status: 400,
  code: 'OperationAbortedException',
  message:
    'A conflicting operation is currently in progress against this resource. Please try again.',
};
const RETENTION = [
  {
    status: 400,
    code: 'AccessDeniedException',
    message: 'not authorized: no identity-based policy allows the logs:PutRetentionPolicy action',
  },
  BUSY,
  { status: 400, code: 'ResourceNotFoundException', message: 'There is none', anyMessage },
];
const ALSO =
  'retries only `AccessDeniedException`; a new group may not be visible yet, or may be busy';

/** Resource types of CloudWatch Logs. */
export const LOGS: ServiceRules = {
  service: 'CloudWatch Logs',
  types: [
    {
      type: 'aws_cloudwatch_log_group',
      sources: [{ file: 'logs/group.go', commit: '0073593e7d6993ba482409f4dc35438daaa79bb3' }],
      subject: {
        written: (name) => ({ name, retention_in_days: 7 }),
        updated: (name) => ({ name, retention_in_days: 14 }),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'logs',
          operation: 'PutRetentionPolicy',
          errors: RETENTION,
          limit: minutes(2),
          difference: ALSO,
        },
        {
          kind: 'retry',
          step: 'update',
          service: 'logs',
          operation: 'PutRetentionPolicy',
          errors: RETENTION,
          limit: minutes(2),
          difference: ALSO,
        },
        {
          kind: 'retry',
          step: 'delete',
          service: 'logs',
          operation: 'DeleteLogGroup',
          errors: [BUSY],
          limit: minutes(1),
        },
      ],
    },
  ],
};

const ROLE = {
  status: 400,
  code: 'ValidationException',
  message: 'Unable to assume IAM role: arn:aws:iam::123456789012:role/scaling',
};
const SERVICE = { status: 400, code: 'ValidationException', message: "ECS service doesn't exist" };

/** Resource types of Application Auto Scaling. */
export const APPAUTOSCALING: ServiceRules = {
  service: 'Application Auto Scaling',
  types: [
    {
      type: 'aws_appautoscaling_target',
      sources: [
        { file: 'appautoscaling/target.go', commit: '0105d2191ae7e43ba37ba011b916843eddf361ed' },
      ],
      subject: {
        written: (name) => ({
          min_capacity: 1,
          max_capacity: 4,
          resource_id: `table/${name}`,
          role_arn: 'arn:aws:iam::123456789012:role/scaling',
          scalable_dimension: 'dynamodb:table:ReadCapacityUnits',
          service_namespace: 'dynamodb',
        }),
        updated: (name) => ({
          min_capacity: 1,
          max_capacity: 5,
          resource_id: `table/${name}`,
          role_arn: 'arn:aws:iam::123456789012:role/scaling',
          scalable_dimension: 'dynamodb:table:ReadCapacityUnits',
          service_namespace: 'dynamodb',
        }),
        answers: (proxy) => {
          // The test server does not know the tags of targets.
          const scope = { service: 'application-autoscaling', operation: 'ListTagsForResource' };
          proxy.add(scope, { kind: 'changed', change: () => '{"Tags":{}}', status: 200 });
        },
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'application-autoscaling',
          operation: 'RegisterScalableTarget',
          errors: [ROLE, SERVICE],
          limit: minutes(2),
        },
        {
          kind: 'retry',
          step: 'update',
          service: 'application-autoscaling',
          operation: 'RegisterScalableTarget',
          errors: [ROLE, SERVICE],
          limit: minutes(2),
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'application-autoscaling',
          operation: 'DescribeScalableTargets',
          pending: ['exists'],
          target: [],
          show: (body) => body,
          limit: minutes(5),
        },
      ],
    },
  ],
};
