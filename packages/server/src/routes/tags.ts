import type { Selectable } from 'kysely';
import type { Workspace } from '../access/place.ts';
import type { TagBindingTable } from '../database/schema.ts';
import { ApiError, invalid, notFound, type Resource } from '../http/json-api.ts';
import { type ApiRequest, NO_CONTENT, ok, type Resourceish } from '../http/request.ts';
import type { Route, Rule } from '../http/route.ts';
import { newId, type Services } from '../services/services.ts';

/** The type of documents that reserve tag keys. */
export const RESERVED_TAG_KEYS = 'reserved-tag-keys';

/** The most tag bindings of a workspace or project itself, as in HCP Terraform. */
const MOST_BINDINGS = 10;

interface Binding {
  readonly key: string;
  readonly value: string;
}

function checkedBinding({ attributes }: Resourceish): Binding {
  const { key, value } = attributes;
  if (typeof key !== 'string' || key === '') throw invalid('key', "can't be blank");
  return { key, value: typeof value === 'string' ? value : '' };
}

/**
 * Throws an ApiError if a workspace would override a tag of its project whose key the organization has reserved without
 * overrides.
 */
async function refuseOverrides(
  { db }: Pick<Services, 'db'>,
  subject: string,
  bindings: readonly Binding[],
): Promise<void> {
  if (bindings.length === 0) return;
  const overridden = await db
    .selectFrom('workspaces')
    .innerJoin('tag_bindings', 'tag_bindings.subject_id', 'workspaces.project_id')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.organization_id', '=', 'workspaces.organization_id')
        .onRef('documents.name', '=', 'tag_bindings.key'),
    )
    .select(['tag_bindings.key', 'tag_bindings.value', 'documents.attributes'])
    .where('workspaces.id', '=', subject)
    .where('documents.type', '=', RESERVED_TAG_KEYS)
    .where(
      'tag_bindings.key',
      'in',
      bindings.map(({ key }) => key),
    )
    .execute();
  for (const { key, value, attributes } of overridden) {
    if (attributes['disable-overrides'] !== true) continue;
    if (bindings.some((each) => each.key === key && each.value !== value)) {
      throw invalid('key', `${key} is reserved, and its value is that of the project`);
    }
  }
}

/** Binds tags to a workspace or a project. Throws an ApiError, without a change, if these are too many. */
export async function setTagBindings(
  services: Pick<Services, 'db' | 'random'>,
  subject: string,
  bindings: readonly Resourceish[],
  mode: 'add' | 'replace',
): Promise<void> {
  const checked = bindings.map(checkedBinding);
  await refuseOverrides(services, subject, checked);
  await services.db.transaction().execute(async (db) => {
    if (mode === 'replace') {
      await db.deleteFrom('tag_bindings').where('subject_id', '=', subject).execute();
    }
    for (const { key, value } of checked) {
      await db
        .insertInto('tag_bindings')
        .values({ id: newId(services, 'tag'), subject_id: subject, key, value })
        .onConflict((conflict) => conflict.columns(['subject_id', 'key']).doUpdateSet({ value }))
        .execute();
    }
    const { count } = await db
      .selectFrom('tag_bindings')
      .select((select) => select.fn.countAll().as('count'))
      .where('subject_id', '=', subject)
      .executeTakeFirstOrThrow();
    if (Number(count) > MOST_BINDINGS) {
      throw new ApiError(
        422,
        'invalid',
        `Tag bindings cannot exceed ${MOST_BINDINGS} per resource`,
      );
    }
  });
}

/** Returns the tag bindings of workspaces and projects, by their keys. */
export async function bindingsOf(
  services: Pick<Services, 'db'>,
  ...subjects: readonly string[]
): Promise<readonly Selectable<TagBindingTable>[]> {
  return await services.db
    .selectFrom('tag_bindings')
    .selectAll()
    .where('subject_id', 'in', subjects)
    .orderBy('key')
    .execute();
}

/** The type of the tag bindings that a workspace has itself or from its project. */
export const EFFECTIVE_TAG_BINDINGS = 'effective-tag-bindings';

