import { createHash } from 'node:crypto';
import { invalid, type ApiResource } from '../http/json-api.ts';
import { listOfRows } from '../http/listing.ts';
import { type ApiRequest, fields } from '../http/request.ts';
import { inWorkspace, type Route } from '../http/route.ts';
import { latestState, readState, type StateVersion } from '../services/states.ts';
import { workspaceOf } from './workspace-resource.ts';

/** An instance of a managed resource in a state. */
interface ResourceInstance {
  readonly address: string;
  readonly name: string;
  readonly module: string;
  readonly provider: string;
  readonly type: string;
  readonly index: string | null;
}

/** Returns the managed instances of a state; none for a state that the configuration encrypts. */
function instancesOf(state: Uint8Array): readonly ResourceInstance[] {
  const { resources } = fields(JSON.parse(Buffer.from(state).toString('utf8')));
  const list: readonly unknown[] = Array.isArray(resources) ? resources : [];
  return list.flatMap((each) => {
    const { mode, type, name, module, provider, instances } = fields(each);
    if (mode !== 'managed' || !Array.isArray(instances)) return [];
    const path = typeof module === 'string' ? module : '';
    const resourceName = [String(type), String(name)].join('.');
    return (instances as readonly unknown[]).map((instance): ResourceInstance => {
      const { index_key: key } = fields(instance);
      const index = typeof key === 'string' || typeof key === 'number' ? key : undefined;
      // The API writes paths of modules without the word "module".
      const modules = path.replaceAll(/(^|\.)module\./g, '$1');
      const suffix = index === undefined ? '' : `[${JSON.stringify(index)}]`;
      return {
        address: `${modules === '' ? '' : `${modules}.`}${resourceName}${suffix}`,
        name: String(name),
        module: modules === '' ? 'root' : modules,
        provider: providerName(String(provider)),
        type: String(type),
        index: index === undefined ? null : String(index),
      };
    });
  });
}

/** Returns the source address of a provider without the host of the public registry. */
function providerName(address: string): string {
  const quoted = /\["([^"]+)"\]/.exec(address)?.[1] ?? address.replace(/^provider\./, '');
  const [host, ...rest] = quoted.split('/');
  return rest.length === 2 && /^registry\.(terraform\.io|opentofu\.org)$/.test(host ?? '')
    ? rest.join('/')
    : quoted;
}

const SORTED: Readonly<Record<string, (instance: ResourceInstance) => string>> = {
  name: ({ name }) => name,
  nameIndex: ({ index }) => index ?? '',
  provider: ({ provider }) => provider,
  providerType: ({ type }) => type,
  module: ({ module }) => module,
  // Unknown for all of them.
  updatedAt: () => '',
};

function sorted(instances: readonly ResourceInstance[], sort: string): readonly ResourceInstance[] {
  if (sort === '') return instances;
  const [field = '', order = 'asc'] = sort.split(':');
  const key = Object.hasOwn(SORTED, field) ? SORTED[field] : undefined;
  if (key === undefined || (order !== 'asc' && order !== 'desc')) {
    throw invalid('sort', `has to be one of ${Object.keys(SORTED).join(', ')}, with :asc or :desc`);
  }
  const sign = order === 'asc' ? 1 : -1;
  return instances.toSorted((first, second) => sign * key(first).localeCompare(key(second)));
}

function present(
  workspaceId: string,
  version: StateVersion,
  each: ResourceInstance,
): ApiResource<'resources'> {
  const hash = createHash('sha256').update(`${workspaceId} ${each.address}`).digest('hex');
  return {
    id: `wsr-${hash.slice(0, 16)}`,
    type: 'resources',
    attributes: {
      address: each.address,
      name: each.name,
      // States do not say when their objects were created and changed.
      'created-at': null,
      'updated-at': null,
      module: each.module,
      provider: each.provider,
      'provider-type': each.type,
      'modified-by-state-version-id': version.id,
      'name-index': each.index,
    },
  };
}

async function list(request: ApiRequest) {
  const { services, query } = request;
  const { id } = workspaceOf(request);
  const version = await latestState(services, id);
  const state = version === undefined ? undefined : await readState(services, version.id);
  if (version === undefined || state === undefined) return await listOfRows(request, [], never);
  const text = query.get('q') ?? '';
  const instances = instancesOf(state).filter(({ address }) => address.includes(text));
  return await listOfRows(request, sorted(instances, query.get('sort') ?? ''), (each) =>
    present(id, version, each),
  );
}

const never = (): never => {
  throw new Error('A workspace without a state has no resources.');
};

/** Managed resources in the current state of a workspace. */
export const WORKSPACE_RESOURCE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/v2/workspaces/:workspace/resources',
    rule: inWorkspace('workspace:read-outputs'),
    handle: list,
  },
];
