import type { Workspace } from '../access/place.ts';
import type { Resource } from '../http/json-api.ts';
import { type ApiRequest, fields } from '../http/request.ts';
import { defaultProjectOf, organizationResource } from './organizations.ts';
import { runResources } from './runs.ts';
import { EFFECTIVE_TAG_BINDINGS, effectiveBindings } from './tags.ts';
import { placesOf } from './workspace-resource.ts';

/** The parts of a document that depend on `include`. */
interface Included {
  readonly data: readonly Resource[];
  readonly included: readonly Resource[];
}

/** Adds what `include` requests with workspaces, each resource once. `data` are the presented workspaces. */
export async function withRelated(
  request: ApiRequest,
  workspaces: readonly Workspace[],
  data: readonly Resource[],
): Promise<Included> {
  const { services, query, place } = request;
  const names = new Set(
    (query.get('include') ?? '').split(',').map((name) => name.replaceAll('-', '_')),
  );
  const included: Resource[] = [];
  if (names.has('organization') && place.organization !== undefined) {
    const project = await defaultProjectOf(services, place.organization.id);
    included.push(organizationResource(place.organization, place, project?.id));
  }
  if (names.has('outputs')) included.push(...(await outputsOf(request, workspaces)));
  if (names.has('current_run')) included.push(...(await currentRuns(request, data)));
  if (!names.has('effective_tag_bindings')) return { data, included };
  const bindingsOf = await effectiveBindings(services, workspaces);
  const bindings = new Map<string, Resource>();
  const related = data.map((resource, index): Resource => {
    const workspace = workspaces[index];
    const tagBindings = workspace === undefined ? [] : bindingsOf(workspace);
    for (const each of tagBindings) bindings.set(each.id, each);
    const effective = {
      ...resource.relationships?.[EFFECTIVE_TAG_BINDINGS],
      data: tagBindings.map(({ id, type }) => ({ id, type })),
    };
    return {
      ...resource,
      relationships: { ...resource.relationships, [EFFECTIVE_TAG_BINDINGS]: effective },
    };
  });
  return { data: related, included: [...included, ...bindings.values()] };
}

/** Returns the outputs of the workspaces whose outputs the principal may read. Sensitive values are null. */
async function outputsOf(
  request: ApiRequest,
  workspaces: readonly Workspace[],
): Promise<readonly Resource[]> {
  const { services } = request;
  const places = await placesOf(request, workspaces);
  const versions = workspaces.flatMap((workspace, index) =>
    places[index]?.workspacePermissions.has('workspace:read-outputs') === true
      ? (workspace.current_state_version_id ?? [])
      : [],
  );
  if (versions.length === 0) return [];
  const rows = await services.db
    .selectFrom('state_outputs')
    .selectAll()
    .where('state_version_id', 'in', versions)
    .execute();
  return rows.map((row) => {
    const { value } = fields(JSON.parse(services.sealing.open(row.content, row.id).toString()));
    return {
      id: row.id,
      type: 'workspace-outputs',
      attributes: {
        name: row.name,
        sensitive: row.sensitive,
        'output-type': row.type,
        value: row.sensitive ? null : value,
      },
    };
  });
}

/** Returns the runs that workspaces name as their current ones. */
async function currentRuns(
  { services, place }: ApiRequest,
  workspaces: readonly Resource[],
): Promise<readonly Resource[]> {
  const ids = workspaces.flatMap(({ relationships }) => {
    const data = relationships?.['current-run']?.data;
    return data === null || data === undefined || !('id' in data) ? [] : [data.id];
  });
  if (ids.length === 0) return [];
  const runs = await services.db.selectFrom('runs').selectAll().where('id', 'in', ids).execute();
  return await runResources(services, runs, place);
}
