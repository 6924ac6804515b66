import type { SelectQueryBuilder } from 'kysely';
import { permissionsInEach, visibleWorkspaces } from '../access/authorize.ts';
import type { Workspace, Place } from '../access/place.ts';
import type { Tables } from '../database/schema.ts';
import {
  ApiError,
  collection,
  conflict,
  invalid,
  notFound,
  pageOf,
  type Resource,
} from '../http/json-api.ts';
import { containing, escapedLike, listOfRows } from '../http/listing.ts';
import { type Answer, type ApiRequest, created, fields, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, inWorkspace, type Route } from '../http/route.ts';
import { requirePoolFor } from './agent-pools.ts';
import { requireInterval } from '../services/assessments.ts';
import { audit } from '../services/audit.ts';
import { requireAutoDestroy } from '../services/auto-destroy.ts';
import { inheritedExecution, INHERITS, inheritsExecution } from '../services/execution.ts';
import { advance, executionMode } from '../services/runs.ts';
import { newId, type Services } from '../services/services.ts';
import {
  defaultProjectOf,
  organizationOf,
  organizationResource,
  requireEqualOverwrites,
  settingsOf,
} from './organizations.ts';
import { connectRepository, readVcsRepo } from '../vcs/repositories.ts';
import { runResources } from './runs.ts';
import {
  holderId,
  holdsLock,
  WORKSPACE_SETTINGS,
  workspaceOf,
  workspaceResource,
  workspaceResources,
} from './workspace-resource.ts';
import { changeTags, changeTagsOf, setTagBindings, tagBindingRoutes } from './tags.ts';

/** Returns the resources that `include` requests with a workspace, without its current run. */
async function includedResources(
  request: ApiRequest,
  workspace: Workspace,
): Promise<readonly Resource[]> {
  const includeNames = new Set((request.query.get('include') ?? '').split(','));
  const { services, place } = request;
  const result: Resource[] = [];
  if (includeNames.has('organization') && place.organization !== undefined) {
    const project = await defaultProjectOf(services, place.organization.id);
    result.push(organizationResource(place.organization, place, project?.id));
  }
  if (includeNames.has('outputs') && workspace.current_state_version_id !== null) {
    const rows = await services.db
      .selectFrom('state_outputs')
      .selectAll()
      .where('state_version_id', '=', workspace.current_state_version_id)
      .execute();
    for (const row of rows) {
      const { value } = fields(JSON.parse(services.sealing.open(row.content, row.id).toString()));
      result.push({
        id: row.id,
        type: 'workspace-outputs',
        attributes: {
          name: row.name,
          sensitive: row.sensitive,
          'output-type': row.type,
          value: row.sensitive ? null : value,
        },
      });
    }
  }
  if (includeNames.has('effective_tag_bindings') || includeNames.has('effective-tag-bindings')) {
    const rows = await services.db
      .selectFrom('tag_bindings')
      .selectAll()
      .where('subject_id', 'in', [workspace.id, workspace.project_id])
      .execute();
    for (const { id, key, value } of rows) {
      result.push({ id, type: 'effective-tag-bindings', attributes: { key, value } });
    }
  }
  return result;
}

type WorkspaceQuery = SelectQueryBuilder<Tables, 'workspaces', object>;

