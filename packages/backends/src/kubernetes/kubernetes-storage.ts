import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  LEASE_MS,
  LockLost,
  type Clock,
  type LockInfo,
  type LockOutcome,
  type Storage,
} from '@terrane/host';
import { StateConflict } from '../backend.ts';
import { joined } from '../joined.ts';
import { isLeaseOver, leaseWatchMs, lockText, parseLock } from '../lock-text.ts';
import type { KubernetesApi, KubernetesObject } from './kubernetes-api.ts';
import { fieldsOf } from './cluster-access.ts';

/** The maximum size of the data of one secret, which Terraform fills as well. */
export const CHUNK_BYTES = 1_048_576;
const LOCK_INFO = 'app.terraform.io/lock-info';
const ATTEMPTS = 5;

/** The location of a state in a cluster. */
export interface KubernetesPlace {
  readonly workspace: string;
  readonly suffix: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The state of one workspace: secrets that hold its chunks, and a lease as the lock, in Terraform's format. */
export class KubernetesStorage implements Storage {
  readonly #api: KubernetesApi;
  readonly #place: KubernetesPlace;
  readonly #clock: Clock;
  readonly #name: string;
  /** the version of the first secret when last read; `none` if it was missing */
  #version: string | undefined;
  /** The ID of the lock that was acquired here. */
  #lockId: string | undefined;

  constructor(api: KubernetesApi, place: KubernetesPlace, clock: Clock) {
    this.#api = api;
    this.#place = place;
    this.#clock = clock;
    this.#name = secretName(place);
  }

  get #labels(): Readonly<Record<string, string>> {
    const { workspace, suffix, labels } = this.#place;
    return {
      tfstate: 'true',
      tfstateSecretSuffix: suffix,
      tfstateWorkspace: workspace,
      'app.kubernetes.io/managed-by': 'terraform',
      ...labels,
    };
  }

