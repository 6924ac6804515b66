import {
  collection,
  type Document,
  invalid,
  notFound,
  requestedPage,
  type Resource,
} from '../http/json-api.ts';
import { isOneOf } from '../http/choice.ts';
import { containing, listOfPage, withIncluded } from '../http/listing.ts';
import {
  type Answer,
  type ApiRequest,
  created,
  NO_CONTENT,
  ok,
  type Resourceish,
} from '../http/request.ts';
import { inOrganization, inWorkspace, type Route, type Rule } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import { newId, randomText, type Services } from '../services/services.ts';
import {
  effectiveVariables,
  sealValue,
  storedVariables,
  type Variable,
  variableSetsOf,
} from '../services/variables.ts';
import { organizationOf } from './organizations.ts';
import { includedWithSets, variableResource, variableSetResources } from './variable-resources.ts';
import { workspaceOf } from './workspace-resource.ts';

const CATEGORIES = ['terraform', 'env'] as const;

/** The longest description of a variable, in characters. */
const LONGEST_DESCRIPTION = 512;

function descriptionOf(input: ApiRequest['input']): string | undefined {
  const text = input.text('description');
  if (text !== undefined && text.length > LONGEST_DESCRIPTION) {
    throw invalid('description', `has at most ${LONGEST_DESCRIPTION} characters`);
  }
  return text;
}