/** Applies the filters of a list of workspaces. */
function applyFilters(select: WorkspaceQuery, query: URLSearchParams): WorkspaceQuery {
  let result = select;
  const name = query.get('search[name]') ?? '';
  if (name !== '') result = result.where('workspaces.name', 'ilike', containing(name));
  const wildcard = query.get('search[wildcard-name]') ?? '';
  if (wildcard !== '') {
    result = result.where('workspaces.name', 'ilike', escapedLike(wildcard).replaceAll('*', '%'));
  }
  const project = query.get('filter[project][id]') ?? '';
  if (project !== '') result = result.where('workspaces.project_id', '=', project);
  const status = query.get('filter[current-run][status]') ?? '';
  if (status !== '') {
    result = result.where('workspaces.current_run_id', 'in', (sub) =>
      sub.selectFrom('runs').select('id').where('status', 'in', status.split(',')),
    );
  }
  const tagged = (names: string): readonly string[] =>
    names.split(',').filter((each) => each !== '');
  for (const tag of tagged(query.get('search[tags]') ?? '')) {
    result = result.where('workspaces.id', 'in', (sub) =>
      sub
        .selectFrom('workspace_tags')
        .innerJoin('tags', 'tags.id', 'workspace_tags.tag_id')
        .select('workspace_tags.workspace_id')
        .where('tags.name', '=', tag),
    );
  }
  const excluded = tagged(query.get('search[exclude-tags]') ?? '');
  if (excluded.length > 0) {
    result = result.where('workspaces.id', 'not in', (sub) =>
      sub
        .selectFrom('workspace_tags')
        .innerJoin('tags', 'tags.id', 'workspace_tags.tag_id')
        .select('workspace_tags.workspace_id')
        .where('tags.name', 'in', excluded),
    );
  }
  for (let index = 0; index < 20; index++) {
    const key = query.get(`filter[tagged][${index}][key]`);
    if (key === null) break;
    const value = query.get(`filter[tagged][${index}][value]`);
    result = result.where((expression) => {
      const bound = (subject: 'workspaces.id' | 'workspaces.project_id') => {
        let rows = expression
          .selectFrom('tag_bindings')
          .select('subject_id')
          .where('key', '=', key);
        if (value !== null) rows = rows.where('value', '=', value);
        return expression(subject, 'in', rows);
      };
      return expression.or([bound('workspaces.id'), bound('workspaces.project_id')]);
    });
  }
  return result;
}

