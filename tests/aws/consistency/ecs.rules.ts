import { minutes, seconds } from '@terrane/provider/sdk';
import type { FaultProxy } from '../fault-proxy.ts';
import { type Actors, errorOf } from '../moto-world.ts';
import { jsonMember, type Rule, type ServiceRules, type Subject, type WaitRule } from './rules.ts';

const anyMessage = true;
const NO_ROLE = {
  status: 400,
  code: 'InvalidParameterException',
  message: 'Unable to assume the service linked role. Please verify that it exists.',
};

const EVENT = 'was unable to place a task';

/** Shows a service in a state: a task is missing (PENDING), there are two deployments, or as ECS names it. */
const serviceState: WaitRule['show'] = (body, state) => {
  const answer: unknown = JSON.parse(body);
  const services: unknown = Reflect.get(Object(answer), 'services');
  for (const service of Array.isArray(services) ? services : []) {
    const deployments: unknown = Reflect.get(Object(service), 'deployments');
    Object.assign(
      Object(service),
      { events: [{ message: EVENT }] },
      state === 'PENDING'
        ? { desiredCount: 2, runningCount: 1 }
        : state === 'DEPLOYING'
          ? { deployments: [...(Array.isArray(deployments) ? deployments : []), { id: 'new' }] }
          : { status: state },
    );
  }
  return JSON.stringify(answer);
};

const ROLLED_BACK = 'tasks failed to start, the circuit breaker rolled back';

/** Answers about deployments of services, which the test server does not know. */
function deploys(proxy: FaultProxy): void {
  let primaryId = '';
  for (const operation of ['CreateService', 'UpdateService']) {
    proxy.add(
      { service: 'ecs', operation },
      {
        kind: 'changed',
        change: (body) => {
          primaryId = /ecs-svc\/\d+/.exec(body)?.[0] ?? primaryId;
          return body;
        },
      },
    );
  }
  const answered = (operation: string, members: () => object): void =>
    void proxy.add(
      { service: 'ecs', operation },
      {
        kind: 'changed',
        status: 200,
        change: () => JSON.stringify({ serviceDeployments: [members()] }),
      },
    );
  const [serviceDeploymentArn, revision] = ['arn:deployment', () => primaryId.split('/')[1] ?? ''];
  answered('ListServiceDeployments', () => ({
    serviceDeploymentArn,
    targetServiceRevisionArn: `arn:revision/${revision()}`,
  }));
  answered('DescribeServiceDeployments', () => ({ serviceDeploymentArn, status: 'SUCCESSFUL' }));
}

/** Shows a deployment in a state, with the reason for it. */
const deploymentState: WaitRule['show'] = (_, status) =>
  JSON.stringify({ serviceDeployments: [{ status, statusReason: ROLLED_BACK }] });

const steady: Partial<Subject> = {
  written: (name) => ({ name, wait_for_steady_state: true }),
  updated: (name) => ({ name, wait_for_steady_state: true, deployment_maximum_percent: 150 }),
  answers: deploys,
};

/** Waits with `wait_for_steady_state`: for the deployment, or for the tasks if the update causes no deployment. */
const STEADY_STATE: readonly Rule[] = [
  ...(['create', 'update'] as const).map((step): Rule => ({
    kind: 'wait',
    step,
    service: 'ecs',
    operation: 'DescribeServiceDeployments',
    label: 'DescribeServiceDeployments, wait_for_steady_state',
    pending: [
      'PENDING',
      'IN_PROGRESS',
      'STOP_REQUESTED',
      'ROLLBACK_REQUESTED',
      'ROLLBACK_IN_PROGRESS',
    ],
    target: ['SUCCESSFUL'],
    show: deploymentState,
    status: 200,
    unexpected: { state: 'ROLLBACK_SUCCESSFUL', reason: ROLLED_BACK },
    limit: minutes(20),
    subject: {
      ...steady,
      updated: (name) => ({ name, wait_for_steady_state: true, force_new_deployment: true }),
    },
  })),
  {
    kind: 'wait',
    step: 'update',
    service: 'ecs',
    operation: 'DescribeServices',
    label: 'DescribeServices, wait_for_steady_state',
    // The first request reads the deployment before the update.
    after: 1,
    pending: ['PENDING', 'DEPLOYING', 'INACTIVE', 'DRAINING'],
    target: ['STABLE'],
    show: serviceState,
    unexpected: { state: 'BROKEN', reason: EVENT },
    limit: minutes(20),
    subject: steady,
    difference: 'the error has no reason; here it has the newest event of the service',
  },
];

