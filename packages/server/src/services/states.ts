import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Workspace } from '../access/place.ts';
import type { Database } from '../database/database.ts';
import type { StateVersionTable } from '../database/schema.ts';
import { storable } from '../database/storable.ts';
import { ApiError, conflict } from '../http/json-api.ts';
import { fields } from '../http/request.ts';
import {
  type BlobStream,
  deleteBlob,
  getBlob,
  getBlobStream,
  type Guard,
  putBlob,
} from './blobs.ts';
import { newId, type Services } from './services.ts';

export type StateVersion = Selectable<StateVersionTable>;

/** The announcement of a state. */
export interface NewState {
  readonly serial: number;
  readonly lineage: string;
  readonly md5: string;
  readonly force: boolean;
  readonly runId: string | null;
  readonly createdBy: string | null;
}

export const stateBlob = (id: string): string => `${id}.state`;
export const jsonStateBlob = (id: string): string => `${id}.json-state`;

/** Creates a state version whose content follows. Throws an ApiError if it does not continue the current state. */
export async function announceState(
  services: Pick<Services, 'db' | 'random' | 'clock'>,
  workspace: Workspace,
  state: NewState,
): Promise<StateVersion> {
  const latest = await latestState(services, workspace.id);
  if (latest !== undefined && !state.force) {
    if (latest.lineage !== '' && state.lineage !== '' && latest.lineage !== state.lineage) {
      throw conflict(
        `The lineage of the state is ${state.lineage}, and that of the current state ${latest.lineage}.`,
      );
    }
    if (
      latest.serial > state.serial ||
      (latest.serial === state.serial && latest.md5 !== state.md5)
    ) {
      throw conflict(
        `The serial of the state is ${state.serial}, which is not above that of the current state, ${latest.serial}.`,
      );
    }
  }
  return await services.db
    .insertInto('state_versions')
    .values({
      id: newId(services, 'sv'),
      workspace_id: workspace.id,
      serial: state.serial,
      lineage: state.lineage,
      md5: state.md5,
      status: 'pending',
      size: 0,
      run_id: state.runId,
      created_by: state.createdBy,
      created_at: services.clock.now(),
      summary: JSON.stringify({}),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns the newest complete state of a workspace. */
export async function latestState(
  { db }: Pick<Services, 'db'>,
  workspaceId: string,
): Promise<StateVersion | undefined> {
  const workspace = await db
    .selectFrom('workspaces')
    .select('current_state_version_id')
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  const id = workspace?.current_state_version_id ?? null;
  if (id === null) return undefined;
  return await db.selectFrom('state_versions').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Stores the content of an announced state, and makes it the current state. Throws an ApiError. If `guard` rejects the
 * write, or a later state was stored, nothing remains of the version.
 */
export async function storeState(
  services: Pick<Services, 'db' | 'sealing' | 'clock' | 'random' | 'blobStorage'>,
  version: StateVersion,
  content: Uint8Array,
  guard?: Guard,
): Promise<void> {
  const { db } = services;
  if (version.status === 'finalized') throw conflict('The state has already been uploaded.');
  if (createHash('md5').update(content).digest('hex') !== version.md5) {
    throw new ApiError(
      400,
      'bad request',
      'The content of the state does not have the announced MD5 sum.',
    );
  }
  const parsed = parseState(content);
  await putBlob(services, stateBlob(version.id), content);
  const finalize = async (transaction: Database): Promise<void> => {
    // The agent of a job is the only one that stores states meanwhile.
    if (guard === undefined) await requireNewest(transaction, version);
    else await guard(transaction);
    for (const { name, sensitive, type, value } of parsed.outputs) {
      const id = newId(services, 'wsout');
      await transaction
        .insertInto('state_outputs')
        .values({
          id,
          state_version_id: version.id,
          name,
          sensitive,
          type: kindOfType(type),
          content: services.sealing.seal(JSON.stringify({ type, value }), id),
        })
        .execute();
    }
    await transaction
      .updateTable('state_versions')
      .set({
        status: 'finalized',
        size: content.length,
        summary: JSON.stringify(parsed.summary),
      })
      .where('id', '=', version.id)
      .execute();
    await transaction
      .updateTable('workspaces')
      .set({ current_state_version_id: version.id, updated_at: services.clock.now() })
      .where('id', '=', version.workspace_id)
      .execute();
  };
  try {
    await db.transaction().execute(finalize);
  } catch (error) {
    if (error instanceof ApiError) {
      await deleteBlob(services, stateBlob(version.id));
      await db.deleteFrom('state_versions').where('id', '=', version.id).execute();
    }
    throw error;
  }
}

/**
 * Throws an ApiError if a state that was announced later is the current one: an upload whose client has lost the lock
 * must not replace it. Locks the workspace until the end of the transaction.
 */
async function requireNewest(
  db: Database,
  { workspace_id: workspaceId, created_at: announcedAt, serial }: StateVersion,
): Promise<void> {
  const { current_state_version_id: id } = await db
    .selectFrom('workspaces')
    .select('current_state_version_id')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const later = await db
    .selectFrom('state_versions')
    .select('id')
    .where('id', '=', id)
    .where('created_at', '>', announcedAt)
    // The clocks of two servers may differ by some milliseconds.
    .where('serial', '>=', serial)
    .executeTakeFirst();
  if (later !== undefined) {
    throw conflict('Another state of the workspace was stored after this one was announced.');
  }
}

/** Opens the content of a state version; undefined before it was uploaded. */
export async function openState(
  services: Pick<Services, 'db' | 'sealing' | 'blobStorage'>,
  id: string,
): Promise<BlobStream | undefined> {
  return await getBlobStream(services, stateBlob(id));
}

/** Returns the content of a state version; undefined before it was uploaded. */
export async function readState(
  services: Pick<Services, 'db' | 'sealing' | 'blobStorage'>,
  id: string,
): Promise<Buffer | undefined> {
  return await getBlob(services, stateBlob(id));
}

interface ParsedState {
  readonly outputs: readonly {
    readonly name: string;
    readonly sensitive: boolean;
    readonly type: unknown;
    readonly value: unknown;
  }[];
  readonly summary: StateVersion['summary'];
}

/**
 * Numbers of instances by module or provider, and by type. The names are those in the state of a client: one such as
 * `__proto__` must not lead to an object of this program.
 */
class ResourceCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  add(name: string, type: string, count: number): void {
    let ofName = this.#counts.get(name);
    if (ofName === undefined) this.#counts.set(name, (ofName = new Map<string, number>()));
    ofName.set(type, (ofName.get(type) ?? 0) + count);
  }

  toJson(): Readonly<Record<string, Readonly<Record<string, number>>>> {
    return Object.fromEntries(
      [...this.#counts].map(([name, ofName]) => [name, Object.fromEntries(ofName)]),
    );
  }
}

/** Reads the properties of a state for the API; a state that the configuration encrypts has none. */
function parseState(content: Uint8Array): ParsedState {
  let json: Readonly<Record<string, unknown>>;
  try {
    json = fields(JSON.parse(Buffer.from(content).toString('utf8')));
  } catch {
    throw new ApiError(400, 'bad request', 'The state is not valid JSON.');
  }
  const outputs = Object.entries(fields(json['outputs'])).map(([name, output]) => {
    const { sensitive, type, value } = fields(output);
    return { name: storable(name), sensitive: sensitive === true, type, value: value ?? null };
  });
  const list: readonly unknown[] = Array.isArray(json['resources']) ? json['resources'] : [];
  const modules = new ResourceCounts();
  const providers = new ResourceCounts();
  const resources = list.map((each) => {
    const { module = 'root', mode, type = '', name = '', provider = '', instances } = fields(each);
    const count = Array.isArray(instances) ? instances.length : 0;
    const kind = `${mode === 'data' ? 'data.' : ''}${String(type)}`.replaceAll('_', '-');
    const moduleName = String(module);
    modules.add(moduleName, kind, count);
    providers.add(String(provider), kind, count);
    return {
      name: String(name),
      type: mode === 'data' ? `data.${String(type)}` : String(type),
      count,
      module: moduleName,
      provider: String(provider),
    };
  });
  const { version, terraform_version: release } = json;
  const managed = list.filter((each) => fields(each)['mode'] === 'managed');
  return {
    outputs,
    summary: storable({
      'state-version': Number.isInteger(version) ? Number(version) : null,
      'terraform-version': typeof release === 'string' ? release : null,
      modules: modules.toJson(),
      providers: providers.toJson(),
      resources,
      'resource-count': managed.reduce((sum: number, each) => {
        const { instances } = fields(each);
        return sum + (Array.isArray(instances) ? instances.length : 0);
      }, 0),
    }),
  };
}

/** Returns the kind of a type for `output-type`: a primitive type, `array` or `object`. */
function kindOfType(type: unknown): string {
  if (typeof type === 'string') return type === 'bool' ? 'boolean' : type;
  const [kind] = Array.isArray(type) ? (type as readonly unknown[]) : [];
  return kind === 'object' || kind === 'map' ? 'object' : 'array';
}
