import type { Selectable } from 'kysely';
import type { Organization } from '../access/place.ts';
import type { ProjectTable } from '../database/schema.ts';
import {
  ApiError,
  invalid,
  notFound,
  type ApiResource,
  type Resource,
  toMany,
  toOne,
} from '../http/json-api.ts';
import { containing, listOfPage } from '../http/listing.ts';
import { type ApiRequest, created, fields, NO_CONTENT, ok } from '../http/request.ts';
import { inOrganization, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { requireAutoDestroy } from '../services/auto-destroy.ts';
import { inheritExecution } from '../services/execution.ts';
import { newId } from '../services/services.ts';
import { organizationOf, requireEqualOverwrites, settingsOf } from './organizations.ts';
import { bindingsOf, setTagBindings, tagBindingRoutes } from './tags.ts';

type Project = Selectable<ProjectTable>;

const SETTINGS: Readonly<Record<string, null>> = {
  'auto-destroy-activity-duration': null,
  'default-execution-mode': null,
  'default-agent-pool-id': null,
  'setting-overwrites': null,
};

function projectResource(
  project: Project,
  { name: organization, settings: inherited }: Organization,
  workspaces: number,
  isAdmin: boolean,
): ApiResource<'projects'> {
  const { settings } = project;
  const mode = settings['default-execution-mode'] ?? null;
  const pool = settings['default-agent-pool-id'] ?? null;
  return {
    id: project.id,
    type: 'projects',
    attributes: {
      name: project.name,
      description: project.description,
      'is-unified': false,
      'created-at': project.created_at.toISOString(),
      'workspace-count': workspaces,
      'team-count': 0,
      'stack-count': 0,
      'auto-destroy-activity-duration': settings['auto-destroy-activity-duration'] ?? null,
      'default-execution-mode': mode ?? inherited['default-execution-mode'] ?? 'remote',
      'setting-overwrites': {
        'default-execution-mode': mode !== null,
        'default-agent-pool': pool !== null,
        ...(typeof settings['setting-overwrites'] === 'object'
          ? settings['setting-overwrites']
          : {}),
      },
      permissions: {
        'can-read': true,
        'can-update': isAdmin,
        'can-destroy': isAdmin,
        'can-create-workspace': isAdmin,
        'can-move-workspace': isAdmin,
        'can-deploy-no-code-modules': false,
        'can-read-teams': isAdmin,
        'can-manage-tags': isAdmin,
        'can-manage-teams': isAdmin,
        'can-manage-in-hcp': false,
        'can-manage-ephemeral-workspace-for-projects': false,
      },
    },
    relationships: {
      organization: toOne('organizations', organization),
      'default-agent-pool': toOne('agent-pools', typeof pool === 'string' ? pool : null),
      'effective-tag-bindings': {
        links: { related: `/api/v2/projects/${project.id}/effective-tag-bindings` },
      },
    },
    links: { self: `/api/v2/projects/${project.id}` },
  };
}

async function projectOf({ services, param }: ApiRequest): Promise<Project> {
  const project = await services.db
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', param('project'))
    .executeTakeFirst();
  if (project === undefined) throw notFound();
  return project;
}

/** Presents projects, with as many queries for several as for one. */
export async function projectResources(
  request: ApiRequest,
  projects: readonly Project[],
): Promise<readonly Resource[]> {
  if (projects.length === 0) return [];
  const counts = await request.services.db
    .selectFrom('workspaces')
    .select(['project_id', (select) => select.fn.countAll().as('count')])
    .where(
      'project_id',
      'in',
      projects.map(({ id }) => id),
    )
    .groupBy('project_id')
    .execute();
  const workspaces = new Map(counts.map((row) => [row.project_id, Number(row.count)]));
  const isAdmin = request.place.organizationPermissions.has('organization:manage-projects');
  const organization = organizationOf(request);
  return projects.map((project) =>
    projectResource(project, organization, workspaces.get(project.id) ?? 0, isAdmin),
  );
}

async function present(request: ApiRequest, project: Project): Promise<Resource> {
  const [resource] = await projectResources(request, [project]);
  if (resource === undefined) throw notFound();
  return resource;
}

/** Answers with a project, and its tag bindings if the request includes them. */
async function answerWith(request: ApiRequest, project: Project) {
  const data = await present(request, project);
  const wanted = (request.query.get('include') ?? '').split(',');
  if (!wanted.includes('effective_tag_bindings')) return ok({ data });
  const rows = await bindingsOf(request.services, project.id);
  const type = 'effective-tag-bindings';
  return ok({
    data: {
      ...data,
      relationships: {
        ...data.relationships,
        [type]: {
          ...data.relationships?.[type],
          ...toMany(
            type,
            rows.map(({ id }) => id),
          ),
        },
      },
    },
    included: rows.map(({ id, key, value }) => ({ id, type, attributes: { key, value } })),
  });
}

async function list(request: ApiRequest) {
  const { services, query } = request;
  let select = services.db
    .selectFrom('projects')
    .where('organization_id', '=', organizationOf(request).id);
  const names = query.get('filter[names]') ?? '';
  if (names !== '') select = select.where('name', 'in', names.split(','));
  const text = query.get('q') ?? '';
  if (text !== '') select = select.where('name', 'ilike', containing(text));
  for (let index = 0; index < 20; index++) {
    const key = query.get(`filter[tagged][${index}][key]`);
    if (key === null) break;
    const value = query.get(`filter[tagged][${index}][value]`);
    select = select.where('id', 'in', (sub) => {
      const bound = sub.selectFrom('tag_bindings').select('subject_id').where('key', '=', key);
      return value === null ? bound : bound.where('value', '=', value);
    });
  }
  return await listOfPage(request, select.selectAll().orderBy('name'), (rows) =>
    projectResources(request, rows),
  );
}

function checkedName(name: string | undefined): string {
  if (name === undefined || name.trim() === '') throw invalid('name', "can't be blank");
  if (name.length < 3 || name.length > 40 || !/^[\w -]+$/.test(name)) {
    throw invalid(
      'name',
      'may only contain letters, numbers, spaces, "-" and "_", and has to have 3 to 40 characters',
    );
  }
  return name;
}

async function refuseDuplicate(request: ApiRequest, name: string, except = ''): Promise<void> {
  const taken = await request.services.db
    .selectFrom('projects')
    .select('id')
    .where('organization_id', '=', organizationOf(request).id)
    .where('name', '=', name)
    .where('id', '!=', except)
    .executeTakeFirst();
  if (taken !== undefined) throw invalid('name', 'has already been taken');
}

/** Throws an ApiError if an agent pool and the execution mode do not belong together, or if the pool is not known. */
async function requireExecution(
  { services, place }: ApiRequest,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { 'default-execution-mode': mode, 'default-agent-pool-id': pool } = settings;
  requireAutoDestroy(settings);
  requireEqualOverwrites(fields(settings['setting-overwrites']), 'default-');
  const hasPool = typeof pool === 'string' && pool !== '';
  if (mode !== 'agent') {
    if (!hasPool) return;
    throw invalid(
      'default-agent-pool-id',
      "must not be specified unless using 'agent' execution mode",
    );
  }
  if (!hasPool) {
    throw invalid('default-agent-pool-id', "must be specified when using 'agent' execution mode");
  }
  const existing = await services.db
    .selectFrom('agent_pools')
    .select('id')
    .where('id', '=', pool)
    .where('organization_id', '=', place.organization?.id ?? '')
    .executeTakeFirst();
  if (existing === undefined) throw notFound();
}

async function create(request: ApiRequest) {
  const { services, input, principal } = request;
  const organization = organizationOf(request);
  const name = checkedName(input.text('name'));
  await refuseDuplicate(request, name);
  const settings = settingsOf(request, SETTINGS);
  await requireExecution(request, settings);
  const project = await services.db
    .insertInto('projects')
    .values({
      id: newId(services, 'prj'),
      organization_id: organization.id,
      name,
      description: input.text('description') ?? '',
      is_default: false,
      settings: JSON.stringify(settings),
      created_at: services.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await setTagBindings(services, project.id, input.relatedMany('tag-bindings') ?? [], 'add');
  await audit(services, principal, {
    organizationId: organization.id,
    action: 'create',
    type: 'project',
    id: project.id,
  });
  return created({ data: await present(request, project) });
}

async function update(request: ApiRequest) {
  const { services, input } = request;
  const project = await projectOf(request);
  const name = input.has('name') ? checkedName(input.text('name')) : project.name;
  await refuseDuplicate(request, name, project.id);
  const settings: Record<string, unknown> = {
    ...project.settings,
    ...settingsOf(request, SETTINGS),
  };
  // Another mode has no agent pool.
  const mode = input.text('default-execution-mode');
  const hasPool = input.text('default-agent-pool-id') !== undefined;
  if (mode !== undefined && mode !== 'agent' && !hasPool) settings['default-agent-pool-id'] = null;
  await requireExecution(request, settings);
  const updated = await services.db
    .updateTable('projects')
    .set({
      name,
      description: input.text('description') ?? project.description,
      settings: JSON.stringify(settings),
    })
    .where('id', '=', project.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await inheritExecution(services.db, organizationOf(request));
  const bindings = input.relatedMany('tag-bindings');
  if (bindings !== undefined) await setTagBindings(services, project.id, bindings, 'replace');
  return ok({ data: await present(request, updated) });
}

async function remove(request: ApiRequest) {
  const { services, principal } = request;
  const project = await projectOf(request);
  const used = await services.db
    .selectFrom('workspaces')
    .select('id')
    .where('project_id', '=', project.id)
    .limit(1)
    .executeTakeFirst();
  if (used !== undefined || project.is_default) {
    const reason = project.is_default ? 'It is the default project.' : 'It has workspaces.';
    throw new ApiError(422, 'invalid', `The project cannot be deleted. ${reason}`);
  }
  await services.db.deleteFrom('projects').where('id', '=', project.id).execute();
  await audit(services, principal, {
    organizationId: project.organization_id,
    action: 'destroy',
    type: 'project',
    id: project.id,
  });
  return NO_CONTENT;
}

const reads = inOrganization('organization:read', 'project', 'project');
const manages = inOrganization('organization:manage-projects', 'project', 'project');

export const PROJECT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v2/organizations/:organization/projects',
    rule: inOrganization('organization:read'),
    handle: list,
  },
  {
    method: 'POST',
    path: '/api/v2/organizations/:organization/projects',
    rule: inOrganization('organization:manage-projects'),
    handle: create,
  },
  {
    method: 'GET',
    path: '/api/v2/projects/:project',
    rule: reads,
    handle: async (request) => await answerWith(request, await projectOf(request)),
  },
  { method: 'PATCH', path: '/api/v2/projects/:project', rule: manages, handle: update },
  { method: 'DELETE', path: '/api/v2/projects/:project', rule: manages, handle: remove },
  ...tagBindingRoutes('/api/v2/projects/:project', 'project', reads, manages),
];
