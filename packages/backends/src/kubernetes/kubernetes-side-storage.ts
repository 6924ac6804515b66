import { createHash } from 'node:crypto';
import { type SideStorage, sideNameSegments } from '@terrane/host';
import { fieldsOf } from './cluster-access.ts';
import { type KubernetesApi, KubernetesError, type KubernetesObject } from './kubernetes-api.ts';
import { CHUNK_BYTES, type KubernetesPlace } from './kubernetes-storage.ts';

/** The annotation that names the version of the content, which is part of the names of further secrets. */
const VERSION = 'terraneHistoryVersion';
/** The annotation with the number of secrets. */
const PARTS = 'terraneHistoryParts';
/** The annotation with the name of the content, for people. */
const CONTENT = 'terraneHistoryName';
/** The largest number of secrets that is read, so that a damaged or hostile one cannot exhaust the memory. */
const MAX_PARTS = 1024;
const NAME_LENGTH = 40;
const VERSION_LENGTH = 16;

/**
 * Returns the storage of further data of a state: secrets with labels of their own, so that neither Terraform nor a
 * listing of workspaces takes them for states. Content that is larger than a secret has further secrets, which are
 * written before the first one refers to them. Undefined without the permission to read other secrets than those of
 * states.
 */
export async function kubernetesSideStorage(
  api: KubernetesApi,
  place: KubernetesPlace,
): Promise<SideStorage | undefined> {
  const secrets = new SideSecrets(api, place);
  try {
    await secrets.read('index');
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 403) return undefined;
    throw error;
  }
  return secrets;
}

class SideSecrets implements SideStorage {
  readonly #api: KubernetesApi;
  readonly #place: KubernetesPlace;

  constructor(api: KubernetesApi, place: KubernetesPlace) {
    this.#api = api;
    this.#place = place;
  }

  /** Returns the name of the first secret. Names of content may be no names of secrets, so they are hashed. */
  #secretName(name: string): string {
    const { workspace, suffix } = this.#place;
    const segments = sideNameSegments(name);
    const hash = createHash('sha256').update(JSON.stringify([workspace, suffix, ...segments]));
    return `tfhistory-${hash.digest('hex').slice(0, NAME_LENGTH)}`;
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    const secretName = this.#secretName(name);
    const first = await this.#api.get('secrets', secretName);
    if (first === undefined) return undefined;
    const data = [dataOf(first)];
    for (const partName of furtherParts(secretName, first)) {
      const part = await this.#api.get('secrets', partName);
      if (part === undefined)
        throw new Error(
          `The secret ${secretName} refers to the secret ${partName}, which is gone.`,
        );
      data.push(dataOf(part));
    }
    return Buffer.concat(data);
  }

  async write(name: string, content: Uint8Array): Promise<void> {
    const secretName = this.#secretName(name);
    const old = await this.#api.get('secrets', secretName);
    const count = Math.max(1, Math.ceil(content.length / CHUNK_BYTES));
    const version = createHash('sha256').update(content).digest('hex').slice(0, VERSION_LENGTH);
    const annotations = { [CONTENT]: name, [VERSION]: version, [PARTS]: String(count) };
    if (count > MAX_PARTS) {
      throw new Error(`The content ${name} takes ${count} secrets; at most ${MAX_PARTS} are read.`);
    }
    const secretOf = (index: number): KubernetesObject => {
      const chunk = content.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
      return {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          name: index === 0 ? secretName : partName(secretName, version, index),
          labels: this.#labels,
          annotations,
        },
        data: { content: Buffer.from(chunk).toString('base64') },
      };
    };
    for (let index = 1; index < count; index++) {
      // A part that exists is of the same content, and was written by a run that was interrupted.
      await this.#api.create('secrets', secretOf(index));
    }
    await this.#put(secretOf(0), old);
    const kept = new Set(furtherParts(secretName, { metadata: { name: secretName, annotations } }));
    for (const each of old === undefined ? [] : furtherParts(secretName, old))
      if (!kept.has(each)) await this.#api.delete('secrets', each);
  }

  async #put(secret: KubernetesObject, old: KubernetesObject | undefined): Promise<void> {
    const { resourceVersion } = old?.metadata ?? {};
    const stored =
      resourceVersion === undefined
        ? await this.#api.create('secrets', secret)
        : await this.#api.replace('secrets', {
            ...secret,
            metadata: { ...secret.metadata, resourceVersion },
          });
    if (stored === undefined)
      throw new Error(
        `The secret ${secret.metadata.name} was changed concurrently by another client.`,
      );
  }

  async remove(name: string): Promise<void> {
    const secretName = this.#secretName(name);
    const old = await this.#api.get('secrets', secretName);
    if (old === undefined) return;
    await this.#api.delete('secrets', secretName);
    for (const each of furtherParts(secretName, old)) await this.#api.delete('secrets', each);
  }

  get #labels(): Readonly<Record<string, string>> {
    const { workspace, suffix, labels } = this.#place;
    return {
      ...labels,
      terraneHistory: 'true',
      terraneHistoryWorkspace: workspace,
      terraneHistorySuffix: suffix,
      'app.kubernetes.io/managed-by': 'terrane',
    };
  }
}

function dataOf(secret: KubernetesObject): Uint8Array {
  const { content } = fieldsOf(secret['data']);
  if (typeof content === 'string') return Buffer.from(content, 'base64');
  throw new Error(`The secret ${secret.metadata.name} has no content.`);
}

/** Returns the names of the secrets in addition to the first one. */
function furtherParts(secretName: string, { metadata }: KubernetesObject): readonly string[] {
  const { [PARTS]: parts = '1', [VERSION]: version = '' } = metadata.annotations ?? {};
  const count = Number(parts);
  if (!Number.isInteger(count) || count < 1 || count > MAX_PARTS || !/^[0-9a-f]*$/.test(version))
    throw new Error(`The secret ${secretName} has malformed annotations.`);
  return Array.from({ length: count - 1 }, (_, index) => partName(secretName, version, index + 1));
}

const partName = (secretName: string, version: string, index: number): string =>
  `${secretName}-${version}-${index}`;
