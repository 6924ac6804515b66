// Presents variables and variable sets, with as many queries for several as for one.
import { type Selectable, sql } from 'kysely';
import { visibleWorkspaces } from '../access/authorize.ts';
import type { VariableSetTable } from '../database/schema.ts';
import { groupedBy } from '../http/grouped-by.ts';
import { type ApiResource, type Resource, toMany, toOne } from '../http/json-api.ts';
import type { ApiRequest } from '../http/request.ts';
import type { Services } from '../services/services.ts';
import { openValue, type Variable } from '../services/variables.ts';
import { projectResources } from './projects.ts';
import { presentWorkspaces } from './workspace-resource.ts';

type VariableSet = Selectable<VariableSetTable>;

/** Presents a variable. The value of a sensitive one is null. */
export function variableResource(
  services: Pick<Services, 'sealing'>,
  variable: Variable,
  owner: 'workspaces' | 'varsets',
): ApiResource<'vars'> {
  return {
    id: variable.id,
    type: 'vars',
    attributes: {
      key: variable.key,
      value: variable.sensitive ? null : openValue(services, variable),
      sensitive: variable.sensitive,
      category: variable.category,
      hcl: variable.hcl,
      description: variable.description,
      'created-at': variable.created_at.toISOString(),
      'version-id': variable.version_id,
    },
    relationships:
      owner === 'workspaces'
        ? { configurable: toOne('workspaces', variable.owner_id) }
        : { varset: toOne('varsets', variable.owner_id) },
    links: {
      self: `/api/v2/${owner}/${variable.owner_id}/${owner === 'varsets' ? 'relationships/' : ''}vars/${variable.id}`,
    },
  };
}

/** Presents variable sets. */
export async function variableSetResources(
  { services, place }: ApiRequest,
  sets: readonly VariableSet[],
): Promise<readonly Resource[]> {
  const ids = sets.map(({ id }) => id);
  if (ids.length === 0) return [];
  const subjects = groupedBy(await subjectsOf(services, ids), (each) => each.variable_set_id);
  const rows = await services.db
    .selectFrom('variables')
    .select(['id', 'owner_id'])
    .where('owner_id', 'in', ids)
    .execute();
  const variables = groupedBy(rows, (each) => each.owner_id);
  return sets.map((set): ApiResource<'varsets'> => {
    const assignments = subjects.get(set.id) ?? [];
    const idsOf = (prefix: string): readonly string[] =>
      assignments.map(({ subject_id: id }) => id).filter((id) => id.startsWith(prefix));
    const [workspaces, projects] = [idsOf('ws-'), idsOf('prj-')];
    const variableIds = (variables.get(set.id) ?? []).map(({ id }) => id);
    return {
      id: set.id,
      type: 'varsets',
      attributes: {
        name: set.name,
        description: set.description,
        global: set.is_global,
        priority: set.priority,
        'updated-at': set.updated_at.toISOString(),
        'var-count': variableIds.length,
        'workspace-count': workspaces.length,
        'project-count': projects.length,
        permissions: { 'can-update': place.organizationPermissions.has('organization:admin') },
      },
      relationships: {
        organization: toOne('organizations', place.organization?.name),
        parent:
          set.parent_project_id === null
            ? toOne('organizations', place.organization?.name)
            : toOne('projects', set.parent_project_id),
        vars: toMany('vars', variableIds),
        workspaces: toMany('workspaces', workspaces),
        projects: toMany('projects', projects),
        stacks: { data: [] },
      },
      links: { self: `/api/v2/varsets/${set.id}` },
    };
  });
}

async function subjectsOf({ db }: Pick<Services, 'db'>, ids: readonly string[]) {
  return await db
    .selectFrom('variable_set_subjects')
    .selectAll()
    .where('variable_set_id', 'in', ids)
    .execute();
}

/** Returns the variables, workspaces and projects that a request for variable sets includes, each once. */
export async function includedWithSets(
  request: ApiRequest,
  sets: readonly VariableSet[],
): Promise<readonly Resource[]> {
  const { services, query, principal, place } = request;
  const names = new Set((query.get('include') ?? '').split(','));
  const ids = sets.map(({ id }) => id);
  if (ids.length === 0) return [];
  const included: Resource[] = [];
  if (names.has('vars')) {
    const rows = await services.db
      .selectFrom('variables')
      .selectAll()
      .where('owner_id', 'in', ids)
      .execute();
    included.push(...rows.map((row) => variableResource(services, row, 'varsets')));
  }
  if (!names.has('workspaces') && !names.has('projects')) return included;
  const subjects = (await subjectsOf(services, ids)).map(({ subject_id: id }) => id);
  if (names.has('workspaces') && subjects.length > 0) {
    const visible = await visibleWorkspaces(services, principal, place);
    const rows = await services.db
      .selectFrom('workspaces')
      .selectAll()
      .where('id', 'in', subjects)
      .where(visible ?? sql<boolean>`true`)
      .execute();
    included.push(...(await presentWorkspaces(request, rows)));
  }
  if (names.has('projects') && subjects.length > 0) {
    const rows = await services.db
      .selectFrom('projects')
      .selectAll()
      .where('id', 'in', subjects)
      .execute();
    included.push(...(await projectResources(request, rows)));
  }
  return included;
}
