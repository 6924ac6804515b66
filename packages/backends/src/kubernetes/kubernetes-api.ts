import { bodyText, type HttpRequest, userErrorText } from '@terrane/host';
import type { BackendPorts } from '../backend.ts';
import { fieldsOf, type ClusterAccess } from './cluster-access.ts';

/** A secret or a lease, as the API has it. */
export interface KubernetesObject {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [member: string]: unknown;
}

/** An answer of the API that reports a failure; its message is for users. */
export class KubernetesError extends Error {
  override readonly name = 'KubernetesError';
  /** the HTTP status */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Kinds of objects, by their path below the server's address. */
export type Collection = 'secrets' | 'leases';

/** The API of a cluster, for secrets and leases of one namespace. */
export class KubernetesApi {
  readonly #access: ClusterAccess;
  readonly #namespace: string;
  readonly #ports: BackendPorts;

  constructor(access: ClusterAccess, namespace: string, ports: BackendPorts) {
    this.#access = access;
    this.#namespace = namespace;
    this.#ports = ports;
  }

  async list(of: Collection, selector: string): Promise<readonly KubernetesObject[]> {
    const answer = await this.#ask('GET', of, `?labelSelector=${encodeURIComponent(selector)}`);
    const items = fieldsOf(answer)['items'];
    return Array.isArray(items) ? (items as KubernetesObject[]) : [];
  }

  /** Reads an object; `undefined` if it does not exist. */
  async get(of: Collection, name: string): Promise<KubernetesObject | undefined> {
    return await this.#ask('GET', of, `/${name}`, undefined, 404);
  }

  /** `undefined`: there is one by now. */
  async create(of: Collection, object: KubernetesObject): Promise<KubernetesObject | undefined> {
    return await this.#ask('POST', of, '', object, 409);
  }

  /** Replaces the version that the object names. `undefined`: there is another by now. */
  async replace(of: Collection, object: KubernetesObject): Promise<KubernetesObject | undefined> {
    return await this.#ask('PUT', of, `/${object.metadata.name}`, object, 409);
  }

  async delete(of: Collection, name: string): Promise<void> {
    await this.#ask('DELETE', of, `/${name}?propagationPolicy=Background`, undefined, 404);
  }

  async #ask(
    method: string,
    of: Collection,
    rest: string,
    body?: KubernetesObject,
    absent?: number,
  ): Promise<KubernetesObject | undefined> {
    const { server, headers, tls, proxy } = this.#access;
    const { host, userAgent, signal } = this.#ports;
    const api = of === 'secrets' ? 'api/v1' : 'apis/coordination.k8s.io/v1';
    const path = `${api}/namespaces/${encodeURIComponent(this.#namespace)}/${of}`;
    const request: HttpRequest = {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      tls,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(proxy !== undefined && { proxy }),
      ...(signal !== undefined && { signal }),
    };
    let status: number;
    let text: string;
    try {
      const answer = await host.http.request(
        `${server.replace(/\/+$/, '')}/${path}${rest}`,
        request,
      );
      status = answer.status;
      text = await bodyText(answer, 512 * 1024 * 1024);
    } catch (error) {
      signal?.throwIfAborted();
      throw new Error(`The Kubernetes API could not be asked: ${userErrorText(error)}`, {
        cause: error,
      });
    }
    if (status === absent) return undefined;
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      answer = undefined;
    }
    if (status < 200 || status > 299) {
      const reason = fieldsOf(answer)['message'];
      const message =
        typeof reason === 'string' && reason !== ''
          ? reason
          : `The Kubernetes API answered ${method} ${path} with ${status}.`;
      throw new KubernetesError(message, status);
    }
    return answer as KubernetesObject;
  }
}
