import { MATERIAL } from './material.ts';
import type { Scenario } from './scenario.ts';

const plain = { planLog: MATERIAL.planLog, applyLog: MATERIAL.applyLog };
const structured = {
  planLog: MATERIAL.planJsonLog,
  applyLog: MATERIAL.applyJsonLog,
  redacted: MATERIAL.redacted,
  json: MATERIAL.json,
};
const failed = { planLog: MATERIAL.failedPlanJsonLog, planned: 'errored', hasChanges: false };
const nothing = {
  planLog: MATERIAL.noChangesLog,
  hasChanges: false,
  planned: 'planned_and_finished',
};
const PLAN = ['plan', '-no-color'];
const APPLY = ['apply', '-no-color'];
const AUTO = [...APPLY, '-auto-approve'];

const estimate = {
  status: 'finished',
  'delta-monthly-cost': '-12.5',
  'proposed-monthly-cost': '100.0',
  'matched-resources-count': 1,
  'resources-count': 2,
};
const check = (status: string, more: Readonly<Record<string, unknown>> = {}) => ({
  status,
  scope: 'organization',
  actions: { 'is-overridable': true },
  permissions: { 'can-override': true },
  log: 'Sentinel Result: [bold]whatever[reset]\n\nline 2\n',
  ...more,
});
const task = (name: string, status: string, level: string) => ({
  'task-name': name,
  status,
  message: `${name} says`,
  url: `https://example.com/${name}`,
  'workspace-task-enforcement-level': level,
});
const policy = (status: string, more: Readonly<Record<string, unknown>> = {}) => ({
  policy_name: `policy "${status}"`,
  status,
  enforcement_level: 'mandatory',
  ...more,
});
const policySet = (name: string, ...outcomes: readonly unknown[]) => ({
  'policy-set-name': name,
  outcomes,
});
const evaluation = (status: string, failedCount: number, kind = 'opa') => ({
  status,
  'policy-kind': kind,
  'result-count': {
    'advisory-failed': 1,
    'mandatory-failed': failedCount,
    passed: 2,
    errored: 0,
  },
});
const outcomes = [
  {
    id: 'psout-1',
    type: 'policy-set-outcomes',
    attributes: {
      'policy-set-name': 'guards',
      outcomes: [
        {
          policy_name: 'no open doors',
          status: 'passed',
          enforcement_level: 'mandatory',
          description: 'Doors are shut.',
        },
        { policy_name: 'tags', status: 'failed', enforcement_level: 'advisory' },
        { policy_name: 'size', status: 'failed', enforcement_level: 'mandatory' },
      ],
    },
  },
] as unknown as readonly never[];