async function list(request: ApiRequest): Promise<Answer> {
  const { services, query, principal, place } = request;
  const organization = organizationOf(request);
  const page = pageOf(query);
  const visible = await visibleWorkspaces(services, principal, place);
  let select: WorkspaceQuery = services.db
    .selectFrom('workspaces')
    .where('workspaces.organization_id', '=', organization.id);
  if (visible !== undefined) {
    select = select.where('workspaces.id', 'in', visible.length === 0 ? [''] : visible);
  }
  select = applyFilters(select, query);
  const { total } = await select
    .select((count) => count.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  const sort = query.get('sort') ?? 'name';
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const byRun = /^-?current-run\.created-at$/.test(sort);
  const by = sort.endsWith('created-at') ? 'workspaces.created_at' : 'workspaces.name';
  const rows = await select
    .selectAll('workspaces')
    // Workspaces without runs are last.
    .$if(byRun, (sorted) =>
      sorted.orderBy(
        (expression) =>
          expression
            .selectFrom('runs')
            .select((run) => run.fn.max('runs.created_at').as('at'))
            .whereRef('runs.workspace_id', '=', 'workspaces.id'),
        (order) => (direction === 'desc' ? order.desc() : order.asc()).nullsLast(),
      ),
    )
    .orderBy(by, direction)
    .limit(page.size)
    .offset((page.number - 1) * page.size)
    .execute();
  const places = await placesOf(request, rows);
  const data = await workspaceResources(services, rows, places);
  const more = await includedWithAll(request, rows);
  return ok({ ...collection(data, page, Number(total), request.url), included: more });
}

/** Returns the resources that `include` requests with workspaces, each once. */
async function includedWithAll(
  request: ApiRequest,
  workspaces: readonly Workspace[],
): Promise<readonly Resource[]> {
  if ((request.query.get('include') ?? '') === '') return [];
  const resources = new Map<string, Resource>();
  for (const workspace of workspaces) {
    for (const each of await includedResources(request, workspace)) {
      resources.set(`${each.type} ${each.id}`, each);
    }
  }
  for (const each of await currentRuns(request, workspaces)) {
    resources.set(`${each.type} ${each.id}`, each);
  }
  return [...resources.values()];
}

/** Returns the current runs of workspaces if `include` requests them. */
async function currentRuns(
  { services, query, place }: ApiRequest,
  workspaces: readonly Workspace[],
): Promise<readonly Resource[]> {
  const wanted = (query.get('include') ?? '').split(',');
  const ids = workspaces.flatMap((each) => each.current_run_id ?? []);
  if (ids.length === 0) return [];
  if (!wanted.includes('current_run') && !wanted.includes('current-run')) return [];
  const runs = await services.db.selectFrom('runs').selectAll().where('id', 'in', ids).execute();
  return await runResources(services, runs, place);
}

/** Returns the places of the workspaces of a list, with the permissions there. */
async function placesOf(
  { services, principal, place }: ApiRequest,
  workspaces: readonly Workspace[],
): Promise<readonly Place[]> {
  const { organization } = place;
  if (organization === undefined) return workspaces.map(() => place);
  if (place.organizationPermissions.has('organization:admin')) {
    return workspaces.map((workspace) => ({ ...place, workspace }));
  }
  return await permissionsInEach(services, principal, organization, workspaces);
}

function checkedName(name: string | undefined): string {
  if (name === undefined || name === '') throw invalid('name', "can't be blank");
  if (!/^[\w-]{1,90}$/.test(name)) {
    throw invalid('name', 'has to have at most 90 letters, digits, "-" and "_" only');
  }
  return name;
}

/** A version such as `1.11.4`, a version constraint such as `~> 1.11`, or `latest`. */
const VERSION = /^(latest|(?:(?:=|!=|>=?|<=?|~>)? *v?\d+(?:\.\d+){0,2}(?:-[\w.]+)?(?: *, *)?)+)$/;

/** Reads the settings of a workspace from an input. Throws an ApiError. */
function readSettings(request: ApiRequest): Record<string, unknown> {
  const { input } = request;
  const settings = settingsOf(request, WORKSPACE_SETTINGS);
  const operations = input.boolean('operations');
  if (operations !== undefined && settings['execution-mode'] !== undefined) {
    throw invalid('operations', 'cannot be combined with the execution mode');
  }
  if (operations !== undefined) settings['execution-mode'] = operations ? 'remote' : 'local';
  const mode = settings['execution-mode'];
  if (mode !== undefined && mode !== null && !['remote', 'local', 'agent'].includes(String(mode))) {
    throw invalid('execution-mode', 'has to be "remote", "agent" or "local"');
  }
  if (mode === null) delete settings['execution-mode'];
  const version = settings['terraform-version'];
  if (version !== undefined && (typeof version !== 'string' || version === '')) {
    delete settings['terraform-version'];
  } else if (typeof version === 'string' && !VERSION.test(version)) {
    throw invalid('terraform-version', 'has to be a version, a version constraint or "latest"');
  }
  const directory = settings['working-directory'];
  if (typeof directory === 'string' && directory.split('/').includes('..')) {
    throw invalid('working-directory', 'has to be inside of the configuration');
  }
  requireInterval(settings['assessment-interval']);
  requireAutoDestroy(settings);
  const overwrites = input.object('setting-overwrites');
  if (overwrites !== undefined) {
    requireEqualOverwrites(overwrites, '');
    settings['setting-overwrites'] = overwrites;
  }
  return settings;
}

/** Reads the settings of a workspace, with its connection to version control. */
async function settingsWithVcs(
  request: ApiRequest,
  organizationId: string,
): Promise<Record<string, unknown>> {
  const settings = readSettings(request);
  const repository = await readVcsRepo(request, organizationId);
  return repository === undefined ? settings : { ...settings, 'vcs-repo': repository };
}

async function agentPoolOf(request: ApiRequest): Promise<string | null | undefined> {
  const related = request.input.related('agent-pool');
  const id = related === undefined ? request.input.text('agent-pool-id') : related;
  if (id === undefined || id === null || id === '') return related === null ? null : undefined;
  const pool = await request.services.db
    .selectFrom('agent_pools')
    .select('id')
    .where('id', '=', id)
    .where('organization_id', '=', organizationOf(request).id)
    .executeTakeFirst();
  if (pool === undefined) throw notFound();
  return pool.id;
}

async function projectIdOf(request: ApiRequest): Promise<string | undefined> {
  const id = request.input.related('project');
  if (id === undefined || id === null) return undefined;
  const project = await request.services.db
    .selectFrom('projects')
    .select('id')
    .where('id', '=', id)
    .where('organization_id', '=', organizationOf(request).id)
    .executeTakeFirst();
  if (project === undefined) throw notFound();
  return project.id;
}

async function create(request: ApiRequest) {
  const { services, input, principal } = request;
  const organization = organizationOf(request);
  const name = checkedName(input.text('name'));
  const settings = await settingsWithVcs(request, organization.id);
  const pool = (await agentPoolOf(request)) ?? null;
  if (settings['execution-mode'] === 'agent' && pool === null) {
    throw invalid('agent-pool', "can't be blank if the execution mode is agent");
  }
  if (settings['execution-mode'] !== 'agent' && pool !== null) {
    throw invalid('agent-pool', 'requires the execution mode agent');
  }
  await refuseDuplicate(services, organization.id, name);
  const { id: fallback } = (await defaultProjectOf(services, organization.id)) ?? {};
  const projectId = (await projectIdOf(request)) ?? fallback;
  if (projectId === undefined) throw notFound();
  if (pool !== null) await requirePoolFor(services, pool, { project_id: projectId });
  const inherited =
    settings['execution-mode'] === undefined
      ? await inheritedExecution(services.db, organization, projectId)
      : undefined;
  const now = services.clock.now();
  const workspace = await services.db
    .insertInto('workspaces')
    .values({
      id: newId(services, 'ws'),
      organization_id: organization.id,
      project_id: projectId,
      name,
      settings: JSON.stringify({
        ...(inherited !== undefined && { [INHERITS]: true, 'execution-mode': inherited.mode }),
        ...settings,
      }),
      agent_pool_id: inherited?.pool ?? pool,
      locked_by: null,
      lock_reason: '',
      current_run_id: null,
      current_state_version_id: null,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await changeTagsOf(
    services,
    organization.id,
    workspace.id,
    input.relatedMany('tags') ?? [],
    'add',
  );
  await setTagBindings(services, workspace.id, input.relatedMany('tag-bindings') ?? [], 'add');
  await audit(services, principal, {
    organizationId: organization.id,
    action: 'create',
    type: 'workspace',
    id: workspace.id,
    details: { name },
  });
  await connectRepository(services, workspace);
  const [data] = await workspaceResources(
    services,
    [workspace],
    await placesOf(request, [workspace]),
  );
  return created({ ...(data !== undefined && { data }) });
}

async function refuseDuplicate(
  { db }: Pick<Services, 'db'>,
  organizationId: string,
  name: string,
  except = '',
): Promise<void> {
  const taken = await db
    .selectFrom('workspaces')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .where('id', '!=', except)
    .executeTakeFirst();
  if (taken !== undefined) throw invalid('name', 'has already been taken');
}

async function read(request: ApiRequest) {
  const workspace = workspaceOf(request);
  return ok({
    data: await workspaceResource(request.services, workspace, request.place),
    included: await includedWithAll(request, [workspace]),
  });
}

/** Returns what a workspace inherits from now on, or in its new project; undefined if it has a mode of its own. */
async function newlyInherited(
  { services, place, input }: ApiRequest,
  settings: Readonly<Record<string, unknown>>,
  projectId: string,
) {
  const { organization, workspace } = place;
  if (organization === undefined || workspace === undefined) return undefined;
  if (settings['execution-mode'] !== undefined) return undefined;
  const isReset = input.object('setting-overwrites')?.['execution-mode'] === false;
  const isMoved = inheritsExecution(workspace) && projectId !== workspace.project_id;
  if (!isReset && !isMoved) return undefined;
  return await inheritedExecution(services.db, organization, projectId);
}

async function update(request: ApiRequest) {
  const { services, input, principal } = request;
  const workspace = workspaceOf(request);
  const name = input.has('name') ? checkedName(input.text('name')) : workspace.name;
  await refuseDuplicate(services, workspace.organization_id, name, workspace.id);
  const settings = await settingsWithVcs(request, workspace.organization_id);
  const projectId = await projectIdOf(request);
  const inherited = await newlyInherited(request, settings, projectId ?? workspace.project_id);
  const pool = inherited === undefined ? await agentPoolOf(request) : inherited.pool;
  const mode = inherited?.mode ?? settings['execution-mode'] ?? executionMode(workspace);
  if (mode === 'agent' && inherited === undefined && (pool ?? workspace.agent_pool_id) === null) {
    throw invalid('agent-pool', "can't be blank if the execution mode is agent");
  }
  if (pool !== undefined && pool !== null && inherited === undefined) {
    const project = projectId ?? workspace.project_id;
    await requirePoolFor(services, pool, { id: workspace.id, project_id: project });
  }
  const updated = await services.db
    .updateTable('workspaces')
    .set({
      name,
      settings: JSON.stringify({
        ...workspace.settings,
        ...settings,
        ...(inherited !== undefined && { [INHERITS]: true, 'execution-mode': inherited.mode }),
        ...(settings['execution-mode'] !== undefined && { [INHERITS]: false }),
      }),
      ...(pool !== undefined && { agent_pool_id: pool }),
      ...(mode !== 'agent' && { agent_pool_id: null }),
      ...(projectId !== undefined && { project_id: projectId }),
      updated_at: services.clock.now(),
    })
    .where('id', '=', workspace.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (input.has('vcs-repo')) await connectRepository(services, updated);
  const bindings = input.relatedMany('tag-bindings');
  if (bindings !== undefined) await setTagBindings(services, workspace.id, bindings, 'replace');
  await audit(services, principal, {
    organizationId: workspace.organization_id,
    action: 'update',
    type: 'workspace',
    id: workspace.id,
    details: { settings: Object.keys(settings) },
  });
  return ok({
    data: await workspaceResource(services, updated, request.place),
    included: await includedWithAll(request, [updated]),
  });
}

async function remove(request: ApiRequest, isSafe: boolean) {
  const { services, principal } = request;
  const workspace = workspaceOf(request);
  if (isSafe) {
    if (workspace.locked_by !== null || workspace.current_run_id !== null) {
      throw conflict('The workspace cannot be safely deleted: it is locked.');
    }
    const state =
      workspace.current_state_version_id === null
        ? undefined
        : await services.db
            .selectFrom('state_versions')
            .select('summary')
            .where('id', '=', workspace.current_state_version_id)
            .executeTakeFirst();
    if (Number(state?.summary['resource-count'] ?? 0) > 0) {
      throw conflict('The workspace cannot be safely deleted: it manages resources.');
    }
  }
  await services.db.deleteFrom('workspaces').where('id', '=', workspace.id).execute();
  await services.db.deleteFrom('variables').where('owner_id', '=', workspace.id).execute();
  await services.db.deleteFrom('tag_bindings').where('subject_id', '=', workspace.id).execute();
  await audit(services, principal, {
    organizationId: workspace.organization_id,
    action: 'destroy',
    type: 'workspace',
    id: workspace.id,
    details: { name: workspace.name },
  });
  return NO_CONTENT;
}

async function lock(request: ApiRequest): Promise<Answer> {
  const { services, principal, input } = request;
  const { id, organization_id: organizationId } = workspaceOf(request);
  const reason = input.json['reason'];
  const holder = holderId(principal);
  const locked = await services.db
    .updateTable('workspaces')
    .set({ locked_by: holder, lock_reason: typeof reason === 'string' ? reason : '' })
    .where('id', '=', id)
    .where('locked_by', 'is', null)
    .where('current_run_id', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (locked === undefined) {
    throw new ApiError(
      409,
      'conflict',
      'Unable to lock workspace. The workspace is already locked.',
    );
  }
  await audit(services, principal, { organizationId, action: 'lock', type: 'workspace', id });
  return ok({ data: await workspaceResource(services, locked, request.place) });
}

async function unlock(request: ApiRequest, isForced: boolean): Promise<Answer> {
  const { services, principal } = request;
  const workspace = workspaceOf(request);
  if (workspace.locked_by === null) {
    const detail =
      workspace.current_run_id === null
        ? 'The workspace is already unlocked.'
        : `The workspace is locked by Run ${workspace.current_run_id}. Discard or cancel the run.`;
    throw new ApiError(409, 'conflict', `Unable to unlock workspace. ${detail}`);
  }
  if (!isForced && !holdsLock(workspace, principal)) {
    throw new ApiError(
      409,
      'conflict',
      // Clients look for these words.
      `Unable to unlock workspace. The workspace is locked by ${holderKind(workspace.locked_by)} ${workspace.locked_by}.`,
    );
  }
  const unlocked = await services.db
    .updateTable('workspaces')
    .set({ locked_by: null, lock_reason: '' })
    .where('id', '=', workspace.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit(services, principal, {
    organizationId: workspace.organization_id,
    action: isForced ? 'force-unlock' : 'unlock',
    type: 'workspace',
    id: workspace.id,
  });
  await advance(services, workspace.id);
  return ok({ data: await workspaceResource(services, unlocked, request.place) });
}

const holderKind = (holder: string): string =>
  holder.startsWith('team-') ? 'Team' : holder.startsWith('org-') ? 'Organization' : 'User';

async function listTags(request: ApiRequest) {
  const { services, query } = request;
  const rows = await services.db
    .selectFrom('workspace_tags')
    .innerJoin('tags', 'tags.id', 'workspace_tags.tag_id')
    .selectAll('tags')
    .where('workspace_tags.workspace_id', '=', workspaceOf(request).id)
    .orderBy('tags.name')
    .execute();
  const text = query.get('q') ?? '';
  return await listOfRows(
    request,
    rows.filter(({ name }) => name.includes(text)),
    ({ id, name }) => ({ id, type: 'tags', attributes: { name } }),
  );
}

async function consumersOf(request: ApiRequest): Promise<readonly string[]> {
  const consumers = workspaceOf(request).settings['remote-state-consumers'];
  return Array.isArray(consumers) ? consumers.map(String) : [];
}

async function setConsumers(request: ApiRequest, change: 'add' | 'remove' | 'replace') {
  const { services, input } = request;
  const workspace = workspaceOf(request);
  const requestedIds = input.list.map(({ id }) => id);
  const known = new Set(
    requestedIds.length === 0
      ? []
      : (
          await services.db
            .selectFrom('workspaces')
            .select('id')
            .where('organization_id', '=', workspace.organization_id)
            .where('id', 'in', requestedIds)
            .execute()
        ).map(({ id }) => id),
  );
  if (requestedIds.some((id) => !known.has(id))) throw notFound();
  const before = await consumersOf(request);
  const after = {
    add: [...new Set([...before, ...requestedIds])],
    remove: before.filter((id) => !known.has(id)),
    replace: requestedIds,
  }[change];
  await services.db
    .updateTable('workspaces')
    .set({ settings: JSON.stringify({ ...workspace.settings, 'remote-state-consumers': after }) })
    .where('id', '=', workspace.id)
    .execute();
  return NO_CONTENT;
}

async function listConsumers(request: ApiRequest) {
  const { services, place } = request;
  const page = pageOf(request.query);
  const ids = await consumersOf(request);
  const data: Resource[] = [];
  for (const id of ids.slice((page.number - 1) * page.size, page.number * page.size)) {
    const row = await services.db
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    if (row !== undefined)
      data.push(await workspaceResource(services, row, { ...place, workspace: row }));
  }
  return ok(collection(data, page, ids.length, request.url));
}

async function assignSshKey(request: ApiRequest) {
  const { services, input } = request;
  const workspace = workspaceOf(request);
  const id = input.attributes['id'] ?? null;
  if (typeof id === 'string') {
    const key = await services.db
      .selectFrom('ssh_keys')
      .select('id')
      .where('id', '=', id)
      .where('organization_id', '=', workspace.organization_id)
      .executeTakeFirst();
    if (key === undefined) throw notFound();
  }
  const updated = await services.db
    .updateTable('workspaces')
    .set({ settings: JSON.stringify({ ...workspace.settings, 'ssh-key': id }) })
    .where('id', '=', workspace.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return ok({ data: await workspaceResource(services, updated, request.place) });
}

const BY_ID = '/api/v2/workspaces/:workspace';
const BY_NAME = '/api/v2/organizations/:organization/workspaces/:name';
const named = (permission: Parameters<typeof inWorkspace>[0]) =>
  inWorkspace(permission, 'name', 'workspace-name');

export const WORKSPACE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v2/organizations/:organization/workspaces',
    rule: inOrganization('organization:read'),
    handle: list,
  },
  {
    method: 'POST',
    path: '/api/v2/organizations/:organization/workspaces',
    rule: inOrganization('organization:manage-workspaces'),
    handle: create,
  },
  { method: 'GET', path: BY_NAME, rule: named('workspace:read'), handle: read },
  { method: 'PATCH', path: BY_NAME, rule: named('workspace:admin'), handle: update },
  {
    method: 'DELETE',
    path: BY_NAME,
    rule: named('workspace:admin'),
    handle: (request) => remove(request, false),
  },
  {
    method: 'POST',
    path: `${BY_NAME}/actions/safe-delete`,
    rule: named('workspace:admin'),
    handle: (request) => remove(request, true),
  },
  { method: 'GET', path: BY_ID, rule: inWorkspace('workspace:read'), handle: read },
  { method: 'PATCH', path: BY_ID, rule: inWorkspace('workspace:admin'), handle: update },
  {
    method: 'DELETE',
    path: BY_ID,
    rule: inWorkspace('workspace:admin'),
    handle: (request) => remove(request, false),
  },
  {
    method: 'POST',
    path: `${BY_ID}/actions/safe-delete`,
    rule: inWorkspace('workspace:admin'),
    handle: (request) => remove(request, true),
  },
  {
    method: 'POST',
    path: `${BY_ID}/actions/lock`,
    rule: inWorkspace('workspace:lock'),
    handle: lock,
  },
  {
    method: 'POST',
    path: `${BY_ID}/actions/unlock`,
    rule: inWorkspace('workspace:lock'),
    handle: (request) => unlock(request, false),
  },
  {
    method: 'POST',
    path: `${BY_ID}/actions/force-unlock`,
    rule: inWorkspace('workspace:admin'),
    handle: (request) => unlock(request, true),
  },
  {
    method: 'GET',
    path: `${BY_ID}/relationships/tags`,
    rule: inWorkspace('workspace:read'),
    handle: listTags,
  },
  {
    method: 'POST',
    path: `${BY_ID}/relationships/tags`,
    rule: inWorkspace('workspace:admin'),
    async handle(request) {
      await changeTags(request, 'add');
      return NO_CONTENT;
    },
  },
  {
    method: 'DELETE',
    path: `${BY_ID}/relationships/tags`,
    rule: inWorkspace('workspace:admin'),
    async handle(request) {
      await changeTags(request, 'remove');
      return NO_CONTENT;
    },
  },
  {
    method: 'GET',
    path: `${BY_ID}/relationships/remote-state-consumers`,
    rule: inWorkspace('workspace:read'),
    handle: listConsumers,
  },
  ...(['POST', 'PATCH', 'DELETE'] as const).map((method): Route => ({
    method,
    path: `${BY_ID}/relationships/remote-state-consumers`,
    rule: inWorkspace('workspace:admin'),
    handle: (request) =>
      setConsumers(request, ({ POST: 'add', PATCH: 'replace', DELETE: 'remove' } as const)[method]),
  })),
  {
    method: 'PATCH',
    path: `${BY_ID}/relationships/ssh-key`,
    rule: inWorkspace('workspace:admin'),
    handle: assignSshKey,
  },
  ...tagBindingRoutes(
    BY_ID,
    'workspace',
    inWorkspace('workspace:read'),
    inWorkspace('workspace:admin'),
  ),
];

export { list as listWorkspaces, lock as lockWorkspace, unlock as unlockWorkspace };