async function inCluster({ of }: Actors, name: string): Promise<{ readonly cluster: string }> {
  const made = await (await of('aws_ecs_cluster')).apply({ name });
  if (errorOf(made) !== '') throw new Error(errorOf(made));
  return { cluster: String(made.state?.['arn']) };
}

/** Resource types of ECS. */
export const ECS: ServiceRules = {
  service: 'ECS',
  types: [
    {
      type: 'aws_ecs_cluster',
      sources: [{ file: 'ecs/cluster.go', commit: '00a35305dc1b297a6fcdecdfbba33f1e63c3da39' }],
      subject: { written: (name) => ({ name }) },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'ecs',
          operation: 'CreateCluster',
          errors: [NO_ROLE],
          limit: minutes(2),
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'ecs',
          operation: 'DescribeClusters',
          pending: ['PROVISIONING'],
          target: ['ACTIVE'],
          show: jsonMember('status'),
          unexpected: { state: 'FAILED' },
          delay: seconds(10),
          limit: minutes(10),
        },
        {
          kind: 'retry',
          step: 'delete',
          service: 'ecs',
          operation: 'DeleteCluster',
          errors: [
            'ClusterContainsContainerInstancesException',
            'ClusterContainsServicesException',
            'ClusterContainsTasksException',
            'UpdateInProgressException',
          ].map((code) => ({ status: 400, code, message: 'Something is left', anyMessage })),
          limit: minutes(10),
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'ecs',
          operation: 'DescribeClusters',
          pending: ['ACTIVE', 'DEPROVISIONING'],
          target: [],
          show: jsonMember('status'),
          limit: minutes(10),
        },
      ],
    },
    {
      type: 'aws_ecs_service',
      sources: [{ file: 'ecs/service.go', release: '6' }],
      subject: {
        prepare: inCluster,
        written: (name) => ({ name }),
        updated: (name) => ({ name, desired_count: 1 }),
      },
      note: 'an interrupt with `sigint_rollback` requests the rollback and does not wait for its end, for which the published provider waits up to an hour',
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'ecs',
          operation: 'CreateService',
          errors: [
            { status: 400, code: 'ClusterNotFoundException', message: 'There is none', anyMessage },
            NO_ROLE,
            {
              status: 400,
              code: 'InvalidParameterException',
              message:
                'Please verify that the ECS service role being passed has the proper permissions.',
            },
            {
              status: 400,
              code: 'InvalidParameterException',
              message: 'The target group does not have an associated load balancer.',
            },
          ],
          limit: minutes(4),
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'ecs',
          operation: 'DescribeServices',
          pending: ['INACTIVE', 'DRAINING'],
          target: ['ACTIVE'],
          show: serviceState,
          unexpected: { state: 'BROKEN' },
          limit: minutes(20),
        },
        ...STEADY_STATE,
        {
          kind: 'retry',
          step: 'update',
          service: 'ecs',
          operation: 'UpdateService',
          errors: [NO_ROLE],
          limit: minutes(4),
        },
        {
          kind: 'retry',
          step: 'delete',
          service: 'ecs',
          operation: 'DeleteService',
          errors: [
            {
              status: 400,
              code: 'InvalidParameterException',
              message: 'The service cannot be stopped while deployments are active.',
            },
            {
              status: 400,
              code: 'DependencyViolation',
              message: 'The service has a dependent object',
            },
          ],
          limit: minutes(20),
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'ecs',
          operation: 'DescribeServices',
          after: 1,
          pending: ['ACTIVE', 'DRAINING'],
          target: [],
          show: serviceState,
          interval: seconds(1),
          limit: minutes(20),
        },
      ],
    },
    {
      type: 'aws_ecs_task_definition',
      sources: [
        { file: 'ecs/task_definition.go', commit: '04fc21d56d73cb67a9bbef2aedcffe8fbfd07286' },
      ],
      subject: { written: () => ({}) },
      rules: [],
      note: 'only the rules for all resource types',
    },
  ],
};