/** The scenarios. */
export const SCENARIOS: readonly Scenario[] = [
  ...(['cloud', 'remote'] as const).flatMap((backend): Scenario[] => [
    {
      name: `${backend}-plan-and-apply`,
      backend,
      script: plain,
      files: {
        '.terraformignore': '*.secret\n!kept.secret\n/only-here/\n# nothing\n',
        'a.secret': 'x',
        'kept.secret': 'x',
        'only-here/file': 'x',
        'below/only-here/file': 'x',
        '.git/config': 'x',
        'modules/m/main.tf': '',
      },
      steps: [
        { args: PLAN },
        { args: [...PLAN, '-detailed-exitcode'] },
        { args: APPLY, input: 'yes\n' },
        { args: APPLY, input: 'no\n' },
        { args: AUTO },
        { args: ['destroy', '-no-color', '-auto-approve'] },
        { args: ['destroy', '-no-color'], input: 'no\n' },
      ],
    },
    {
      name: `${backend}-options`,
      backend,
      script: plain,
      steps: [
        {
          args: [
            ...PLAN,
            '-destroy',
            '-refresh=false',
            '-target=terraform_data.x',
            '-replace=terraform_data.x',
          ],
        },
        { args: [...PLAN, '-refresh-only'] },
        { args: [...PLAN, '-parallelism=3'] },
        { args: [...PLAN, '-out=saved.tfplan'] },
        { args: ['refresh', '-no-color'] },
        { args: [...AUTO, '-lock-timeout=1m'] },
      ],
    },
    {
      name: `${backend}-ends`,
      backend,
      script: nothing,
      steps: [
        { args: [...PLAN, '-detailed-exitcode'] },
        { args: AUTO },
        { args: PLAN, script: failed },
        { args: AUTO, script: failed },
        { args: AUTO, script: { ...plain, applied: 'errored' } },
        { args: PLAN, script: { ...plain, planned: 'canceled' } },
      ],
    },
    {
      name: `${backend}-rights`,
      backend,
      script: plain,
      workspace: { forbidden: ['can-queue-run', 'can-queue-apply', 'can-update'] },
      steps: [
        { args: PLAN },
        { args: AUTO },
        { args: AUTO, workspace: { forbidden: [], hasRepository: true } },
        { args: [...PLAN, '-out=saved.tfplan'] },
        {
          args: APPLY,
          workspace: { hasRepository: false },
          script: { ...plain, mayNotApply: true },
          input: 'yes\n',
        },
      ],
    },
    {
      name: `${backend}-queue`,
      backend,
      script: {
        ...plain,
        pending: 1,
        others: [
          { id: 'run-a', status: 'planning' },
          { id: 'run-b', status: 'applied' },
          { id: 'run-c', status: 'planned' },
        ],
      },
      steps: [
        { args: PLAN },
        { args: PLAN, script: { ...plain, pending: 1, queued: 5, running: 2 } },
        { args: PLAN, script: { ...plain, pending: 1 } },
        {
          args: PLAN,
          script: { ...plain, pending: 1, others: [{ id: 'run-p', status: 'pending' }] },
          workspace: { currentRun: 'run-p', lock: { user: 'bob', reason: '' } },
        },
      ],
    },
    {
      name: `${backend}-costs-and-policies`,
      backend,
      script: { ...plain, costs: estimate },
      steps: [
        { args: PLAN },
        { args: AUTO },
        {
          args: AUTO,
          script: {
            ...plain,
            costs: estimate,
            policies: [check('passed'), check('passed', { scope: 'workspace' })],
          },
        },
        {
          args: PLAN,
          script: { ...plain, costs: { ...estimate, status: 'skipped_due_to_targeting' } },
        },
        { args: PLAN, script: { ...plain, costs: { ...estimate, status: 'errored' } } },
        { args: PLAN, script: { ...plain, policies: [check('hard_failed')], planned: 'errored' } },
        {
          args: PLAN,
          script: { ...plain, policies: [check('soft_failed')], planned: 'policy_override' },
        },
        {
          args: APPLY,
          script: { ...plain, policies: [check('soft_failed')], planned: 'policy_override' },
          input: 'override\nyes\n',
        },
        {
          args: APPLY,
          script: { ...plain, policies: [check('soft_failed')], planned: 'policy_override' },
          input: 'no\n',
        },
        {
          args: AUTO,
          script: {
            ...plain,
            policies: [check('soft_failed', { permissions: {} })],
            planned: 'policy_override',
          },
        },
      ],
    },
    {
      name: `${backend}-auto-apply-workspace`,
      backend,
      script: plain,
      workspace: { autoApply: true },
      steps: [{ args: APPLY, input: 'yes\n' }],
    },
    {
      name: `${backend}-interrupted`,
      backend,
      failsInterrupted: true,
      script: { ...plain, pending: 100 },
      steps: [
        {
          args: APPLY,
          input: 'yes\n',
          interruptAt: { request: /GET .*runs\/run-1$/, times: 1 },
        },
        {
          args: APPLY,
          input: 'no\n',
          interruptAt: { request: /GET .*runs\/run-2$/, times: 1 },
        },
        {
          args: AUTO,
          interruptAt: { request: /GET .*runs\/run-3$/, times: 1 },
        },
        {
          args: APPLY,
          script: { ...plain, pending: 100, uncancelable: true },
          interruptAt: { request: /GET .*runs\/run-4$/, times: 1 },
        },
      ],
    },
    {
      name: `${backend}-approved-elsewhere`,
      backend,
      script: { ...plain, answeredElsewhere: 'confirmed' },
      steps: [
        { args: APPLY, input: 'held' },
        { args: APPLY, input: 'held', script: { ...plain, answeredElsewhere: 'discarded' } },
      ],
    },
  ]),
  {
    name: 'cloud-structured',
    backend: 'cloud',
    workspace: { isStructured: true },
    script: structured,
    steps: [
      { args: PLAN },
      { args: APPLY, input: 'yes\n' },
      { args: PLAN, script: failed },
      { args: [...PLAN, '-out=kept.tfplan'] },
      { args: ['show', '-no-color', 'kept.tfplan'] },
      { args: ['show', '-no-color', '-json', 'kept.tfplan'] },
      { args: [...APPLY, 'kept.tfplan'] },
      { args: [...APPLY, 'kept.tfplan'] },
      { args: ['show', '-no-color', 'kept.tfplan'] },
    ],
  },
  {
    name: 'cloud-variables',
    backend: 'cloud',
    script: plain,
    files: {
      'chosen.tfvars': 'list = ["a", "b"]\n',
      'found.auto.tfvars': 'name = "auto"\n',
    },
    steps: [
      { args: [...PLAN, '-var=name=x "y" ${z}', '-var-file=chosen.tfvars'] },
      { args: PLAN, env: { TF_VAR_list: '[1, 2]', TF_VAR_other: 'x' } },
      { args: [...AUTO, '-var=list=[true]'] },
    ],
  },
  {
    name: 'cloud-undeclared-variable',
    backend: 'cloud',
    script: plain,
    failsEarlier: true,
    steps: [{ args: [...PLAN, '-var=other=x'] }],
  },
  {
    name: 'remote-variables',
    backend: 'remote',
    script: plain,
    files: { 'found.auto.tfvars': 'name = "auto"\n' },
    steps: [{ args: PLAN }, { args: [...PLAN, '-var=name=x'] }],
  },
  {
    name: 'cloud-below',
    backend: 'cloud',
    script: plain,
    workspace: { workingDirectory: 'envs/prod' },
    files: { '../common/main.tf': '', '../../other.txt': 'x' },
    steps: [{ args: PLAN }],
  },
  {
    name: 'cloud-without-configuration',
    backend: 'cloud',
    configuration: '',
    script: { ...plain, hasChanges: false },
    steps: [{ args: PLAN }],
  },
  {
    name: 'cloud-no-input',
    backend: 'cloud',
    script: plain,
    steps: [
      { args: [...APPLY, '-input=false'] },
      {
        args: [...APPLY, '-input=false'],
        script: { ...plain, policies: [check('soft_failed')], planned: 'policy_override' },
      },
      {
        args: PLAN,
        script: {
          ...plain,
          events: [
            { action: 'changed_policy_enforcements', description: 'Enforcement has changed.' },
            { action: 'queued', description: 'not shown' },
          ],
        },
      },
    ],
  },
  {
    name: 'cloud-task-stages',
    backend: 'cloud',
    script: {
      ...plain,
      stages: {
        pre_plan: [
          { status: 'running', results: [task('scan', 'running', 'advisory')] },
          {
            status: 'passed',
            results: [task('scan', 'passed', 'advisory'), task('lint', 'failed', 'advisory')],
          },
        ],
        pre_apply: [{ status: 'passed', results: [task('last', 'passed', 'mandatory')] }],
      },
    },
    steps: [
      { args: AUTO },
      {
        args: PLAN,
        script: {
          ...plain,
          planned: 'errored',
          stages: {
            post_plan: [{ status: 'failed', results: [task('scan', 'failed', 'mandatory')] }],
          },
        },
      },
      {
        args: PLAN,
        script: {
          ...plain,
          stages: {
            post_plan: [
              {
                status: 'passed',
                evaluations: [evaluation('passed', 0), evaluation('passed', 0, 'sentinel')],
              },
            ],
            outcomes,
          },
        },
      },
      {
        args: APPLY,
        input: 'override\nyes\n',
        script: {
          ...plain,
          stages: {
            post_plan: [{ status: 'awaiting_override', evaluations: [evaluation('failed', 1)] }],
            outcomes,
          },
        },
      },
    ],
  },
  {
    // Recorded with Terraform 1.16, the first that shows them.
    name: 'cloud-terraform-policies',
    backend: 'cloud',
    isOfLaterVersion: true,
    script: {
      ...plain,
      terraformPolicies: [
        { status: 'passed', 'stage-type': 'Init', sets: [policySet('before', policy('passed'))] },
        {
          status: 'passed',
          'stage-type': 'Plan',
          sets: [
            policySet(
              'guards',
              policy('passed'),
              policy('failed', { enforcement_level: 'advisory', file_name: 'a.policy.hcl' }),
            ),
            policySet('others', policy('unknown'), policy('Passed')),
          ],
        },
        { status: 'passed', 'stage-type': 'Apply', sets: [policySet('after', policy('passed'))] },
      ],
    },
    steps: [
      { args: PLAN },
      { args: AUTO },
      {
        args: PLAN,
        script: {
          ...plain,
          planned: 'errored',
          terraformPolicies: [
            { status: 'awaiting_override', 'stage-type': 'Init', sets: [] },
            {
              status: 'failed',
              'stage-type': 'Plan',
              sets: [
                policySet('guards', policy('failed'), policy('errored'), policy('odd')),
                policySet('none'),
              ],
            },
            { status: 'unreachable', 'stage-type': 'Apply', sets: [] },
          ],
        },
      },
      {
        args: PLAN,
        script: {
          ...plain,
          terraformPolicies: [{ status: 'unreachable', 'stage-type': 'Plan', sets: [] }],
        },
      },
    ],
  },
  {
    // Recorded with Terraform 1.17-dev: Terraform 1.11 waits for these evaluations without end.
    name: 'cloud-pending-policies',
    backend: 'cloud',
    isOfLaterVersion: true,
    script: {
      ...plain,
      stages: {
        post_plan: [
          {
            status: 'passed',
            evaluations: [evaluation('passed', 0), evaluation('pending', 0, 'sentinel')],
          },
        ],
        outcomes,
      },
    },
    steps: [
      { args: PLAN },
      {
        args: PLAN,
        script: {
          ...plain,
          planned: 'errored',
          stages: {
            post_plan: [{ status: 'failed', evaluations: [evaluation('queued', 0)] }],
            outcomes,
          },
        },
      },
    ],
  },
  {
    name: 'remote-task-stages',
    backend: 'remote',
    script: {
      ...plain,
      stages: {
        post_plan: [{ status: 'failed', results: [task('scan', 'failed', 'mandatory')] }],
      },
    },
    steps: [{ args: PLAN }],
  },
];
