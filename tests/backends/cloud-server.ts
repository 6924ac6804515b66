import { createHash, randomUUID } from 'node:crypto';
import { type RunScript, RunsOfServer } from './cloud-run-server.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/**
 * A server on this machine's own address that has the part of HCP Terraform's public API (version 2) by which states are
 * kept: https://developer.hashicorp.com/terraform/cloud-docs/api-docs. Locks belong to who asks, as tokens tell; a state
 * is accepted from the holder of the lock alone, with the lineage of the one before and a higher serial.
 */
export interface CloudServer {
  readonly url: string;
  readonly port: number;
  /** `METHOD /path` of all requests so far */
  readonly requests: string[];
  /** what is answered before anything else, once each: a status, for requests that match */
  readonly troubles: {
    readonly match: RegExp;
    readonly status: number;
    readonly after?: boolean;
  }[];
  readonly organization: Organization;
  readonly runs: RunsOfServer;
  /** called before a request is answered */
  onRequest?: ((request: string, body: Buffer) => void) | undefined;
  workspace(name: string): Workspace;
  close(): Promise<void>;
}

/** The one organization of the server. */
export interface Organization {
  readonly name: string;
  operations: boolean;
  /** answers 404 where tags with values are asked for, as older servers do */
  hasTagBindings: boolean;
  /** states have to be sent within the request, as older servers want it */
  inlineStates: boolean;
  readonly workspaces: Map<string, Workspace>;
  readonly projects: Map<string, string>;
}

/** A workspace of it. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  executionMode: string;
  terraformVersion: string;
  lock?: { readonly user: string; readonly reason: string } | undefined;
  readonly tags: Map<string, string>;
  project?: string | undefined;
  /** what its runs come to */
  script?: RunScript | undefined;
  autoApply?: boolean;
  workingDirectory?: string;
  isStructured?: boolean;
  hasRepository?: boolean;
  /** permissions that the user lacks: `can-queue-run` */
  forbidden?: readonly string[];
  currentRun?: string | undefined;
  readonly states: StateVersion[];
}

/** A state of a workspace. */
export interface StateVersion {
  readonly id: string;
  readonly serial: number;
  readonly lineage: string;
  readonly md5: string;
  readonly outputs: unknown;
  readonly force: boolean;
  /** `undefined`: announced, and not uploaded yet */
  bytes?: Buffer;
}

type Json = Readonly<Record<string, unknown>>;

class Refusal extends Error {
  readonly status: number;
  readonly title: string;

  constructor(status: number, title: string, detail = '') {
    super(detail);
    this.status = status;
    this.title = title;
  }
}

