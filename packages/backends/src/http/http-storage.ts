import { createHash } from 'node:crypto';
import type { LockInfo, LockOutcome, Storage } from '@terrane/host';
import { StateConflict, type BackendPorts } from '../backend.ts';
import { errorText } from '../error-text.ts';
import { joined } from '../joined.ts';
import { lockText, parseLock } from '../lock-text.ts';
import type { HttpSettings } from './http-settings.ts';
import { requestRetrying, type WholeAnswer } from './retrying-request.ts';

/** The storage of the one state at an address. It locks where there is an address for that. */
export function httpStorage(settings: HttpSettings, ports: BackendPorts): Storage {
  const client = new HttpClient(settings, ports);
  return {
    read: () => client.read(),
    write: (data, beforeCommit) => client.write(data, beforeCommit),
    ...(settings.lock !== undefined && {
      lock: (info: LockInfo) => client.lock(info),
      unlock: (id: string) => client.unlock(id),
    }),
  };
}

class HttpClient {
  readonly #settings: HttpSettings;
  readonly #ports: BackendPorts;
  /** the lock that is held here, as the server was told of it */
  #held: { readonly id: string; readonly text: string } | undefined;
  /** the tag of what was read or written last, where the server gives one that names the very bytes */
  #tag: string | undefined;

  constructor(settings: HttpSettings, ports: BackendPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  async read(): Promise<Uint8Array | undefined> {
    const { status, headers, body } = await this.#request('get state', {
      method: 'GET',
      url: this.#settings.address,
    });
    this.#tag = undefined;
    switch (status) {
      case 200:
        break;
      case 204:
      case 404:
        return undefined;
      case 401:
        throw new Error('HTTP remote state endpoint requires auth');
      case 403:
        throw new Error('HTTP remote state endpoint invalid auth');
      default:
        throw new Error(`Unexpected HTTP response code ${status}`);
    }
    if (body.length === 0) return undefined;
    const promised = headers['content-md5'];
    if (promised !== undefined && promised !== '' && promised !== md5Of(body)) {
      throw new Error(
        'The state that the server sent is not the one that it announced: its Content-MD5 is another. Nothing has been changed; try again, and look at what stands between here and the server if that does not help.',
      );
    }
    this.#tag = strongTag(headers['etag']);
    return body;
  }

  async write(data: Iterable<Uint8Array>, beforeCommit?: () => Promise<void>): Promise<void> {
    const body = joined(data);
    const { address, updateMethod: method } = this.#settings;
    const url = new URL(address);
    if (this.#held !== undefined) url.searchParams.set('ID', this.#held.id);
    await beforeCommit?.();
    const tag = this.#tag;
    const { status, headers } = await this.#request('upload state', {
      method,
      url,
      body,
      ...(tag !== undefined && { headers: { 'if-match': tag } }),
    });
    switch (status) {
      case 200:
      case 201:
      case 204:
        this.#tag = strongTag(headers['etag']);
        return;
      case 412:
        throw new StateConflict(
          'The server refused the state: somebody else has written another since it was read here.',
        );
      case 409:
      case 423:
        throw new StateConflict(
          `The server refused the state (HTTP error: ${status}): it is locked by somebody else, or another was written since it was read here.`,
        );
      default:
        throw new Error(`HTTP error: ${status}`);
    }
  }

  async lock(info: LockInfo): Promise<LockOutcome> {
    const { lock } = this.#settings;
    if (lock === undefined) return { kind: 'locked', id: info.id };
    this.#held = undefined;
    const text = lockText(info);
    const { status, body } = await this.#request('lock', { ...lock, body: text });
    switch (status) {
      case 200:
        break;
      case 401:
        throw new Error('HTTP remote state endpoint requires auth');
      case 403:
        throw new Error('HTTP remote state endpoint invalid auth');
      case 409:
      case 423: {
        const held = heldBy(body);
        if (held.kind === 'locked' || held.info?.id !== info.id) return held;
        // An attempt before this one was heard, and its answer was lost.
        break;
      }
      default:
        throw new Error(`Unexpected HTTP response code ${status}`);
    }
    this.#held = { id: info.id, text };
    return { kind: 'locked', id: info.id };
  }

  async unlock(id: string): Promise<void> {
    const { unlock } = this.#settings;
    if (unlock === undefined) return;
    // For a lock of somebody else its number is all that is known of it.
    const text = this.#held?.id === id ? this.#held.text : JSON.stringify({ ID: id });
    const { status } = await this.#request('unlock', { ...unlock, body: text });
    if (status !== 200) throw new Error(`Unexpected HTTP response code ${status}`);
    if (this.#held?.id === id) this.#held = undefined;
  }

  async #request(
    what: string,
    request: {
      readonly method: string;
      readonly url: URL;
      readonly body?: string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ): Promise<WholeAnswer> {
    const { username, password, tls, retries, shortestWaitMs, longestWaitMs } = this.#settings;
    const { url, method, body } = request;
    const { host, userAgent, signal } = this.#ports;
    const headers: Record<string, string> = { 'user-agent': userAgent, ...request.headers };
    if (username !== '')
      headers['authorization'] =
        `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
      headers['content-md5'] = md5Of(body);
    }
    try {
      return await requestRetrying(
        host,
        url,
        {
          method,
          headers,
          ...(body !== undefined && { body }),
          ...(tls !== undefined && { tls }),
          ...(signal !== undefined && { signal }),
        },
        { most: retries, shortestWaitMs, longestWaitMs },
      );
    } catch (error) {
      signal?.throwIfAborted();
      throw new Error(`Failed to ${what}: ${errorText(error)}`, { cause: error });
    }
  }
}

/** Who holds the lock, of the answer that refuses it. */
function heldBy(body: Uint8Array): LockOutcome {
  try {
    const { info } = parseLock(new TextDecoder().decode(body));
    return { kind: 'held', error: `HTTP remote state already locked: ID=${info.id}`, info };
  } catch {
    // Somebody holds it: who waits may wait, as with Terraform.
    return {
      kind: 'held',
      error: 'HTTP remote state already locked, failed to unmarshal body',
      info: { ...NOBODY_KNOWN },
    };
  }
}

const NOBODY_KNOWN: LockInfo = {
  id: 'unknown',
  operation: '',
  info: '',
  who: '',
  version: '',
  created: '',
  path: '',
};

function strongTag(tag: string | undefined): string | undefined {
  return tag?.startsWith('"') === true ? tag : undefined;
}

function md5Of(data: string | Uint8Array): string {
  return createHash('md5').update(data).digest('base64');
}
