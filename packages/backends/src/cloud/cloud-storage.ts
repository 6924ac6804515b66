import { createHash } from 'node:crypto';
import {
  LockLost,
  type LockInfo,
  type LockOutcome,
  type Storage,
  userErrorText,
} from '@terrane/host';
import { StateConflict } from '../backend.ts';
import { type ApiObject, fieldsOf, textOf } from './api-object.ts';
import { CloudFault, isNotFound } from './cloud-client.ts';
import { type CloudWorkspace, readWorkspace } from './cloud-workspaces.ts';
import { type CloudConnection } from './connect.ts';

/** Pauses while the server is still at work with the last state, in milliseconds. */
const PENDING_MS = { first: 1_000, most: 3_000 };
const INLINE_NEEDED = 'param is missing or the value is empty: state';

/** The state of one workspace at a server. The lock is that of the workspace. */
export function cloudStorage(connection: CloudConnection, workspace: CloudWorkspace): Storage {
  return new CloudStorage(connection, workspace);
}

class CloudStorage implements Storage {
  readonly #connection: CloudConnection;
  readonly #workspace: CloudWorkspace;
  /** the ID of the lock that this storage holds */
  #lockId: string | undefined;
  /** The reason that the server shows for that lock. */
  #reason: string | undefined;
  /** true after a failed write: the lock is kept, so that no client continues with the previous state */
  #isIncomplete = false;

  constructor(connection: CloudConnection, workspace: CloudWorkspace) {
    this.#connection = connection;
    this.#workspace = workspace;
  }

  async read(): Promise<Uint8Array | undefined> {
    const { client, flavour } = this.#connection;
    const begin = flavour === 'remote' ? 'Error' : 'error';
    let current: ApiObject | undefined;
    try {
      [current] = (await client.ask({ path: `${this.#path}/current-state-version` })).data;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw new Error(`${begin} retrieving state: ${userErrorText(error)}`, { cause: error });
    }
    const url = textOf(current?.attributes['hosted-state-download-url']);
    if (url === undefined) return undefined;
    try {
      const bytes = await client.download(url);
      return bytes.length === 0 ? undefined : bytes;
    } catch (error) {
      throw new Error(`${begin} downloading state: ${userErrorText(error)}`, { cause: error });
    }
  }

  async write(
    data: Iterable<Uint8Array>,
    beforeCommit?: () => Promise<void>,
    options: { readonly force?: boolean } = {},
  ): Promise<void> {
    const bytes = Buffer.concat([...data]);
    await beforeCommit?.();
    try {
      await this.#store(bytes, options.force === true);
      this.#isIncomplete = false;
    } catch (error) {
      this.#isIncomplete = true;
      throw error;
    }
  }

  async #store(bytes: Buffer, force: boolean): Promise<void> {
    const { client, ports } = this.#connection;
    const runId = ports.host.environment.get('TFE_RUN_ID') ?? '';
    const head = headOf(bytes);
    const attributes = {
      lineage: textOf(head['lineage']) ?? '',
      serial: head['serial'],
      md5: createHash('md5').update(bytes).digest('hex'),
      force,
      'json-state-outputs': base64(JSON.stringify(outputsOf(head['outputs']))),
    };
    const path = `${this.#path}/state-versions`;
    const relationships =
      runId === '' ? {} : { relationships: { run: { data: { type: 'runs', id: runId } } } };
    const create = async (
      more: Readonly<Record<string, string>>,
    ): Promise<ApiObject | undefined> => {
      const data = {
        type: 'state-versions',
        attributes: { ...attributes, ...more },
        ...relationships,
      };
      return (await client.ask({ method: 'POST', path, data })).data[0];
    };
    try {
      const made = await create({});
      const url = textOf(made?.attributes['hosted-state-upload-url']);
      if (made === undefined || url === undefined) {
        throw new Error('the server does not tell where to upload the state to');
      }
      await client.upload(url, bytes);
      await client.ask({ path: `state-versions/${encodeURIComponent(made.id)}` });
    } catch (error) {
      if (userErrorText(error).includes(INLINE_NEEDED)) {
        await this.#storeInline(bytes, create);
      } else if (!(error instanceof CloudFault) || error.status !== 409) {
        throw new Error(`error uploading state: ${userErrorText(error)}`, { cause: error });
      } else if (!(await this.#isCurrent(bytes))) {
        throw new StateConflict(`error uploading state: ${userErrorText(error)}`, { cause: error });
      }
    }
  }