/** Starts a server. Tokens are `token-NAME`, for users of any name. */
export async function startCloudServer(): Promise<CloudServer> {
  const organization: Organization = {
    name: 'acme',
    operations: true,
    hasTagBindings: true,
    inlineStates: false,
    workspaces: new Map(),
    projects: new Map(),
  };
  const requests: string[] = [];
  const troubles: CloudServer['troubles'] = [];
  const runs = new RunsOfServer((id) => {
    const workspace = [...organization.workspaces.values()].find((each) => each.id === id);
    return workspace === undefined
      ? undefined
      : {
          id,
          name: workspace.name,
          script: workspace.script,
          autoApply: workspace.autoApply === true,
          response: () => shown(workspace)['data'] as Json,
        };
  });
  const made: { server?: CloudServer } = {};
  const server: Server = createServer((request, response) => {
    const name = `${request.method ?? ''} ${request.url ?? ''}`;
    requests.push(name);
    const at = troubles.findIndex(({ match }) => match.test(name));
    const [trouble] = at < 0 ? [] : troubles.splice(at, 1);
    void answer(request, response, organization, trouble, runs, (body) =>
      made.server?.onRequest?.(name, body),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  made.server = {
    runs,
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    troubles,
    organization,
    workspace(name) {
      const match = organization.workspaces.get(name);
      if (match === undefined) throw new Error(`there is no workspace ${name}`);
      return match;
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      }),
  };
  return made.server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  organization: Organization,
  trouble: CloudServer['troubles'][number] | undefined,
  runs: RunsOfServer,
  heard: (body: Buffer) => void,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  heard(Buffer.concat(chunks));
  const headers = {
    'content-type': 'application/vnd.api+json',
    'tfp-api-version': '2.6',
    'tfp-appname': 'HCP Terraform',
  };
  const refuse = (status: number, title: string, detail: string): void => {
    response.writeHead(status, { ...headers, 'x-ratelimit-reset': '0.05' });
    response.end(JSON.stringify({ errors: [{ status: String(status), title, detail }] }));
  };
  if (trouble !== undefined && trouble.after !== true) {
    refuse(trouble.status, 'trouble on purpose', '');
    return;
  }
  try {
    const result = await route(request, Buffer.concat(chunks), organization, runs);
    if (trouble !== undefined) refuse(trouble.status, 'trouble on purpose', '');
    else if (Buffer.isBuffer(result)) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      response.end(result);
    } else {
      response.writeHead(result === undefined ? 204 : 200, headers);
      response.end(result === undefined ? undefined : JSON.stringify(result));
    }
  } catch (error) {
    if (error instanceof Refusal) refuse(error.status, error.title, error.message);
    else refuse(500, 'internal error', String(error));
  }
}

async function route(
  request: IncomingMessage,
  body: Buffer,
  organization: Organization,
  runs: RunsOfServer,
): Promise<Json | Buffer | undefined> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
  const method = request.method ?? 'GET';
  if (url.pathname.startsWith('/objects/')) return object(method, url, body, organization);
  const ofRuns = await runs.answer(
    method,
    url,
    url.pathname
      .replace(/^\/api\/v2\//, '')
      .split('/')
      .map(decodeURIComponent),
    body,
  );
  if (ofRuns !== undefined) return ofRuns === 'nothing' ? undefined : ofRuns;
  const user = /^Bearer token-(\w+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (user === undefined) throw new Refusal(401, 'unauthorized');
  const parts = url.pathname
    .replace(/^\/api\/v2\//, '')
    .split('/')
    .map(decodeURIComponent);
  const sent: Json = body.length === 0 ? {} : (JSON.parse(body.toString('utf8')) as Json);
  const [first, second, third, fourth, fifth, sixth] = parts;
  if (first === 'ping') return {};
  if (first === 'organizations') {
    if (second !== organization.name) throw new Refusal(404, 'not found');
    if (third === 'entitlement-set') {
      const attributes = { operations: organization.operations };
      return { data: { id: 'org-1', type: 'entitlement-sets', attributes } };
    }
    if (third === 'projects') return projects(method, url, sent, organization);
    if (third !== 'workspaces') throw new Refusal(404, 'not found');
    if (fourth === undefined) {
      return method === 'POST' ? create(sent, organization) : list(url, organization);
    }
    const workspace = organization.workspaces.get(fourth);
    if (workspace === undefined) throw new Refusal(404, 'not found');
    if (fifth === 'actions' && sixth === 'safe-delete') {
      if (workspace.states.slice(-1).some(hasResources))
        throw new Refusal(409, 'conflict', 'it manages resources');
      organization.workspaces.delete(fourth);
      return undefined;
    }
    if (method === 'DELETE') {
      organization.workspaces.delete(fourth);
      return undefined;
    }
    return shown(workspace);
  }
  if (first === 'state-versions') {
    for (const workspace of organization.workspaces.values()) {
      const stateVersion = workspace.states.find((each) => each.id === second);
      if (stateVersion !== undefined) return { data: stateObject(stateVersion, url) };
    }
    throw new Refusal(404, 'not found');
  }
  if (first === 'state-version-outputs') {
    const states = [...organization.workspaces.values()].flatMap((each) => each.states);
    const output = states.flatMap(outputObjects).find(({ id }) => id === second);
    if (output === undefined) throw new Refusal(404, 'not found');
    return { data: output };
  }
  if (first !== 'workspaces') throw new Refusal(404, 'not found');
  const workspace = [...organization.workspaces.values()].find(({ id }) => id === second);
  if (workspace === undefined) throw new Refusal(404, 'not found');
  if (third === 'actions') return locking(fourth ?? '', user, sent, workspace);
  if (third === 'current-state-version') {
    const last = workspace.states.findLast(({ bytes }) => bytes !== undefined);
    if (last === undefined) throw new Refusal(404, 'not found');
    return { data: stateObject(last, url) };
  }
  if (third === 'current-state-version-outputs') {
    const last = workspace.states.findLast(({ bytes }) => bytes !== undefined);
    if (last === undefined) throw new Refusal(404, 'not found');
    return { data: outputObjects(last), ...pagination(1, 1) };
  }
  if (third === 'state-versions' && method === 'POST') {
    return { data: stateObject(newState(sent, user, workspace, organization), url) };
  }
  if (third === 'tag-bindings') {
    if (!organization.hasTagBindings) throw new Refusal(404, 'not found');
    for (const { attributes } of dataList(sent)) addTag(workspace, attributes);
    const data = [...workspace.tags].map(([key, value]) => ({
      id: `tb-${key}`,
      type: 'tag-bindings',
      attributes: { key, value },
    }));
    return { data };
  }
  if (third === 'relationships' && fourth === 'tags') {
    for (const { attributes } of dataList(sent)) addTag(workspace, attributes);
    return undefined;
  }
  if (third === undefined && method === 'PATCH') {
    const version = attributesOf(sent)['terraform-version'];
    if (version === '0.0.0') throw new Refusal(422, 'invalid attribute', 'no such version');
    if (typeof version === 'string') workspace.terraformVersion = version;
    return shown(workspace);
  }
  if (third === undefined) return shown(workspace);
  throw new Refusal(404, 'not found');
}

function attributesOf(sent: Json): Json {
  return ((sent['data'] as Json | undefined)?.['attributes'] ?? {}) as Json;
}

function dataList(sent: Json): readonly { readonly attributes: Json }[] {
  return Array.isArray(sent['data']) ? (sent['data'] as { attributes: Json }[]) : [];
}

function addTag(workspace: Workspace, attributes: Json): void {
  const key = attributes['key'] ?? attributes['name'];
  if (typeof key === 'string') workspace.tags.set(key, String(attributes['value'] ?? ''));
}

function hasResources({ bytes }: StateVersion): boolean {
  const parsed = JSON.parse(bytes?.toString('utf8') ?? '{}') as { resources?: unknown[] };
  return (parsed.resources ?? []).length > 0;
}

function projects(method: string, url: URL, sent: Json, organization: Organization): Json {
  if (method === 'POST') {
    const name = String(attributesOf(sent)['name']);
    organization.projects.set(name, `prj-${organization.projects.size + 1}`);
    return {
      data: { id: organization.projects.get(name), type: 'projects', attributes: { name } },
    };
  }
  const wanted = url.searchParams.get('filter[names]');
  const data = [...organization.projects]
    .filter(([name]) => wanted === null || wanted === name)
    .map(([name, id]) => ({ id, type: 'projects', attributes: { name } }));
  return { data, ...pagination(1, 1) };
}

const pagination = (page: number, pages: number): Json => ({
  meta: { pagination: { 'current-page': page, 'total-pages': pages, 'next-page': page + 1 } },
});

function create(sent: Json, organization: Organization): Json {
  const attributes = attributesOf(sent);
  const name = String(attributes['name']);
  if (organization.workspaces.has(name)) {
    throw new Refusal(422, 'invalid attribute', 'Name has already been taken');
  }
  const relations = ((sent['data'] as Json)['relationships'] ?? {}) as Json;
  const workspace: Workspace = {
    id: `ws-${organization.workspaces.size + 1}-${name}`,
    name,
    // Most of what is tested is state; runs at the server are another matter.
    executionMode: 'local',
    terraformVersion: String(attributes['terraform-version'] ?? '1.5.7'),
    tags: new Map(),
    project: (relations['project'] as { data?: { id?: string } } | undefined)?.data?.id,
    states: [],
  };
  for (const kind of ['tags', 'tag-bindings']) {
    for (const each of dataList((relations[kind] ?? {}) as Json))
      addTag(workspace, each.attributes);
  }
  organization.workspaces.set(name, workspace);
  return shown(workspace);
}

/** Two workspaces a page, so that all pages have to be asked for. */
function list(url: URL, organization: Organization): Json {
  const query = url.searchParams;
  const tags = (query.get('search[tags]') ?? '').split(',').filter((each) => each !== '');
  const matching = [...organization.workspaces.values()].filter(({ name, tags: has, project }) => {
    if (!name.includes(query.get('search[name]') ?? '')) return false;
    if (!tags.every((each) => has.has(each))) return false;
    const wanted = query.get('filter[project][id]');
    if (wanted !== null && wanted !== project) return false;
    for (let index = 0; query.has(`filter[tagged][${index}][key]`); index++) {
      const key = query.get(`filter[tagged][${index}][key]`) ?? '';
      if (has.get(key) !== (query.get(`filter[tagged][${index}][value]`) ?? '')) return false;
    }
    return true;
  });
  const page = Number(query.get('page[number]') ?? '1');
  const pages = Math.max(1, Math.ceil(matching.length / 2));
  const data = matching.slice((page - 1) * 2, page * 2).map((each) => shown(each)['data']);
  return { data, ...pagination(page, pages) };
}

const PERMISSIONS = [
  'can-force-delete',
  'can-lock',
  'can-queue-apply',
  'can-queue-run',
  'can-update',
] as const;

function shown(workspace: Workspace): Json {
  const { id, name, executionMode, terraformVersion, lock, tags } = workspace;
  const by = lock === undefined ? null : { id: `user-${lock.user}`, type: 'users' };
  return {
    data: {
      id,
      type: 'workspaces',
      attributes: {
        name,
        'execution-mode': executionMode,
        'terraform-version': terraformVersion,
        locked: lock !== undefined,
        'locked-reason': lock?.reason ?? '',
        'tag-names': [...tags].filter(([, value]) => value === '').map(([key]) => key),
        permissions: Object.fromEntries(
          PERMISSIONS.map((each) => [each, workspace.forbidden?.includes(each) !== true]),
        ),
        'auto-apply': workspace.autoApply === true,
        'working-directory': workspace.workingDirectory ?? '',
        'structured-run-output-enabled': workspace.isStructured === true,
        'vcs-repo': workspace.hasRepository === true ? { branch: '' } : null,
      },
      relationships: {
        'locked-by': { data: by },
        ...(workspace.currentRun !== undefined && {
          'current-run': { data: { id: workspace.currentRun, type: 'runs' } },
        }),
      },
    },
    included:
      lock === undefined
        ? []
        : [{ id: `user-${lock.user}`, type: 'users', attributes: { username: lock.user } }],
  };
}

function locking(action: string, user: string, sent: Json, workspace: Workspace): Json {
  const { lock, name } = workspace;
  switch (action) {
    case 'lock':
      if (lock !== undefined)
        throw new Refusal(409, 'conflict', `Unable to lock workspace. ${name} is already locked`);
      workspace.lock = {
        user,
        reason: String(sent['reason'] ?? attributesOf(sent)['reason'] ?? ''),
      };
      break;
    case 'unlock':
      if (lock === undefined) throw new Refusal(409, 'conflict', 'it is not locked');
      if (lock.user !== user) {
        throw new Refusal(
          409,
          'conflict',
          `Unable to unlock workspace. ${name} is locked by User ${lock.user}`,
        );
      }
      workspace.lock = undefined;
      break;
    case 'force-unlock':
      if (lock === undefined) throw new Refusal(409, 'conflict', 'it is not locked');
      workspace.lock = undefined;
      break;
    default:
      throw new Refusal(404, 'not found');
  }
  return shown(workspace);
}

function newState(
  sent: Json,
  user: string,
  workspace: Workspace,
  organization: Organization,
): StateVersion {
  const attributes = attributesOf(sent);
  if (workspace.lock?.user !== user) {
    throw new Refusal(409, 'conflict', 'The workspace has to be locked by who sends a state');
  }
  const { state } = attributes;
  if (organization.inlineStates && typeof state !== 'string') {
    throw new Refusal(400, 'bad request', 'param is missing or the value is empty: state');
  }
  const [serial, lineage] = [Number(attributes['serial']), String(attributes['lineage'])];
  const force = attributes['force'] === true;
  const last = workspace.states.findLast(({ bytes }) => bytes !== undefined);
  if (last !== undefined && !force) {
    if (last.lineage !== lineage) throw new Refusal(409, 'conflict', 'lineage does not match');
    if (last.serial >= serial)
      throw new Refusal(409, 'conflict', `serial ${serial} is not above ${last.serial}`);
  }
  const made: StateVersion = {
    id: `sv-${randomUUID()}`,
    serial,
    lineage,
    md5: String(attributes['md5']),
    force,
    outputs: JSON.parse(
      Buffer.from(String(attributes['json-state-outputs'] ?? 'bnVsbA=='), 'base64').toString(),
    ),
  };
  if (typeof state === 'string') accept(made, Buffer.from(state, 'base64'));
  workspace.states.push(made);
  return made;
}

function accept(state: StateVersion, bytes: Buffer): void {
  if (createHash('md5').update(bytes).digest('hex') !== state.md5) {
    throw new Refusal(409, 'conflict', 'md5 does not match');
  }
  const { serial, lineage } = JSON.parse(bytes.toString('utf8')) as Json;
  if (serial !== state.serial || lineage !== state.lineage) {
    throw new Refusal(409, 'conflict', 'what was announced is not what came');
  }
  state.bytes = bytes;
}

/** The outputs of a state, as it was announced. */
function outputObjects(state: StateVersion): readonly (Json & { readonly id: string })[] {
  return Object.entries((state.outputs ?? {}) as Readonly<Record<string, Json>>).map(
    ([name, { value, type, sensitive }]) => ({
      id: `wsout-${state.id}-${name}`,
      type: 'state-version-outputs',
      attributes: { name, sensitive, value, 'detailed-type': type },
    }),
  );
}

function stateObject(state: StateVersion, url: URL): Json {
  const at = `${url.origin}/objects/${state.id}`;
  return {
    id: state.id,
    type: 'state-versions',
    attributes: {
      serial: state.serial,
      status: state.bytes === undefined ? 'pending' : 'finalized',
      'hosted-state-download-url': `${at}?download`,
      'hosted-state-upload-url': `${at}?upload`,
      'hosted-json-state-upload-url': `${at}?json`,
    },
  };
}

function object(
  method: string,
  url: URL,
  body: Buffer,
  organization: Organization,
): Buffer | undefined {
  const id = url.pathname.slice('/objects/'.length);
  for (const { states } of organization.workspaces.values()) {
    const state = states.find((each) => each.id === id);
    if (state === undefined) continue;
    if (method === 'PUT') {
      if (url.searchParams.has('upload')) accept(state, body);
      return undefined;
    }
    return state.bytes ?? Buffer.alloc(0);
  }
  throw new Refusal(404, 'not found');
}
