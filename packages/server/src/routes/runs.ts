import { sql } from 'kysely';
import type { Place } from '../access/place.ts';
import { groupedBy } from '../http/grouped-by.ts';
import {
  ApiError,
  collection,
  forbidden,
  invalid,
  notFound,
  pageOf,
  partOfCollection,
  type ApiResource,
  type Resource,
  toMany,
  toOne,
} from '../http/json-api.ts';
import { containing } from '../http/listing.ts';
import { type Answer, type ApiRequest, created, fields, type Input, ok } from '../http/request.ts';
import { inOrganization, inWorkspace, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { engineOf, requireUsableEngine } from '../services/engines.ts';
import { ASSESSMENT_SOURCE } from '../services/notifications.ts';
import {
  isApproved,
  isCancelable,
  isConfirmable,
  isDiscardable,
  isFinal,
} from '../services/run-status.ts';
import {
  cancelRun,
  createRun,
  discardRun,
  forceCancelRun,
  readRun,
  type Run,
} from '../services/runs.ts';
import { confirmRun } from '../services/run-flow.ts';
import type { Services } from '../services/services.ts';
import { requireVersionPin } from '../services/version-pins.ts';
import { configurationResource, ingressResource } from './configuration-versions.ts';
import { stageResource } from './stages.ts';
import { addComment, type Comment, commentsOf, eventsOf } from './run-events.ts';
import { inStageOrder, taskStageResources, taskStagesOf } from './task-stages.ts';
import { userResource } from './users.ts';
import { presentWorkspaces, workspaceOf, workspaceResource } from './workspace-resource.ts';
import { organizationOf } from './organizations.ts';

/** Options of a run that decide how it plans. */
const FLAGS = [
  'allow-config-generation',
  'allow-empty-apply',
  'refresh',
  'refresh-only',
  'debugging-mode',
] as const;
const LISTS = ['invoke-action-addrs', 'replace-addrs', 'target-addrs', 'policy-paths'] as const;

/** Reads the options of the plan, by their names in the API. Throws an ApiError for a value of another type. */
function readOptions(input: Input): Run['options'] {
  const options: Record<string, unknown> = {};
  for (const name of FLAGS) options[name] = input.boolean(name);
  for (const name of LISTS) options[name] = input.texts(name);
  const version = input.text('terraform-version');
  if (version !== undefined && version !== '') {
    requireVersionPin(version);
    options['terraform-version'] = version;
  }
  options['variables'] = variablesIn(input.attributes['variables']);
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** Reads the variables of a run: expressions of the language by their names. */
function variablesIn(value: unknown): Run['options']['variables'] {
  if (value === undefined || value === null) return undefined;
  const variables = Array.isArray(value) ? (value as readonly unknown[]) : [undefined];
  return variables.map((each) => {
    const { key, value: expression } = fields(each);
    if (typeof key !== 'string' || typeof expression !== 'string') {
      throw invalid('variables', 'have to be a list of objects with a key and a value');
    }
    return { key, value: expression };
  });
}

/** Rows of other tables that the presentation of a run contains. */
interface RunFacts {
  readonly plan: string | null;
  readonly apply: string | null;
  readonly policyCheck: string | null;
  readonly taskStages: readonly { readonly id: string; readonly stage: string }[];
}

/** Presents a run. */
export async function runResource(
  services: Pick<Services, 'db'>,
  run: Run,
  place: Place,
): Promise<Resource> {
  return (await runPresenter(services, [run], place))(run);
}

/** Presents several runs with two queries. */
export async function runResources(
  services: Pick<Services, 'db'>,
  runs: readonly Run[],
  place: Place,
): Promise<readonly Resource[]> {
  const present = await runPresenter(services, runs, place);
  return runs.map((run) => present(run));
}

async function runPresenter(
  { db }: Pick<Services, 'db'>,
  runs: readonly Run[],
  place: Place,
): Promise<(run: Run) => Resource> {
  const ids = runs.map(({ id }) => id);
  const { rows } =
    ids.length === 0
      ? { rows: [] }
      : await sql<RunFacts & { readonly id: string }>`
        SELECT r.id,
          (SELECT s.id FROM stages s WHERE s.run_id = r.id AND s.kind = 'plan') AS plan,
          (SELECT s.id FROM stages s WHERE s.run_id = r.id AND s.kind = 'apply') AS apply,
          (SELECT p.id FROM policy_checks p WHERE p.run_id = r.id) AS "policyCheck",
          coalesce((
            SELECT json_agg(json_build_object('id', t.id, 'stage', t.stage))
            FROM task_stages t WHERE t.run_id = r.id
          ), '[]') AS "taskStages"
        FROM runs r WHERE r.id IN (${sql.join(ids)})`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const commentsByRun = groupedBy(await commentsOf({ db }, ids), (comment) => comment.run_id);
  return (run) => {
    const facts = byId.get(run.id);
    if (facts === undefined) throw notFound();
    return presentRun(run, place, facts, commentsByRun.get(run.id) ?? []);
  };
}

function presentRun(
  run: Run,
  { workspacePermissions: may }: Place,
  facts: RunFacts,
  comments: readonly Comment[],
): ApiResource<'runs'> {
  const { status, options } = run;
  const { policyCheck } = facts;
  const taskStages = inStageOrder(facts.taskStages);
  const isWaiting = status === 'pending';
  return {
    id: run.id,
    type: 'runs',
    attributes: {
      status,
      'status-timestamps': {
        'plan-queueable-at': run.created_at.toISOString(),
        ...run.timestamps,
      },
      message: run.message,
      source: run.source,
      'created-at': run.created_at.toISOString(),
      'updated-at': run.updated_at.toISOString(),
      'canceled-at': run.timestamps['canceled-at'] ?? null,
      // Only present after a cancel, as documented.
      ...((run.cancel !== null || run.timestamps['canceled-at'] !== undefined) && {
        'force-cancel-available-at': run.timestamps['canceled-at'] ?? run.updated_at.toISOString(),
      }),
      'auto-apply': run.auto_apply,
      'allow-config-generation': options['allow-config-generation'] ?? false,
      'allow-empty-apply': options['allow-empty-apply'] ?? false,
      'debugging-mode': options['debugging-mode'] ?? false,
      'has-changes': run.has_changes,
      'is-destroy': run.is_destroy,
      'plan-only': run.plan_only,
      'position-in-queue': isWaiting ? 1 : 0,
      refresh: options['refresh'] ?? true,
      'refresh-only': options['refresh-only'] ?? false,
      'replace-addrs': options['replace-addrs'] ?? null,
      'save-plan': run.save_plan,
      'target-addrs': options['target-addrs'] ?? null,
      'invoke-action-addrs': options['invoke-action-addrs'] ?? null,
      'policy-paths': options['policy-paths'] ?? [],
      'terraform-version': options['terraform-version'] ?? 'latest',
      engine: engineOf(options),
      'trigger-reason': run.triggered_by === null ? 'manual' : 'run_trigger',
      variables: options['variables'] ?? [],
      'plan-digest': run.plan_digest,
      actions: {
        'is-cancelable': isCancelable(status) && run.cancel === null,
        'is-confirmable': isConfirmable(status),
        'is-discardable': isDiscardable(status),
        'is-force-cancelable': run.cancel !== null && !isFinal(status),
      },
      permissions: {
        'can-apply': may.has('workspace:apply'),
        'can-cancel': may.has(isApproved(status) ? 'workspace:apply' : 'workspace:queue-plan'),
        'can-comment': may.has('workspace:read-runs'),
        'can-discard': may.has('workspace:apply'),
        'can-force-execute': may.has('workspace:apply'),
        'can-force-cancel': may.has('workspace:admin'),
        'can-override-policy-check': may.has('workspace:policy-overrides'),
      },
    },
    relationships: {
      workspace: toOne('workspaces', run.workspace_id),
      plan: toOne('plans', facts.plan),
      apply: toOne('applies', facts.apply),
      'configuration-version': toOne('configuration-versions', run.configuration_version_id),
      ...(run.created_by !== null && { 'created-by': toOne('users', run.created_by) }),
      ...(run.confirmed_by !== null && { 'confirmed-by': toOne('users', run.confirmed_by) }),
      'policy-checks': toMany('policy-checks', policyCheck === null ? [] : [policyCheck]),
      'task-stages': toMany(
        'task-stages',
        taskStages.map(({ id }) => id),
      ),
      'run-events': {
        ...toMany(
          'run-events',
          eventsOf(run, comments).map(({ id }) => id),
        ),
        links: { related: `/api/v2/runs/${run.id}/run-events` },
      },
      comments: toMany(
        'comments',
        comments.map(({ id }) => id),
      ),
    },
    links: { self: `/api/v2/runs/${run.id}` },
  };
}

/** Returns the resources that `include` requests with runs, each once, with as many queries as for one run. */
async function includedResources(
  request: ApiRequest,
  runs: readonly Run[],
): Promise<readonly Resource[]> {
  const names = new Set((request.query.get('include') ?? '').split(','));
  if (runs.length === 0) return [];
  const { db } = request.services;
  const users = [
    ...(names.has('created_by') ? runs.map((run) => run.created_by) : []),
    ...(names.has('confirmed_by') ? runs.map((run) => run.confirmed_by) : []),
  ].filter((id) => id !== null);
  const hasIngress = names.has('configuration_version.ingress_attributes');
  const lists = [
    await includedStages(
      request,
      runs,
      ['plan', 'apply'].filter((kind) => names.has(kind)),
    ),
    users.length === 0
      ? []
      : (await db.selectFrom('users').selectAll().where('id', 'in', users).execute()).map((user) =>
          userResource(user),
        ),
    names.has('configuration_version') || hasIngress
      ? await includedConfigurations(request, runs, hasIngress)
      : [],
    names.has('task_stages') ? await includedTaskStages(request, runs) : [],
    names.has('workspace') ? await includedWorkspaces(request, runs) : [],
  ];
  return lists.flat();
}

async function includedStages(
  { services }: ApiRequest,
  runs: readonly Run[],
  kinds: readonly string[],
): Promise<readonly Resource[]> {
  if (kinds.length === 0) return [];
  const byId = new Map(runs.map((run) => [run.id, run]));
  const stages = await services.db
    .selectFrom('stages')
    .selectAll()
    .where('run_id', 'in', [...byId.keys()])
    .where('kind', 'in', kinds)
    .execute();
  return stages.flatMap((stage) => {
    const run = byId.get(stage.run_id);
    return run === undefined ? [] : [stageResource(services, stage, run)];
  });
}

async function includedConfigurations(
  { services }: ApiRequest,
  runs: readonly Run[],
  hasIngress: boolean,
): Promise<readonly Resource[]> {
  const ids = new Set(runs.map((run) => run.configuration_version_id));
  const configurations = await services.db
    .selectFrom('configuration_versions')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute();
  return configurations.flatMap((configuration) => {
    const ingress = hasIngress ? ingressResource(configuration) : undefined;
    const resource = configurationResource(services, configuration);
    return ingress === undefined ? [resource] : [resource, ingress];
  });
}

async function includedTaskStages(
  { services, place }: ApiRequest,
  runs: readonly Run[],
): Promise<readonly Resource[]> {
  const ids = runs.map(({ id }) => id);
  return await taskStageResources(services, await taskStagesOf(services.db, ids), place);
}

async function includedWorkspaces(
  request: ApiRequest,
  runs: readonly Run[],
): Promise<readonly Resource[]> {
  const { services, place } = request;
  if (place.workspace !== undefined) {
    return [await workspaceResource(services, place.workspace, place)];
  }
  const ids = new Set(runs.map((run) => run.workspace_id));
  const workspaces = await services.db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute();
  return await presentWorkspaces(request, workspaces);
}

async function runOf({ services, param }: ApiRequest): Promise<Run> {
  return await readRun(services.db, param('run'));
}

async function create(request: ApiRequest) {
  const { services, input, principal } = request;
  const workspace = workspaceOf(request);
  let configurationId = input.related('configuration-version');
  if (configurationId === undefined || configurationId === null) {
    const latest = await services.db
      .selectFrom('configuration_versions')
      .select('id')
      .where('workspace_id', '=', workspace.id)
      .where('status', '=', 'uploaded')
      .where('speculative', '=', false)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    configurationId = latest?.id;
  }
  if (configurationId === undefined) {
    throw new ApiError(
      422,
      'invalid',
      'Configuration version is missing: the workspace has no uploaded configuration.',
    );
  }
  const configuration = await services.db
    .selectFrom('configuration_versions')
    .selectAll()
    .where('id', '=', configurationId)
    .where('workspace_id', '=', workspace.id)
    .executeTakeFirst();
  if (configuration === undefined) throw notFound();
  // A speculative configuration, such as one of a pull request, is never applied.
  const planOnly = configuration.speculative || (input.boolean('plan-only') ?? false);
  const may = request.place.workspacePermissions;
  const autoApply = input.boolean('auto-apply') ?? workspace.settings['auto-apply'] === true;
  // An automatic apply is an approval.
  const mayAutoApply = may.has('workspace:apply');
  if (input.boolean('is-destroy') === true && workspace.settings['allow-destroy-plan'] === false) {
    throw new ApiError(
      422,
      'invalid',
      'Destroy plans are disabled in the settings of the workspace.',
    );
  }
  if (input.boolean('is-destroy') === true && input.boolean('refresh-only') === true) {
    throw invalid('refresh-only', 'cannot be combined with is-destroy');
  }
  const options = readOptions(input);
  await requireUsableEngine(services, workspace);
  const run = await createRun(services, workspace, {
    configuration,
    message: input.text('message') ?? 'Queued manually via API',
    source: 'tfe-api',
    options,
    planOnly,
    isDestroy: input.boolean('is-destroy') ?? false,
    autoApply: autoApply && mayAutoApply,
    savePlan: input.boolean('save-plan') ?? false,
    createdBy: principal.kind === 'user' ? principal.user.id : null,
  });
  await audit(services, principal, {
    organizationId: workspace.organization_id,
    action: 'create',
    type: 'run',
    id: run.id,
    details: { workspace: workspace.id },
  });
  return created({ data: await runResource(services, run, request.place) });
}

async function read(request: ApiRequest) {
  const run = await runOf(request);
  return ok({
    data: await runResource(request.services, run, request.place),
    included: await includedResources(request, [run]),
  });
}

async function list(request: ApiRequest, of: 'workspace' | 'organization'): Promise<Answer> {
  const { services, query, place } = request;
  const page = pageOf(query);
  let select = services.db
    .selectFrom('runs')
    .innerJoin('workspaces', 'workspaces.id', 'runs.workspace_id');
  select =
    of === 'workspace'
      ? select.where('runs.workspace_id', '=', workspaceOf(request).id)
      : select.where('workspaces.organization_id', '=', organizationOf(request).id);
  // Assessments have results of their own, and are no runs for users.
  select = select.where('runs.source', '!=', ASSESSMENT_SOURCE);
  const status = query.get('filter[status]') ?? '';
  if (status !== '') {
    select = select.where(sql<string>`runs.status`, 'in', status.split(','));
  }
  const group = query.get('filter[status_group]') ?? '';
  if (group === 'discardable') {
    select = select.where('runs.status', 'in', ['pending', 'planned', 'planned_and_saved']);
  } else if (group === 'final') {
    const { FINAL_STATUSES } = await import('../services/run-status.ts');
    select = select.where('runs.status', 'in', [...FINAL_STATUSES]);
  } else if (group === 'non_final') {
    const { FINAL_STATUSES } = await import('../services/run-status.ts');
    select = select.where('runs.status', 'not in', [...FINAL_STATUSES]);
  }
  const source = query.get('filter[source]') ?? '';
  if (source !== '') select = select.where('runs.source', 'in', source.split(','));
  const operation = query.get('filter[operation]') ?? '';
  if (operation !== '') {
    const operations = operation.split(',');
    select = select.where((expression) =>
      expression.or([
        ...(operations.includes('plan_only') ? [expression('runs.plan_only', '=', true)] : []),
        ...(operations.includes('save_plan') ? [expression('runs.save_plan', '=', true)] : []),
        ...(operations.includes('destroy') ? [expression('runs.is_destroy', '=', true)] : []),
        ...(operations.includes('plan_and_apply')
          ? [
              expression.and([
                expression('runs.plan_only', '=', false),
                expression('runs.save_plan', '=', false),
                expression('runs.is_destroy', '=', false),
              ]),
            ]
          : []),
      ]),
    );
  }
  const names = query.get('filter[workspace_names]') ?? '';
  if (names !== '') select = select.where('workspaces.name', 'in', names.split(','));
  const [user, commit] = [query.get('search[user]') ?? '', query.get('search[commit]') ?? ''];
  for (const [name, value] of [
    ['sender-username', user],
    ['commit-sha', commit],
  ] as const) {
    if (value === '') continue;
    select = select.where('runs.configuration_version_id', 'in', (sub) =>
      sub
        .selectFrom('configuration_versions')
        .select('id')
        .where(sql<boolean>`ingress->>${sql.lit(name)} = ${value}`),
    );
  }
  const text = query.get('search[basic]') ?? query.get('search[run]') ?? '';
  if (text !== '' && user === '' && commit === '') {
    select = select.where((expression) =>
      expression.or([
        expression('runs.id', '=', text),
        expression('runs.message', 'ilike', containing(text)),
      ]),
    );
  }
  if (of === 'organization') {
    const { visibleWorkspaces } = await import('../access/authorize.ts');
    const visible = await visibleWorkspaces(services, request.principal, place);
    if (visible !== undefined) select = select.where(visible);
  }
  const pageAndNext = await select
    .selectAll('runs')
    .orderBy('runs.created_at', 'desc')
    .orderBy('runs.id')
    .limit(page.size + 1)
    .offset((page.number - 1) * page.size)
    .execute();
  const rows = pageAndNext.slice(0, page.size);
  const data = await runResources(services, rows, place);
  const included = await includedResources(request, rows);
  // The runs of an organization are not counted, as in HCP Terraform: there can be very many.
  if (of === 'organization') {
    const hasMore = pageAndNext.length > rows.length;
    return ok({ ...partOfCollection(data, page, hasMore, request.url), included });
  }
  const { total } = await select
    .select((count) => count.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  return ok({ ...collection(data, page, Number(total), request.url), included });
}

/** Runs that wait for an agent or their turn, in the order in which they will start. */
async function queue(request: ApiRequest) {
  const { services, query, place } = request;
  const page = pageOf(query);
  const { visibleWorkspaces } = await import('../access/authorize.ts');
  const visible = await visibleWorkspaces(services, request.principal, place);
  const all = await services.db
    .selectFrom('runs')
    .innerJoin('workspaces', 'workspaces.id', 'runs.workspace_id')
    .leftJoin('jobs', (join) =>
      join.onRef('jobs.run_id', '=', 'runs.id').on('jobs.status', '=', 'queued'),
    )
    .selectAll('runs')
    .select((visible ?? sql<boolean>`true`).as('is_visible'))
    .where('workspaces.organization_id', '=', organizationOf(request).id)
    .where('runs.status', 'in', ['pending', 'plan_queued', 'apply_queued'])
    .orderBy('jobs.priority')
    .orderBy('runs.created_at')
    .execute();
  // Positions count every run; runs of workspaces that the principal cannot see are not shown.
  const rows = [...all.entries()].filter(([, row]) => row.is_visible);
  const shown = rows.slice((page.number - 1) * page.size, page.number * page.size);
  const resources = await runResources(
    services,
    shown.map(([, row]) => row),
    place,
  );
  const data = resources.map((resource, index) => ({
    ...resource,
    attributes: { ...resource.attributes, 'position-in-queue': (shown[index]?.[0] ?? 0) + 1 },
  }));
  return ok(collection(data, page, rows.length, request.url));
}

type Action = 'apply' | 'cancel' | 'discard' | 'force-cancel' | 'force-execute';

async function act(request: ApiRequest, action: Action): Promise<Answer> {
  const { services, principal, input } = request;
  const run = await runOf(request);
  const userId = principal.kind === 'user' ? principal.user.id : null;
  // As documented for HCP Terraform: tokens of organizations do not act on runs. For the other actions, their
  // permissions do not suffice.
  if (action === 'force-cancel' && principal.kind === 'organization') throw forbidden();
  switch (action) {
    case 'apply': {
      const digest = input.json['plan-digest'];
      await confirmRun(services, run, userId, typeof digest === 'string' ? digest : undefined);
      break;
    }
    case 'discard':
      await discardRun(services, run);
      break;
    case 'cancel':
      // The permission to plan does not suffice to stop an approved run.
      if (isApproved(run.status) && !request.place.workspacePermissions.has('workspace:apply')) {
        throw forbidden();
      }
      await cancelRun(services, run);
      break;
    case 'force-cancel':
      await forceCancelRun(services, run);
      break;
    case 'force-execute':
      await forceExecute(services, run);
      break;
  }
  const comment = input.json['comment'];
  if (typeof comment === 'string' && comment !== '') {
    await addComment(services, run, comment, userId);
  }
  await audit(services, principal, {
    organizationId: workspaceOf(request).organization_id,
    action,
    type: 'run',
    id: run.id,
    ...(action === 'apply' && { details: { 'plan-digest': run.plan_digest } }),
  });
  return { status: 202 };
}

/** Discards or cancels the current run of the workspace, so that a pending run is next. */
async function forceExecute(services: Services, run: Run): Promise<void> {
  if (run.status !== 'pending') {
    throw new ApiError(409, 'conflict', `The run is not waiting: its status is ${run.status}.`);
  }
  const before = await services.db
    .selectFrom('runs')
    .selectAll()
    .where('workspace_id', '=', run.workspace_id)
    .where('plan_only', '=', false)
    .where('created_at', '<', run.created_at)
    .where('status', 'in', [
      'pending',
      'pre_plan_running',
      'plan_queued',
      'planning',
      'post_plan_running',
      'policy_override',
      'planned',
      'cost_estimated',
      'policy_checked',
    ])
    .execute();
  for (const each of before) {
    if (isDiscardable(each.status)) await discardRun(services, each);
    else await cancelRun(services, each);
  }
}

const ofRun = (permission: Parameters<typeof inWorkspace>[0]) =>
  inWorkspace(permission, 'run', 'run');

export const RUN_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/v2/runs',
    rule: {
      kind: 'workspace',
      permission: 'workspace:queue-plan',
      subject: { body: (input) => input.related('workspace') ?? '', of: 'workspace' },
    },
    handle: create,
  },
  { method: 'GET', path: '/api/v2/runs/:run', rule: ofRun('workspace:read-runs'), handle: read },
  {
    method: 'GET',
    path: '/api/v2/workspaces/:workspace/runs',
    rule: inWorkspace('workspace:read-runs'),
    handle: (request) => list(request, 'workspace'),
  },
  {
    method: 'GET',
    path: '/api/v2/organizations/:organization/runs',
    rule: inOrganization('organization:read'),
    handle: (request) => list(request, 'organization'),
  },
  {
    method: 'GET',
    path: '/api/v2/organizations/:organization/runs/queue',
    rule: inOrganization('organization:read'),
    handle: queue,
  },
  ...(
    [
      ['apply', 'workspace:apply'],
      ['discard', 'workspace:apply'],
      ['cancel', 'workspace:queue-plan'],
      ['force-cancel', 'workspace:admin'],
      ['force-execute', 'workspace:apply'],
    ] as const
  ).map(([action, permission]): Route => ({
    method: 'POST',
    path: `/api/v2/runs/:run/actions/${action}`,
    rule: ofRun(permission),
    handle: (request) => act(request, action),
  })),
];

export { act as actOnRun, list as listRuns };