/** Returns the tag bindings of each of several workspaces, with those that it inherits, in one query. */
export async function effectiveBindings(
  services: Pick<Services, 'db'>,
  workspaces: readonly Pick<Workspace, 'id' | 'project_id'>[],
): Promise<(workspace: Pick<Workspace, 'id' | 'project_id'>) => readonly Resource[]> {
  if (workspaces.length === 0) return () => [];
  const subjects = new Set(workspaces.flatMap((each) => [each.id, each.project_id]));
  const rows = await bindingsOf(services, ...subjects);
  return ({ id, project_id: project }) => {
    const ownKeys = new Set(rows.filter((row) => row.subject_id === id).map(({ key }) => key));
    return rows
      .filter(
        (row) => row.subject_id === id || (row.subject_id === project && !ownKeys.has(row.key)),
      )
      .map((row) => ({
        id: row.id,
        type: EFFECTIVE_TAG_BINDINGS,
        attributes: { key: row.key, value: row.value },
        ...(row.subject_id !== id && {
          links: { 'inherited-from': `/api/v2/projects/${project}` },
        }),
      }));
  };
}

/** Routes of the tag bindings of workspaces or projects. */
export function tagBindingRoutes(
  path: string,
  param: string,
  reads: Rule,
  writes: Rule,
): readonly Route[] {
  const presentedBindings = async (
    request: ApiRequest,
    type: string,
  ): Promise<readonly Resource[]> =>
    (await bindingsOf(request.services, request.param(param))).map(({ id, key, value }) => ({
      id,
      type,
      attributes: { key, value },
    }));
  return [
    {
      method: 'GET',
      path: `${path}/tag-bindings`,
      rule: reads,
      handle: async (request) => ok({ data: await presentedBindings(request, 'tag-bindings') }),
    },
    {
      method: 'GET',
      path: `${path}/effective-tag-bindings`,
      rule: reads,
      async handle(request) {
        const { services, place } = request;
        if (place.workspace === undefined) {
          return ok({ data: await presentedBindings(request, EFFECTIVE_TAG_BINDINGS) });
        }
        const bindings = await effectiveBindings(services, [place.workspace]);
        return ok({ data: bindings(place.workspace) });
      },
    },
    {
      method: 'PATCH',
      path: `${path}/tag-bindings`,
      rule: writes,
      async handle(request) {
        const { list } = request.input;
        await setTagBindings(request.services, request.param(param), list, 'add');
        // Those of the request come first, in its order.
        const order = new Map(list.map(({ attributes }, index) => [attributes['key'], index]));
        const placeOf = ({ attributes }: Resource): number =>
          order.get(attributes?.['key']) ?? order.size;
        const bindings = await presentedBindings(request, 'tag-bindings');
        return ok({ data: bindings.toSorted((one, other) => placeOf(one) - placeOf(other)) });
      },
    },
    {
      method: 'DELETE',
      path: `${path}/tag-bindings`,
      rule: writes,
      async handle(request) {
        const { services } = request;
        await services.db
          .deleteFrom('tag_bindings')
          .where('subject_id', '=', request.param(param))
          .execute();
        return NO_CONTENT;
      },
    },
  ];
}

/** Adds and removes the tags (names without values) of a workspace. */
export async function changeTags(
  { services, place, input }: ApiRequest,
  change: 'add' | 'remove',
): Promise<void> {
  const { organization, workspace } = place;
  if (organization === undefined || workspace === undefined) throw notFound();
  await changeTagsOf(services, organization.id, workspace.id, input.list, change);
}

export async function changeTagsOf(
  services: Pick<Services, 'db' | 'random'>,
  organizationId: string,
  workspaceId: string,
  tags: readonly Resourceish[],
  change: 'add' | 'remove',
): Promise<void> {
  const { db } = services;
  for (const { id, attributes } of tags) {
    const { name } = attributes;
    let tag = await db
      .selectFrom('tags')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where(id === '' ? 'name' : 'id', '=', id === '' ? String(name ?? '') : id)
      .executeTakeFirst();
    if (tag === undefined) {
      if (change === 'remove') continue;
      if (typeof name !== 'string' || name === '') throw notFound();
      if (!/^[A-Za-z0-9:_-]{1,255}$/.test(name)) {
        throw invalid('name', 'of a tag has to have letters, digits, ":", "-" and "_" only');
      }
      tag = { id: newId(services, 'tag') };
      await db
        .insertInto('tags')
        .values({ id: tag.id, organization_id: organizationId, name: name.toLowerCase() })
        .execute();
    }
    const row = { workspace_id: workspaceId, tag_id: tag.id };
    if (change === 'add') {
      await db
        .insertInto('workspace_tags')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    } else {
      await db
        .deleteFrom('workspace_tags')
        .where('workspace_id', '=', workspaceId)
        .where('tag_id', '=', tag.id)
        .execute();
    }
  }
}