  /** Stores the state within the request, as Terraform Enterprise before v202306 requires. */
  async #storeInline(
    bytes: Buffer,
    create: (more: Readonly<Record<string, string>>) => Promise<unknown>,
  ): Promise<void> {
    try {
      await create({ state: bytes.toString('base64') });
    } catch (error) {
      const message = `error uploading state in compatibility mode: ${userErrorText(error)}`;
      if (error instanceof CloudFault && error.status === 409) {
        if (await this.#isCurrent(bytes)) return;
        throw new StateConflict(message, { cause: error });
      }
      throw new Error(message, { cause: error });
    }
  }

  /** Returns true if a state was stored although the response was lost and the request repeated. */
  async #isCurrent(bytes: Uint8Array): Promise<boolean> {
    const stored = await this.read().catch(() => undefined);
    return stored !== undefined && Buffer.compare(stored, bytes) === 0;
  }

  async lock(info: LockInfo): Promise<LockOutcome> {
    const { client } = this.#connection;
    const reason = `Locked by Terrane: ${info.operation} by ${info.who} (${info.id})`;
    this.#reason = reason;
    try {
      await client.ask({ method: 'POST', path: `${this.#path}/actions/lock`, body: { reason } });
    } catch (error) {
      if (!(error instanceof CloudFault) || error.status !== 409) throw error;
      const holder = await this.lockHolder().catch(() => undefined);
      // The response to an earlier request may have been lost.
      if (holder?.info !== reason) {
        return {
          kind: 'held',
          error: `workspace already locked (lock ID: ${JSON.stringify(this.#lockName)})`,
          info: holder ?? info,
        };
      }
    }
    this.#lockId = info.id;
    return { kind: 'locked', id: info.id };
  }

  async unlock(id: string): Promise<void> {
    const { client, ports } = this.#connection;
    if (this.#lockId === undefined) {
      await this.#forceUnlock(id);
      return;
    }
    if (this.#isIncomplete) return;
    if (this.#lockId !== id) throw new Error('lock ID does not match existing lock');
    for (let pause = PENDING_MS.first; ; pause = Math.min(pause * 2, PENDING_MS.most)) {
      try {
        await client.ask({ method: 'POST', path: `${this.#path}/actions/unlock` });
        this.#lockId = undefined;
        return;
      } catch (error) {
        if (!isStillPending(error)) throw new Error(unlockText(error), { cause: error });
      }
      await ports.host.clock.sleep(pause, ports.signal);
    }
  }

  async #forceUnlock(id: string): Promise<void> {
    const expected = this.#lockName;
    if (id !== expected) {
      throw new Error(
        `lock ID ${JSON.stringify(id)} does not match existing lock ID ${JSON.stringify(expected)}`,
      );
    }
    const path = `${this.#path}/actions/force-unlock`;
    try {
      await this.#connection.client.ask({ method: 'POST', path });
    } catch (error) {
      const isFree = error instanceof CloudFault && error.status === 409;
      throw new Error(isFree ? 'workspace already unlocked' : userErrorText(error), {
        cause: error,
      });
    }
  }

  async confirmLock(): Promise<void> {
    const holder = await this.lockHolder();
    if (holder === undefined) throw new LockLost('the workspace has been unlocked');
    if (holder.info !== this.#reason)
      throw new LockLost(`the workspace has been locked by ${holder.who}: ${holder.info}`);
  }

  async lockHolder(): Promise<LockInfo | undefined> {
    const lock = (await readWorkspace(this.#connection, this.#workspace.name))?.lock;
    if (lock === undefined) return undefined;
    const { reason: info, by: who } = lock;
    const id = this.#lockName;
    return { id, operation: '', info, who, version: '', created: '', path: '' };
  }

  get #path(): string {
    return `workspaces/${encodeURIComponent(this.#workspace.id)}`;
  }

  /** The lock ID for `force-unlock`. */
  get #lockName(): string {
    return `${this.#connection.settings.organization}/${this.#workspace.name}`;
  }
}

function isStillPending(error: unknown): boolean {
  return (
    error instanceof CloudFault &&
    error.reasons.some((each) => /latest state version is still pending/i.test(each))
  );
}

function unlockText(error: unknown): string {
  if (!(error instanceof CloudFault) || error.status !== 409) return userErrorText(error);
  for (const holder of ['Run', 'Team', 'User']) {
    if (error.reasons.some((each) => each.includes(`is locked by ${holder}`))) {
      return `unable to unlock workspace locked by ${holder.toLowerCase()}`;
    }
  }
  return 'workspace already unlocked';
}

const RESOURCES = '\n  "resources": ';

/**
 * Parses the part of a state before its resources: lineage, serial and outputs. States are written with the resources
 * last but one and each member of the outermost object on a line with two spaces, so that most of a large one is not
 * parsed.
 */
function headOf(bytes: Buffer): Readonly<Record<string, unknown>> {
  const at = bytes.indexOf(RESOURCES);
  if (at > 0) {
    const head = bytes.subarray(0, at).toString('utf8').trimEnd().replace(/,$/, '');
    try {
      return fieldsOf(JSON.parse(`${head}}`));
    } catch {
      // A different encoding of the same state.
    }
  }
  return fieldsOf(JSON.parse(bytes.toString('utf8')));
}

/** Outputs as `terraform show -json` has them. */
function outputsOf(outputs: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fieldsOf(outputs)).map(([name, output]) => {
      const { value, type, sensitive } = fieldsOf(output);
      return [name, { sensitive: sensitive === true, value, type }];
    }),
  );
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
