import type { SideStorage, Storage } from '@terrane/host';
import type { Backend, BackendKind, BackendPorts } from '../backend.ts';
import { cleanPath } from '../clean-path.ts';
import { awsClients, type AwsClients } from './aws-clients.ts';
import { errorName } from './aws-error.ts';
import { lockObject } from './lock-object.ts';
import { type LockTable, lockTable } from './lock-table.ts';
import { checkS3 } from './s3-check.ts';
import { S3Objects } from './s3-objects.ts';
import { S3_SCHEMA } from './s3-schema.ts';
import { FLAT_ROLE, type S3Settings, s3Settings } from './s3-settings.ts';
import { s3SideStorage } from './s3-side-storage.ts';
import { s3Storage } from './s3-storage.ts';
import { verifyConditions } from './s3-verify.ts';

const DEFAULT_WORKSPACE = 'default';
const DEFAULT_PREFIX = 'env:';

/** Stores states in a bucket of Amazon S3, or of a compatible server. */
export const S3: BackendKind = {
  type: 's3',
  schema: S3_SCHEMA,
  additional: ['state_tags', 'lock_tags', ...FLAT_ROLE.map(([name]) => name)],
  asked: () => ['bucket', 'key'],
  check: (config, { host }) => checkS3(config, host.environment),
  async open(config, ports) {
    const settings = s3Settings(config, ports.host.environment);
    return new S3Backend(settings, await awsClients(settings.aws, ports), ports);
  },
};

class S3Backend implements Backend {
  readonly #settings: S3Settings;
  readonly #clients: AwsClients;
  readonly #ports: BackendPorts;
  readonly #objects: S3Objects;
  readonly workspaces: NonNullable<Backend['workspaces']> = {
    names: () => this.#names(),
    delete: (name) => this.#delete(name),
  };

  constructor(settings: S3Settings, clients: AwsClients, ports: BackendPorts) {
    this.#settings = settings;
    this.#clients = clients;
    this.#ports = ports;
    this.#objects = new S3Objects(clients, settings.objects, settings.aws.region);
  }

  storage(workspace: string): Promise<Storage> {
    const key = this.#key(workspace);
    return Promise.resolve(
      s3Storage({
        objects: this.#objects,
        key,
        clock: this.#ports.host.clock,
        lockFile: this.#settings.lockFile ? lockObject(this.#objects, `${key}.tflock`) : undefined,
        table: this.#table(key),
      }),
    );
  }

  sideStorage(workspace: string): Promise<SideStorage> {
    return Promise.resolve(s3SideStorage(this.#objects, this.#key(workspace)));
  }

  async verify(): Promise<void> {
    if (this.#settings.lockFile) {
      await verifyConditions(this.#objects, `${this.#settings.key}.tflock`);
    }
  }

  close(): Promise<void> {
    this.#clients.s3.destroy();
    this.#clients.dynamodb.destroy();
    return Promise.resolve();
  }

  #table(key: string): LockTable | undefined {
    const { table, objects } = this.#settings;
    return table === undefined
      ? undefined
      : lockTable(this.#clients, table, `${objects.bucket}/${key}`);
  }

  #key(workspace: string): string {
    const { key, workspacePrefix } = this.#settings;
    if (workspace === DEFAULT_WORKSPACE) return key;
    return cleanPath(workspacePrefix, workspace, key);
  }

  async #names(): Promise<readonly string[]> {
    const { key, workspacePrefix } = this.#settings;
    const prefix = workspacePrefix === '' ? '' : `${workspacePrefix}/`;
    const names: string[] = [];
    try {
      for await (const objectKey of this.#objects.keys(prefix)) {
        const rest = objectKey.slice(prefix.length);
        const slash = rest.indexOf('/');
        if (slash > 0 && rest.slice(slash + 1) === key) names.push(rest.slice(0, slash));
      }
    } catch (error) {
      // A user without permission to list the bucket still has the default workspace.
      if (workspacePrefix === DEFAULT_PREFIX && errorName(error) === 'AccessDenied') {
        return [DEFAULT_WORKSPACE];
      }
      const { bucket } = this.#objects;
      const reason =
        this.#objects.missingBucket('ListObjectsV2', error) ??
        `Unable to list objects in S3 bucket ${JSON.stringify(bucket)} with prefix ${JSON.stringify(prefix)}: ${this.#objects.failure('ListObjectsV2', error)}`;
      throw new Error(reason, { cause: error });
    }
    return [DEFAULT_WORKSPACE, ...names.sort()];
  }

  async #delete(name: string): Promise<void> {
    if (name === DEFAULT_WORKSPACE || name === '') throw new Error("can't delete default state");
    const key = this.#key(name);
    try {
      await this.#objects.delete(key);
    } catch (error) {
      throw new Error(this.#objects.failure('DeleteObject', error), { cause: error });
    }
    // As in Terraform, a checksum that could not be removed is not an error.
    await this.#table(key)
      ?.removeDigest()
      .catch(() => undefined);
  }
}
