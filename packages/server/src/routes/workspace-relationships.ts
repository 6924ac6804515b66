// Relationships of workspaces that have endpoints of their own: tags, consumers of the state, and the SSH key.
import { collection, notFound, pageOf } from '../http/json-api.ts';
import { listOfRows } from '../http/listing.ts';
import { type ApiRequest, NO_CONTENT, ok } from '../http/request.ts';
import { inWorkspace, type Route } from '../http/route.ts';
import { changeTags, tagBindingRoutes } from './tags.ts';
import { presentWorkspaces, workspaceOf, workspaceResource } from './workspace-resource.ts';

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
  const page = pageOf(request.query);
  const ids = await consumersOf(request);
  const rows = await request.services.db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', 'in', ['', ...ids.slice((page.number - 1) * page.size, page.number * page.size)])
    .orderBy('name')
    .execute();
  const data = await presentWorkspaces(request, rows);
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

export const WORKSPACE_RELATIONSHIP_ROUTES: readonly Route[] = [
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
