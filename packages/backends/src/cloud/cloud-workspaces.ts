import { userErrorText } from '@terrane/host';
import { type ApiObject, listOf, textOf } from './api-object.ts';
import { CloudFault, isNotFound } from './cloud-client.ts';
import { type CloudConnection } from './connect.ts';

/** A workspace at the server. */
export interface CloudWorkspace {
  readonly id: string;
  readonly name: string;
  /** `local`, `remote` or `agent` */
  readonly executionMode: string;
  /** a version, a constraint, or `latest` */
  readonly terraformVersion: string;
  /** the holder and reason of the lock; `undefined` if unlocked */
  readonly lock?: { readonly reason: string; readonly by: string };
  /** tags without values */
  readonly tagNames: readonly string[];
  /** true if the server refuses to delete a workspace with a non-empty state */
  readonly hasSafeDelete: boolean;
}

/** Receives the notice about a new workspace. */
export type CloudNotice = (text: string) => void;

/** Returns the workspace with a name on the server; `undefined` if it does not exist or is not visible to the token. */
export async function readWorkspace(
  { client, settings }: CloudConnection,
  name: string,
): Promise<CloudWorkspace | undefined> {
  try {
    const path = `organizations/${encodeURIComponent(settings.organization)}/workspaces/${encodeURIComponent(name)}`;
    return first(await client.ask({ path, query: { include: 'locked_by' } }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function first(answer: {
  readonly data: readonly ApiObject[];
  readonly included: readonly ApiObject[];
}): CloudWorkspace {
  const [object] = answer.data;
  if (object === undefined) throw new Error('the response of the server contains no workspace');
  return workspaceOf(object, answer.included);
}

function workspaceOf(object: ApiObject, included: readonly ApiObject[] = []): CloudWorkspace {
  const { id, attributes, relations } = object;
  const text = (name: string): string => textOf(attributes[name]) ?? '';
  const permissions = attributes['permissions'];
  const holder = relations.get('locked-by');
  const existing = included.find((each) => each.id === holder?.id && each.type === holder.type);
  const by =
    textOf(existing?.attributes['username']) ??
    textOf(existing?.attributes['name']) ??
    (holder === undefined ? '' : `${holder.type.replace(/s$/, '')} ${holder.id}`);
  return {
    id,
    name: text('name'),
    executionMode: text('execution-mode'),
    terraformVersion: text('terraform-version'),
    ...(attributes['locked'] === true ? { lock: { reason: text('locked-reason'), by } } : {}),
    tagNames: listOf(attributes['tag-names']).flatMap((each) => textOf(each) ?? []),
    hasSafeDelete:
      typeof permissions === 'object' &&
      permissions !== null &&
      'can-force-delete' in permissions &&
      permissions['can-force-delete'] !== null,
  };
}

/** The names, at the server, of the workspaces that the settings select, sorted. */
export async function workspaceNames(connection: CloudConnection): Promise<readonly string[]> {
  const { client, settings } = connection;
  const { mapping, organization } = settings;
  const query: Record<string, string> = {};
  if (mapping.kind === 'tags') {
    query['search[tags]'] = [...mapping.tags.keys()].join(',');
    if (mapping.valued) {
      for (const [index, [key, value]] of [...mapping.tags].entries()) {
        query[`filter[tagged][${index}][key]`] = key;
        query[`filter[tagged][${index}][value]`] = value;
      }
    }
    if (mapping.project !== undefined) {
      const project = await findProject(connection, mapping.project);
      if (project !== undefined) query['filter[project][id]'] = project;
    }
  } else {
    query['search[name]'] = mapping.kind === 'prefix' ? mapping.prefix : mapping.name;
  }
  const path = `organizations/${encodeURIComponent(organization)}/workspaces`;
  const names = (await client.askAll({ path, query })).map((each) => workspaceOf(each).name);
  return names.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

async function findProject(
  { client, settings }: CloudConnection,
  name: string,
): Promise<string | undefined> {
  const path = `organizations/${encodeURIComponent(settings.organization)}/projects`;
  try {
    const projects = await client.askAll({ path, query: { 'filter[names]': name } });
    return projects.find((each) => each.attributes['name'] === name)?.id;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw new Error(`failed to retrieve project ${name}: ${userErrorText(error)}`, {
      cause: error,
    });
  }
}

/** Returns the workspace with a name; creates it if necessary, with the configured tags. */
export async function ensureWorkspace(
  connection: CloudConnection,
  name: string,
  notice?: CloudNotice,
): Promise<CloudWorkspace> {
  let workspace: CloudWorkspace | undefined;
  try {
    workspace = await readWorkspace(connection, name);
  } catch (error) {
    throw new Error(`Failed to retrieve workspace ${name}: ${userErrorText(error)}`, {
      cause: error,
    });
  }
  workspace ??= await createWorkspace(connection, name, notice);
  if (connection.settings.mapping.kind === 'tags') await ensureTags(connection, workspace);
  return workspace;
}

async function createWorkspace(
  connection: CloudConnection,
  name: string,
  notice: CloudNotice | undefined,
): Promise<CloudWorkspace> {
  try {
    return connection.flavour === 'remote'
      ? await createForRemote(connection, name)
      : await createForCloud(connection, name, notice);
  } catch (error) {
    // Another client may have created the workspace at the same time, or a response was lost.
    const existing = await readWorkspace(connection, name).catch(() => undefined);
    if (existing === undefined) throw error;
    return existing;
  }
}

async function createForRemote(
  { client, settings, ports }: CloudConnection,
  name: string,
): Promise<CloudWorkspace> {
  const { terraformVersion } = ports;
  const attributes = {
    name,
    ...(terraformVersion !== undefined && { 'terraform-version': terraformVersion }),
  };
  const path = `organizations/${encodeURIComponent(settings.organization)}/workspaces`;
  try {
    const data = { type: 'workspaces', attributes };
    return first(await client.ask({ method: 'POST', path, data }));
  } catch (error) {
    throw new Error(`Error creating workspace ${name}: ${userErrorText(error)}`, { cause: error });
  }
}

async function createForCloud(
  connection: CloudConnection,
  name: string,
  notice: CloudNotice | undefined,
): Promise<CloudWorkspace> {
  const { client, settings, ports, appName } = connection;
  const { mapping, organization } = settings;
  const of = `organizations/${encodeURIComponent(organization)}`;
  const relationships: Record<string, unknown> = {};
  if (mapping.kind !== 'prefix' && mapping.project !== undefined) {
    const id = await ensureProject(connection, mapping.project);
    relationships['project'] = { data: { type: 'projects', id } };
  }
  if (mapping.kind === 'tags') {
    if (mapping.valued) relationships['tag-bindings'] = { data: tagBindings(mapping.tags) };
    else relationships['tags'] = { data: plainTags(mapping.tags) };
  }
  let created: CloudWorkspace;
  try {
    const data = { type: 'workspaces', attributes: { name }, relationships };
    created = first(await client.ask({ method: 'POST', path: `${of}/workspaces`, data }));
  } catch (error) {
    throw new Error(`error creating workspace ${name}: ${userErrorText(error)}`, { cause: error });
  }
  const version = ports.terraformVersion;
  if (version === undefined) return created;
  try {
    const data = { type: 'workspaces', attributes: { 'terraform-version': version } };
    const path = `workspaces/${encodeURIComponent(created.id)}`;
    return first(await client.ask({ method: 'PATCH', path, data }));
  } catch {
    notice?.(
      `The local Terraform version (${version}) is not available in ${appName}, or your\norganization does not have access to it. The new workspace will use ${created.terraformVersion}. You can\nchange this later in the workspace settings.`,
    );
    return created;
  }
}

async function ensureProject(connection: CloudConnection, name: string): Promise<string> {
  const existing = await findProject(connection, name);
  if (existing !== undefined) return existing;
  const { client, settings } = connection;
  const path = `organizations/${encodeURIComponent(settings.organization)}/projects`;
  try {
    const data = { type: 'projects', attributes: { name } };
    const [created] = (await client.ask({ method: 'POST', path, data })).data;
    if (created === undefined) throw new Error('the server has answered nothing of it');
    return created.id;
  } catch (error) {
    throw new Error(`failed to create project ${name}: ${userErrorText(error)}`, { cause: error });
  }
}

async function ensureTags(connection: CloudConnection, workspace: CloudWorkspace): Promise<void> {
  const { client, settings } = connection;
  const { mapping } = settings;
  if (mapping.kind !== 'tags') return;
  const path = `workspaces/${encodeURIComponent(workspace.id)}`;
  let bindings: ReadonlyMap<string, string> | undefined;
  try {
    const { data } = await client.ask({ path: `${path}/tag-bindings` });
    bindings = new Map(
      data.map(({ attributes }) => [
        textOf(attributes['key']) ?? '',
        textOf(attributes['value']) ?? '',
      ]),
    );
  } catch (error) {
    // The workspace exists, so the server does not support tags with values.
    if (!isNotFound(error)) throw error;
  }
  const isMissing = ([key, value]: readonly [string, string]): boolean =>
    value === ''
      ? !workspace.tagNames.includes(key) || (bindings !== undefined && !bindings.has(key))
      : bindings?.get(key) !== value;
  const missing = [...mapping.tags].filter(isMissing);
  if (missing.length === 0) return;
  if (bindings === undefined && missing.some(([, value]) => value !== '')) {
    throw new Error(
      'backend does not support key/value tags. Try using key-only tags: your version of Terraform Enterprise does not support key-value tags. Please upgrade Terraform Enterprise to a version that supports this feature or use set type tags instead.',
    );
  }
  try {
    await client.ask(
      bindings === undefined
        ? { method: 'POST', path: `${path}/relationships/tags`, data: plainTags(mapping.tags) }
        : { method: 'PATCH', path: `${path}/tag-bindings`, data: tagBindings(mapping.tags) },
    );
  } catch (error) {
    throw new Error(
      `error updating workspace ${JSON.stringify(workspace.name)} tags: ${userErrorText(error)}`,
      { cause: error },
    );
  }
}

const tagBindings = (tags: ReadonlyMap<string, string>): readonly unknown[] =>
  [...tags].map(([key, value]) => ({
    type: 'tag-bindings',
    attributes: { key, ...(value === '' ? {} : { value }) },
  }));

const plainTags = (tags: ReadonlyMap<string, string>): readonly unknown[] =>
  [...tags.keys()].map((name) => ({ type: 'tags', attributes: { name } }));

/** Deletes a workspace with its states; no error if it does not exist. */
export async function deleteWorkspace(
  connection: CloudConnection,
  name: string,
  force: boolean,
): Promise<void> {
  const { client, settings, flavour } = connection;
  const path = `organizations/${encodeURIComponent(settings.organization)}/workspaces/${encodeURIComponent(name)}`;
  try {
    const safely =
      flavour === 'cloud' && !force && (await readWorkspace(connection, name))?.hasSafeDelete;
    await client.ask(
      safely === true
        ? { method: 'POST', path: `${path}/actions/safe-delete` }
        : { method: 'DELETE', path },
    );
  } catch (error) {
    if (isNotFound(error)) return;
    throw new Error(`error deleting workspace ${name}: ${deletionText(error)}`, { cause: error });
  }
}

function deletionText(error: unknown): string {
  if (!(error instanceof CloudFault) || error.status !== 409) return userErrorText(error);
  const says = (text: string): boolean => error.reasons.some((each) => each.includes(text));
  if (says('locked')) {
    return 'conflict\nWorkspace is currently locked. Workspace must be unlocked before it can be safely deleted';
  }
  return says('being processed')
    ? 'conflict\nLatest workspace state is being processed to discover resources, please try again later'
    : 'conflict\nworkspace cannot be safely deleted because it is still managing resources';
}