  /** The secrets that hold parts, in order. */
  async #parts(): Promise<readonly KubernetesObject[]> {
    const selector = Object.entries(this.#labels).map(([name, value]) => `${name}=${value}`);
    const secrets = await this.#api.list('secrets', selector.sort().join(','));
    return secrets
      .map((secret) => ({ secret, at: this.#partOf(secret.metadata.name) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)
      .map(({ secret }) => secret);
  }

  #partOf(name: string): number {
    if (name === this.#name) return 0;
    const prefix = `${this.#name}-part-`;
    return name.startsWith(prefix) ? Number(name.slice(prefix.length)) : -1;
  }

  #partName(at: number): string {
    return at === 0 ? this.#name : `${this.#name}-part-${at}`;
  }

  async read(): Promise<Uint8Array | undefined> {
    const parts = await this.#parts();
    const [first] = parts;
    this.#version = first?.metadata.resourceVersion ?? 'none';
    const data: Buffer[] = [];
    for (const part of parts) {
      const text = fieldsOf(part['data'])['tfstate'];
      if (typeof text !== 'string') return undefined;
      data.push(Buffer.from(text, 'base64'));
    }
    return data.length === 0 ? undefined : await promisify(gunzip)(Buffer.concat(data));
  }

  async write(data: Iterable<Uint8Array>, beforeCommit?: () => Promise<void>): Promise<void> {
    const payload = await promisify(gzip)(joined(data));
    const old = await this.#parts();
    await beforeCommit?.();
    const count = Math.ceil(payload.length / CHUNK_BYTES);
    for (let at = 0; at < count; at++) {
      const text = payload.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES).toString('base64');
      const existing = old.find(({ metadata }) => metadata.name === this.#partName(at));
      // Only the version of the first secret detects a concurrent change of the state.
      const version =
        (at === 0 ? this.#version : undefined) ?? existing?.metadata.resourceVersion ?? 'none';
      const stored = await this.#put(this.#partName(at), text, version, existing);
      if (stored === undefined) throw conflict(this.#name);
      if (at === 0) this.#version = stored.metadata.resourceVersion;
    }
    for (let at = count; at < old.length; at++)
      await this.#api.delete('secrets', this.#partName(at));
  }

  async #put(
    name: string,
    tfstate: string,
    version: string,
    known: KubernetesObject | undefined,
  ): Promise<KubernetesObject | undefined> {
    const shared = { apiVersion: 'v1', kind: 'Secret' };
    if (version === 'none') {
      const metadata = { name, labels: this.#labels, annotations: { encoding: 'gzip' } };
      return await this.#api.create('secrets', { ...shared, metadata, data: { tfstate } });
    }
    if (known === undefined) return undefined;
    return await this.#api.replace('secrets', {
      ...known,
      ...shared,
      metadata: { ...known.metadata, resourceVersion: version },
      data: { ...fieldsOf(known['data']), tfstate },
    });
  }

  get #leaseName(): string {
    return `lock-${this.#name}`;
  }

  async lock(info: LockInfo): Promise<LockOutcome> {
    for (let attempt = 1; ; attempt++) {
      const lease = await this.#api.get('leases', this.#leaseName);
      const holder = lease === undefined ? undefined : holderOf(lease);
      const error = 'the state is already locked by another terraform client';
      const isHeldByOther = holder !== undefined && holder.id !== info.id;
      if (isHeldByOther) {
        if (!isLeaseOver(holder, this.#clock.now())) return { kind: 'held', error, info: holder };
        // Clocks may differ. A live holder renews the lease during the wait, which changes its version.
        if (holder.lease !== undefined) await this.#clock.sleep(leaseWatchMs(holder.lease));
      }
      const epoch = (holder?.lease?.epoch ?? 0) + 1;
      const holderInfo =
        info.lease === undefined ? info : { ...info, lease: { ...info.lease, epoch } };
      const taken =
        lease === undefined
          ? await this.#api.create(
              'leases',
              this.#held(newLease(this.#leaseName, this.#labels), holderInfo),
            )
          : await this.#api.replace('leases', this.#held(lease, holderInfo));
      if (taken !== undefined) {
        this.#lockId = info.id;
        return { kind: 'locked', id: info.id, ...(info.lease !== undefined && { epoch }) };
      }
      if (isHeldByOther) return { kind: 'held', error, info: holder };
      // Another client acquired or changed the lease in the meantime.
      if (attempt === ATTEMPTS)
        throw new Error(
          `The lease ${this.#leaseName} was changed concurrently at each of several attempts; try again.`,
        );
    }
  }

  #held(lease: KubernetesObject, info: LockInfo): KubernetesObject {
    const annotations = { ...lease.metadata.annotations, [LOCK_INFO]: lockText(info) };
    const now = `${this.#clock.now().toISOString().replace(/Z$/, '')}000Z`;
    return {
      ...lease,
      metadata: { ...lease.metadata, annotations },
      spec: {
        ...fieldsOf(lease['spec']),
        holderIdentity: info.id,
        ...(info.lease !== undefined && {
          leaseDurationSeconds: Math.ceil((info.lease.ms ?? LEASE_MS) / 1000),
          renewTime: now,
        }),
      },
    };
  }

  async unlock(id: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const lease = await this.#api.get('leases', this.#leaseName);
      const holder = lease === undefined ? undefined : holderOf(lease);
      if (lease === undefined || holder === undefined) throw new Error('state is already unlocked');
      if (holder.id !== id)
        throw new Error(`lock id ${JSON.stringify(id)} does not match existing lock`);
      const { [LOCK_INFO]: _, ...annotations } = lease.metadata.annotations ?? {};
      const {
        holderIdentity: __,
        leaseDurationSeconds: ___,
        renewTime: ____,
        ...spec
      } = fieldsOf(lease['spec']);
      const metadata = { ...lease.metadata, annotations };
      if ((await this.#api.replace('leases', { ...lease, metadata, spec })) !== undefined) return;
      if (attempt === ATTEMPTS)
        throw new Error(
          `The lease ${this.#leaseName} was changed concurrently at each of several attempts; try again.`,
        );
    }
  }

  async renew(info: LockInfo): Promise<void> {
    const lease = await this.#api.get('leases', this.#leaseName);
    if (lease === undefined || holderOf(lease)?.id !== info.id) {
      throw leaseLost(this.#leaseName);
    }
    if ((await this.#api.replace('leases', this.#held(lease, info))) === undefined) {
      throw new Error(
        `The lease ${this.#leaseName} was changed in the moment in which it was renewed.`,
      );
    }
  }

  async confirmLock(): Promise<void> {
    const lease = await this.#api.get('leases', this.#leaseName);
    const holder = lease === undefined ? undefined : holderOf(lease);
    if (holder?.id !== this.#lockId) throw leaseLost(this.#leaseName);
  }

  async lockHolder(): Promise<LockInfo | undefined> {
    const lease = await this.#api.get('leases', this.#leaseName);
    return lease === undefined ? undefined : holderOf(lease);
  }

  /** Deletes the state and its lock. */
  async delete(): Promise<void> {
    for (const { metadata } of await this.#parts())
      await this.#api.delete('secrets', metadata.name);
    await this.#api.delete('leases', this.#leaseName);
  }
}

function newLease(name: string, labels: Readonly<Record<string, string>>): KubernetesObject {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, labels } };
}

function leaseLost(name: string): LockLost {
  return new LockLost(
    `The lock of the state, the lease ${name}, is held by another client or gone.`,
  );
}

function conflict(name: string): StateConflict {
  return new StateConflict(
    `The secret ${name} has been written by another client since the state was read here.`,
  );
}

function holderOf(lease: KubernetesObject): LockInfo | undefined {
  const id = fieldsOf(lease['spec'])['holderIdentity'];
  if (typeof id !== 'string' || id === '') return undefined;
  try {
    return { ...parseLock(lease.metadata.annotations?.[LOCK_INFO] ?? '').info, id };
  } catch {
    return { id, operation: '', info: '', who: '', version: '', created: '', path: '' };
  }
}

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function secretName({ workspace, suffix }: KubernetesPlace): string {
  const name = `tfstate-${workspace}-${suffix}`;
  const problems = [
    ...(name.length > 253 ? ['must be no more than 253 characters'] : []),
    ...(SUBDOMAIN.test(name)
      ? []
      : [
          "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        ]),
  ];
  if (problems.length === 0) return name;
  throw new Error(`the secret name ${name} is invalid, ${problems.join(',')}
This is a requirement for Kubernetes secret names. 
The workspace name and key must adhere to Kubernetes naming conventions.`);
}
