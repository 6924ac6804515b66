import type { Place } from '../access/place.ts';
import { notFound, type ApiResource, toOne } from '../http/json-api.ts';
import { listOfRows } from '../http/listing.ts';
import { type ApiRequest, fields, ok } from '../http/request.ts';
import { inWorkspace, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { countsOf, type PolicyCheck, policyCheckOf, resultsOf } from '../services/policies.ts';
import { overridePolicies } from '../services/run-flow.ts';
import { readRun } from '../services/runs.ts';
import { visible } from '../web/html.ts';
import { workspaceOf } from './workspace-resource.ts';

/** Presents the policy check of a run. */
function checkResource(
  check: PolicyCheck,
  { workspacePermissions: may }: Place,
): ApiResource<'policy-checks'> {
  const counts = countsOf(check.result);
  const { advisory, soft, hard, passed } = counts;
  const isOverridable = check.status === 'soft_failed';
  return {
    id: check.id,
    type: 'policy-checks',
    attributes: {
      scope: 'organization',
      status: check.status,
      'status-timestamps': { ...check.timestamps },
      result: {
        result: soft + hard === 0,
        passed,
        'total-failed': advisory + soft + hard,
        'advisory-failed': advisory,
        'soft-failed': soft,
        'hard-failed': hard,
        undecided: counts.undecided,
        duration: 0,
        'duration-ms': 0,
        sentinel: null,
        tfpolicy: check.result,
      },
      'policy-sets': check.sets,
      'override-reason': check.override_reason,
      actions: { 'is-overridable': isOverridable },
      permissions: { 'can-override': may.has('workspace:policy-overrides') },
    },
    relationships: {
      run: toOne('runs', check.run_id),
      'overridden-by': toOne('users', check.overridden_by),
    },
    links: {
      self: `/api/v2/policy-checks/${check.id}`,
      output: `/api/v2/policy-checks/${check.id}/output`,
    },
  };
}

async function checkOf({ services, param }: ApiRequest): Promise<PolicyCheck> {
  const check = await services.db
    .selectFrom('policy_checks')
    .selectAll()
    .where('id', '=', param('check'))
    .executeTakeFirst();
  if (check === undefined) throw notFound();
  return check;
}

/** The result of a policy as people read it, for the log that clients display. */
export interface PolicyLine {
  readonly outcome: string;
  readonly policy: string;
  readonly level: string;
  readonly target: string;
  readonly messages: readonly string[];
}

const OUTCOMES: Readonly<Record<string, string>> = {
  pass: 'passed',
  fail: 'failed',
  error: 'failed',
  unknown: 'undecided',
};

/** Returns the results of a check, failed ones first. */
export function policyLines({
  result: report,
}: Pick<PolicyCheck, 'result'>): readonly PolicyLine[] {
  const lines = resultsOf(report).map((each): PolicyLine => {
    const list = (name: string): readonly Readonly<Record<string, unknown>>[] => {
      const value = each[name];
      return Array.isArray(value) ? value.map(fields) : [];
    };
    const messages = [
      ...list('enforcements').flatMap(({ message, result, line }) =>
        result !== 'fail'
          ? []
          : [
              typeof message === 'string'
                ? message
                : `The condition at line ${String(line)} is false.`,
            ],
      ),
      ...list('errors').map(({ summary, detail }) => `${String(summary)}: ${String(detail)}`),
    ];
    return {
      outcome: OUTCOMES[String(each['result'])] ?? String(each['result']),
      policy: String(each['policy'] ?? ''),
      level: String(each['enforcement_level'] ?? ''),
      target: String(each['target_address'] ?? ''),
      messages,
    };
  });
  const order = ({ outcome }: PolicyLine): number =>
    outcome === 'failed' ? 0 : outcome === 'undecided' ? 1 : 2;
  return lines.toSorted((a, b) => order(a) - order(b));
}

async function output(request: ApiRequest) {
  const check = await checkOf(request);
  const lines = policyLines(check).flatMap(({ outcome, policy, level, target, messages }) => [
    `${outcome}: ${policy} for ${target} (${level})`,
    ...messages.map((message) => `    ${message}`),
  ]);
  const { passed, advisory, soft, hard, undecided } = countsOf(check.result);
  const failed = advisory + soft + hard;
  const summary = `Policies: ${passed} passed, ${failed} failed, ${undecided} decided during the apply.`;
  const body = [...lines, '', summary, ''].map((line) => visible(line)).join('\n');
  return { body, contentType: 'text/plain; charset=utf-8' };
}

/** Overrides the failed policies, which the audit log records with the reason. */
export async function override(request: ApiRequest, check: PolicyCheck): Promise<PolicyCheck> {
  const { services, principal, input } = request;
  const run = await readRun(services.db, check.run_id);
  const comment = input.json['comment'];
  const name = principal.kind === 'user' ? principal.user.username : principal.kind;
  const trimmedComment = typeof comment === 'string' ? comment.trim().slice(0, 2_000) : '';
  const reason =
    trimmedComment === '' ? `Overridden by ${name}` : `Overridden by ${name}: ${trimmedComment}`;
  const userId = principal.kind === 'user' ? principal.user.id : null;
  const policies = await overridePolicies(services, run, userId, reason);
  await audit(services, principal, {
    organizationId: workspaceOf(request).organization_id,
    action: 'override',
    type: 'policy-check',
    id: check.id,
    details: { run: run.id, reason, policies: policies.slice(0, 100) },
  });
  return (await policyCheckOf(services.db, run.id)) ?? check;
}

const ofCheck = (permission: Parameters<typeof inWorkspace>[0]) =>
  inWorkspace(permission, 'check', 'policy-check');
const BY_ID = '/api/v2/policy-checks/:check';

export const POLICY_CHECK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v2/runs/:run/policy-checks',
    rule: inWorkspace('workspace:read-runs', 'run', 'run'),
    async handle(request) {
      const check = await policyCheckOf(request.services.db, request.param('run'));
      return await listOfRows(request, check === undefined ? [] : [check], (each) =>
        checkResource(each, request.place),
      );
    },
  },
  {
    method: 'GET',
    path: BY_ID,
    rule: ofCheck('workspace:read-runs'),
    handle: async (request) => ok({ data: checkResource(await checkOf(request), request.place) }),
  },
  {
    method: 'GET',
    path: `${BY_ID}/output`,
    rule: ofCheck('workspace:read-runs'),
    handle: output,
  },
  {
    method: 'POST',
    path: `${BY_ID}/actions/override`,
    rule: ofCheck('workspace:policy-overrides'),
    handle: async (request) =>
      ok({ data: checkResource(await override(request, await checkOf(request)), request.place) }),
  },
];
