import { createHash } from 'node:crypto';
import {
  LockLost,
  type LockInfo,
  type LockOutcome,
  type Storage,
  userErrorText,
} from '@terrane/host';
import { StateConflict, type BackendPorts } from '../backend.ts';
import { joined } from '../joined.ts';
import { lockText, parseLock } from '../lock-text.ts';
import type { HttpSettings } from './http-settings.ts';
import { requestRetrying, type WholeAnswer } from './retrying-request.ts';

/** Returns the storage of the single state at an address. It supports locks if a lock address is configured. */
export function httpStorage(settings: HttpSettings, ports: BackendPorts): Storage {
  const client = new HttpClient(settings, ports);
  return {
    read: () => client.read(),
    write: (data, beforeCommit) => client.write(data, beforeCommit),
    ...(settings.lock !== undefined && {
      lock: (info: LockInfo) => client.lock(info),
      unlock: (id: string) => client.unlock(id),
      confirmLock: () => client.confirmLock(),
    }),
  };
}

class HttpClient {
  readonly #settings: HttpSettings;
  readonly #ports: BackendPorts;
  /** the lock held by this storage, as sent to the server */
  #held: { readonly id: string; readonly text: string } | undefined;
  /** The server's response to a second request for a lock that this storage holds. */
  #repeated: RepeatedLock['kind'] = 'unclear';
  /** the strong ETag last read or written, if the server sends one */
  #tag: string | undefined;
  /** The digest last read or written; `none` without a state. */
  #known: string | undefined;

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
        this.#known = NO_STATE;
        return undefined;
      case 401:
        throw new Error('HTTP remote state endpoint requires auth');
      case 403:
        throw new Error('HTTP remote state endpoint invalid auth');
      default:
        throw new Error(`Unexpected HTTP response code ${status}`);
    }
    this.#known = body.length === 0 ? NO_STATE : md5Of(body);
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
    await this.#assertUnchanged();
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
        this.#known = md5Of(body);
        return;
      case 412:
        throw new StateConflict(
          'The server refused the state: another client has written a new one since it was read here.',
        );
      case 409:
      case 423:
        throw new StateConflict(
          `The server refused the state (HTTP error: ${status}): it is locked by another client, or another was written since it was read here.`,
        );
      default:
        throw new Error(`HTTP error: ${status}`);
    }
  }

  /**
   * Checks that the state did not change, for servers without ETags. Under a confirmed lock no check is needed;
   * otherwise the state is read again before it is replaced.
   */
  async #assertUnchanged(): Promise<void> {
    const known = this.#known;
    if (this.#tag !== undefined || known === undefined) return;
    if (this.#held !== undefined && (await this.#isStillHeld())) return;
    await this.read();
    if (this.#known === known) return;
    // A later attempt of this run must not mistake the current version for the one it has read.
    this.#known = known;
    this.#tag = undefined;
    throw new StateConflict(
      'The state was not written: another client has written a new one since it was read here.',
    );
  }

  async #isStillHeld(): Promise<boolean> {
    if (this.#repeated !== 'refused') return false;
    try {
      await this.confirmLock();
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Requests the lock again. The protocol has no request for the holder of a lock, but a server that refuses a lock
   * names its holder.
   */
  async confirmLock(): Promise<void> {
    const held = this.#held;
    if (held === undefined) throw new LockLost('the lock of the state is not held');
    if (this.#repeated === 'unclear') return;
    const answer = await this.#askAgain(held.text);
    if (answer.kind === 'unclear')
      throw new Error(`Unexpected HTTP response code ${answer.status}`);
    if (answer.kind === 'refused') {
      if (answer.holder === held.id) return;
      throw new LockLost(`another client has locked the state by now: ID ${answer.holder}`);
    }
    if (this.#repeated === 'granted') return;
    // The lock was lost, and has just been acquired again: it is not the one which protected this run.
    await this.unlock(held.id).catch(() => undefined);
    this.#held = undefined;
    throw new LockLost('the lock of the state has been removed by another client');
  }

  async #askAgain(text: string): Promise<RepeatedLock> {
    const { lock } = this.#settings;
    if (lock === undefined) return { kind: 'unclear', status: 0 };
    const request = { ...lock, body: text, retries: 0 };
    const { status, body } = await this.#request('look at the lock', request);
    if (status === 200) return { kind: 'granted' };
    if (status !== 409 && status !== 423) return { kind: 'unclear', status };
    const answer = heldBy(body);
    const holder = answer.kind === 'held' ? answer.info?.id : undefined;
    return holder === undefined || holder === '' || holder === NOBODY_KNOWN.id
      ? { kind: 'unclear', status }
      : { kind: 'refused', holder };
  }

  async lock(info: LockInfo): Promise<LockOutcome> {
    const { lock } = this.#settings;
    if (lock === undefined) return { kind: 'locked', id: info.id };
    this.#held = undefined;
    this.#repeated = 'unclear';
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
        // A previous attempt succeeded, but its response was lost.
        break;
      }
      default:
        throw new Error(`Unexpected HTTP response code ${status}`);
    }
    this.#held = { id: info.id, text };
    // The response while the lock is certainly held determines how later responses are interpreted.
    const again = await this.#askAgain(text).catch(() => undefined);
    this.#repeated =
      again?.kind === 'refused' && again.holder !== info.id
        ? 'unclear'
        : (again?.kind ?? 'unclear');
    return { kind: 'locked', id: info.id };
  }

  async unlock(id: string): Promise<void> {
    const { unlock } = this.#settings;
    if (unlock === undefined) return;
    // If another client holds the lock, only its ID is known.
    const text = this.#held?.id === id ? this.#held.text : JSON.stringify({ ID: id });
    const { status } = await this.#request('unlock', { ...unlock, body: text });
    if (status !== 200) throw new Error(`Unexpected HTTP response code ${status}`);
    if (this.#held?.id === id) this.#held = undefined;
  }

  async #request(
    subject: string,
    request: {
      readonly method: string;
      readonly url: URL;
      readonly body?: string | Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
      readonly retries?: number;
    },
  ): Promise<WholeAnswer> {
    const { username, password, tls, shortestWaitMs, longestWaitMs } = this.#settings;
    const { retries = this.#settings.retries } = request;
    const { url, method, body } = request;
    const { host, userAgent, signal } = this.#ports;
    const headers: Record<string, string> = {
      'user-agent': userAgent,
      ...this.#settings.headers,
      ...request.headers,
    };
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
      throw new Error(`Failed to ${subject}: ${userErrorText(error)}`, { cause: error });
    }
  }
}

/** The response to a second request for a lock: refused because of a holder, granted again, or neither. */
type RepeatedLock =
  | { readonly kind: 'refused'; readonly holder: string }
  | { readonly kind: 'granted' }
  | { readonly kind: 'unclear'; readonly status: number };

/** Parses the holder of the lock from a refusal. */
function heldBy(body: Uint8Array): LockOutcome {
  try {
    const { info } = parseLock(new TextDecoder().decode(body));
    return { kind: 'held', error: `HTTP remote state already locked: ID=${info.id}`, info };
  } catch {
    // The lock has an unknown holder; waiting is possible, as in Terraform.
    return {
      kind: 'held',
      error: 'HTTP remote state already locked, failed to unmarshal body',
      info: { ...NOBODY_KNOWN },
    };
  }
}

/** Replaces the digest if there is no state. */
const NO_STATE = 'none';

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