async function create(request: ApiRequest, ownerId: string): Promise<Variable> {
  const { services, input } = request;
  const key = input.text('key') ?? '';
  if (key === '') throw invalid('key', "can't be blank");
  const category = input.text('category') ?? '';
  if (!isOneOf(CATEGORIES, category)) throw invalid('category', 'has to be "terraform" or "env"');
  checkKey(key, category);
  await refuseDuplicate(services, ownerId, key, category);
  const id = newId(services, 'var');
  return await services.db
    .insertInto('variables')
    .values({
      id,
      owner_id: ownerId,
      key,
      value: sealValue(services, id, input.text('value') ?? ''),
      category,
      hcl: input.boolean('hcl') ?? false,
      sensitive: input.boolean('sensitive') ?? false,
      description: descriptionOf(input) ?? '',
      version_id: randomText(services.random, 40),
      created_at: services.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

function checkKey(key: string, category: string): void {
  if (category === 'env' ? /[=\0\s]/.test(key) : /[\s"'=\0]/.test(key)) {
    throw invalid('key', 'contains characters that are not permitted in a name');
  }
}

async function refuseDuplicate(
  { db }: Pick<Services, 'db'>,
  ownerId: string,
  key: string,
  category: Variable['category'],
  except = '',
): Promise<void> {
  const taken = await db
    .selectFrom('variables')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('key', '=', key)
    .where('category', '=', category)
    .where('id', '!=', except)
    .executeTakeFirst();
  if (taken !== undefined) throw invalid('key', 'has already been taken');
}

async function variableOf({ services, param }: ApiRequest, ownerId: string): Promise<Variable> {
  const variable = await services.db
    .selectFrom('variables')
    .selectAll()
    .where('id', '=', param('variable'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  if (variable === undefined) throw notFound();
  return variable;
}

async function update(request: ApiRequest, ownerId: string): Promise<Variable> {
  const { services, input } = request;
  const variable = await variableOf(request, ownerId);
  const key = input.text('key') ?? variable.key;
  const category = input.text('category') ?? variable.category;
  if (!isOneOf(CATEGORIES, category)) throw invalid('category', 'has to be "terraform" or "env"');
  checkKey(key, category);
  await refuseDuplicate(services, ownerId, key, category, variable.id);
  const sensitive = input.boolean('sensitive') ?? variable.sensitive;
  // Otherwise a reader could make a secret visible.
  if (variable.sensitive && !sensitive) {
    throw invalid('sensitive', 'cannot be changed to false: create the variable again');
  }
  const value = input.text('value');
  return await services.db
    .updateTable('variables')
    .set({
      key,
      category,
      sensitive,
      hcl: input.boolean('hcl') ?? variable.hcl,
      description: descriptionOf(input) ?? variable.description,
      ...(value !== undefined && { value: sealValue(services, variable.id, value) }),
      version_id: randomText(services.random, 40),
    })
    .where('id', '=', variable.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function list(
  request: ApiRequest,
  ownerId: string,
  owner: 'workspaces' | 'varsets',
): Promise<Answer> {
  const { services, query, url } = request;
  const rows = await services.db
    .selectFrom('variables')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  // Lists of a workspace are not paged, as in HCP Terraform, unless a page is requested.
  const { number, size } = requestedPage(query) ?? { number: 1, size: Math.max(1, rows.length) };
  const data = rows
    .slice((number - 1) * size, number * size)
    .map((row) => variableResource(services, row, owner));
  return ok(collection(data, { number, size }, rows.length, url));
}

/** The routes of the variables of workspaces or variable sets. */
function variableRoutes(
  path: string,
  param: string,
  owner: 'workspaces' | 'varsets',
  reads: Rule,
  writes: Rule,
): readonly Route[] {
  const ownerOf = (request: ApiRequest): string => request.param(param);
  const record = async (request: ApiRequest, action: string, { id, key }: Variable) => {
    const organizationId = request.place.organization?.id ?? null;
    const details = { key, owner: ownerOf(request) };
    await audit(request.services, request.principal, {
      organizationId,
      action,
      type: 'variable',
      id,
      details,
    });
  };
  return [
    {
      method: 'GET',
      path,
      rule: reads,
      handle: (request) => list(request, ownerOf(request), owner),
    },
    {
      method: 'POST',
      path,
      rule: writes,
      async handle(request) {
        const variable = await create(request, ownerOf(request));
        await record(request, 'create', variable);
        return created({ data: variableResource(request.services, variable, owner) });
      },
    },
    {
      method: 'GET',
      path: `${path}/:variable`,
      rule: reads,
      handle: async (request) =>
        ok({
          data: variableResource(
            request.services,
            await variableOf(request, ownerOf(request)),
            owner,
          ),
        }),
    },
    {
      method: 'PATCH',
      path: `${path}/:variable`,
      rule: writes,
      async handle(request) {
        const variable = await update(request, ownerOf(request));
        await record(request, 'update', variable);
        return ok({ data: variableResource(request.services, variable, owner) });
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:variable`,
      rule: writes,
      async handle(request) {
        const variable = await variableOf(request, ownerOf(request));
        await request.services.db.deleteFrom('variables').where('id', '=', variable.id).execute();
        await record(request, 'destroy', variable);
        return NO_CONTENT;
      },
    },
  ];
}

type VariableSet = Awaited<ReturnType<typeof setRow>>;

async function setRow({ db }: Pick<Services, 'db'>, id: string) {
  const set = await db
    .selectFrom('variable_sets')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (set === undefined) throw notFound();
  return set;
}

async function assign(
  request: ApiRequest,
  setId: string,
  subjects: readonly Resourceish[],
  change: 'add' | 'remove',
): Promise<void> {
  const { services, place } = request;
  for (const { id } of subjects) {
    const table = id.startsWith('prj-') ? 'projects' : 'workspaces';
    const existing = await services.db
      .selectFrom(table)
      .select('id')
      .where('id', '=', id)
      .where('organization_id', '=', place.organization?.id ?? '')
      .executeTakeFirst();
    if (existing === undefined) throw notFound();
    if (change === 'add') {
      await services.db
        .insertInto('variable_set_subjects')
        .values({ variable_set_id: setId, subject_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    } else {
      await services.db
        .deleteFrom('variable_set_subjects')
        .where('variable_set_id', '=', setId)
        .where('subject_id', '=', id)
        .execute();
    }
  }
}

/** Returns the ID of the project that a new variable set belongs to; null for one of the organization. */
async function parentOf(request: ApiRequest): Promise<string | null> {
  const id = request.input.related('parent');
  if (id?.startsWith('prj-') !== true) return null;
  const project = await request.services.db
    .selectFrom('projects')
    .select('id')
    .where('id', '=', id)
    .where('organization_id', '=', organizationOf(request).id)
    .executeTakeFirst();
  if (project === undefined) throw notFound();
  return project.id;
}

async function createSet(request: ApiRequest) {
  const { services, input, principal } = request;
  const organization = organizationOf(request);
  const name = input.text('name') ?? '';
  if (name === '') throw invalid('name', "can't be blank");
  const isGlobal = input.boolean('global');
  if (isGlobal === undefined) throw invalid('global', "can't be blank");
  const parent = await parentOf(request);
  const now = services.clock.now();
  const set = await services.db
    .insertInto('variable_sets')
    .values({
      id: newId(services, 'varset'),
      organization_id: organization.id,
      name,
      description: input.text('description') ?? '',
      is_global: isGlobal,
      priority: input.boolean('priority') ?? false,
      parent_project_id: parent,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  try {
    await assign(request, set.id, input.relatedMany('workspaces') ?? [], 'add');
    await assign(request, set.id, input.relatedMany('projects') ?? [], 'add');
    for (const each of input.relatedMany('vars') ?? []) {
      const { Input } = await import('../http/request.ts');
      await create(
        { ...request, input: new Input({ data: { attributes: each.attributes } }) },
        set.id,
      );
    }
  } catch (error) {
    await services.db.deleteFrom('variables').where('owner_id', '=', set.id).execute();
    await services.db.deleteFrom('variable_sets').where('id', '=', set.id).execute();
    throw error;
  }
  await audit(services, principal, {
    organizationId: organization.id,
    action: 'create',
    type: 'varset',
    id: set.id,
  });
  return created(await setDocument(request, set));
}

async function updateSet(request: ApiRequest) {
  const { services, input } = request;
  const set = await setRow(services, request.param('set'));
  const updated = await services.db
    .updateTable('variable_sets')
    .set({
      name: input.text('name') ?? set.name,
      description: input.text('description') ?? set.description,
      is_global: input.boolean('global') ?? set.is_global,
      priority: input.boolean('priority') ?? set.priority,
      updated_at: services.clock.now(),
    })
    .where('id', '=', set.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  for (const [name, prefix] of [
    ['workspaces', 'ws-'],
    ['projects', 'prj-'],
  ] as const) {
    const subjects = input.relatedMany(name);
    if (subjects === undefined) continue;
    await services.db
      .deleteFrom('variable_set_subjects')
      .where('variable_set_id', '=', set.id)
      .where('subject_id', 'like', `${prefix}%`)
      .execute();
    await assign(request, set.id, subjects, 'add');
  }
  return ok(await setDocument(request, updated));
}

/** Returns the query of the variable sets of the organization of a request. */
function setsOfOrganization(request: ApiRequest) {
  return request.services.db
    .selectFrom('variable_sets')
    .where('organization_id', '=', organizationOf(request).id);
}

async function listSets(request: ApiRequest, sets = setsOfOrganization(request)) {
  const { query } = request;
  let select = sets;
  const text = query.get('q') ?? '';
  if (text !== '') select = select.where('name', 'ilike', containing(text));
  let included: readonly Resource[] = [];
  const answer = await listOfPage(request, select.selectAll().orderBy('name'), async (rows) => {
    included = await includedWithSets(request, rows);
    return await variableSetResources(request, rows);
  });
  return withIncluded(answer, included);
}

async function setsOfProject(request: ApiRequest) {
  const { services, param } = request;
  const assigned = services.db
    .selectFrom('variable_set_subjects')
    .select('variable_set_id')
    .where('subject_id', '=', param('project'));
  return await listSets(
    request,
    setsOfOrganization(request).where((where) =>
      where.or([where('is_global', '=', true), where('id', 'in', assigned)]),
    ),
  );
}

/** Returns the document of a variable set, with what the request includes. */
async function setDocument(request: ApiRequest, set: VariableSet): Promise<Document> {
  const [data] = await variableSetResources(request, [set]);
  return {
    ...(data !== undefined && { data }),
    included: await includedWithSets(request, [set]),
  };
}

const setReads = inOrganization('organization:read', 'set', 'variable-set');
const setWrites = inOrganization('organization:admin', 'set', 'variable-set');
const SET = '/api/v2/varsets/:set';

export const VARIABLE_ROUTES: readonly Route[] = [
  ...variableRoutes(
    '/api/v2/workspaces/:workspace/vars',
    'workspace',
    'workspaces',
    inWorkspace('workspace:read-variables'),
    inWorkspace('workspace:write-variables'),
  ),
  {
    method: 'GET',
    path: '/api/v2/workspaces/:workspace/all-vars',
    rule: inWorkspace('workspace:read-variables'),
    async handle(request) {
      const { services } = request;
      const workspace = workspaceOf(request);
      const { variables, sets } = await storedVariables(services, workspace);
      const data = effectiveVariables(variables, workspace.id, sets).map((row) =>
        variableResource(services, row, row.owner_id === workspace.id ? 'workspaces' : 'varsets'),
      );
      return ok(
        collection(data, { number: 1, size: Math.max(1, data.length) }, data.length, request.url),
      );
    },
  },
  {
    method: 'GET',
    path: '/api/v2/workspaces/:workspace/varsets',
    rule: inWorkspace('workspace:read-variables'),
    async handle(request) {
      const sets = await variableSetsOf(request.services, workspaceOf(request));
      const ids = ['', ...sets.map(({ id }) => id)];
      return await listSets(request, setsOfOrganization(request).where('id', 'in', ids));
    },
  },
  {
    method: 'GET',
    path: '/api/v2/projects/:project/varsets',
    rule: inOrganization('organization:read', 'project', 'project'),
    handle: setsOfProject,
  },
  {
    method: 'GET',
    path: '/api/v2/organizations/:organization/varsets',
    rule: inOrganization('organization:read'),
    handle: (request) => listSets(request),
  },
  {
    method: 'POST',
    path: '/api/v2/organizations/:organization/varsets',
    rule: inOrganization('organization:admin'),
    handle: createSet,
  },
  {
    method: 'GET',
    path: SET,
    rule: setReads,
    async handle(request) {
      const { services } = request;
      const set = await setRow(services, request.param('set'));
      return ok(await setDocument(request, set));
    },
  },
  { method: 'PATCH', path: SET, rule: setWrites, handle: updateSet },
  {
    method: 'DELETE',
    path: SET,
    rule: setWrites,
    async handle({ services, param }) {
      await services.db.deleteFrom('variable_sets').where('id', '=', param('set')).execute();
      await services.db.deleteFrom('variables').where('owner_id', '=', param('set')).execute();
      return NO_CONTENT;
    },
  },
  ...variableRoutes(`${SET}/relationships/vars`, 'set', 'varsets', setReads, setWrites),
  ...(['workspaces', 'projects'] as const).flatMap((kind): readonly Route[] =>
    (['POST', 'DELETE'] as const).map((method) => ({
      method,
      path: `${SET}/relationships/${kind}`,
      rule: setWrites,
      async handle(request) {
        const change = method === 'POST' ? 'add' : 'remove';
        await assign(request, request.param('set'), request.input.list, change);
        return NO_CONTENT;
      },
    })),
  ),
];
