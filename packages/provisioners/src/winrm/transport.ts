import { quoteText } from '@terrane/cty';
import {
  bodyText,
  type Host,
  type HttpAnswer,
  type HttpSession,
  requestFailure,
} from '@terrane/host';
import { brief } from '../brief.ts';
import { isFault, WinrmFault } from './answers.ts';
import type { WinrmSettings } from './connection-settings.ts';
import { authenticateMessage, negotiateMessage, ntlmUser, readChallenge } from './ntlm.ts';

const SOAP = 'application/soap+xml';
/** The maximum length of a response in bytes. Machines are requested to send at most 150 KiB (`MaxEnvelopeSize`). */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** The two authentication schemes that carry NTLM, with the token of the response. */
const NTLM = /(?:^|,\s*)(Negotiate|NTLM)(?:\s+([A-Za-z0-9+/=]+))?\s*(?=,|$)/i;

/** Time limits of a request. */
export interface Patience {
  readonly signal?: AbortSignal;
  /** the time-out for response headers */
  readonly timeoutMs?: number;
}

/** Sends envelopes to a machine over HTTP, logged in, one after another. */
export class WinrmTransport {
  readonly url: string;
  readonly #host: Pick<Host, 'clock' | 'random'>;
  readonly #settings: WinrmSettings;
  readonly #session: HttpSession;

  constructor(host: Pick<Host, 'clock' | 'http' | 'random'>, settings: WinrmSettings) {
    this.#host = host;
    this.#settings = settings;
    this.#session = host.http.openSession();
    this.url = `${settings.https ? 'https' : 'http'}://${settings.host}:${settings.port}/wsman`;
  }

  /**
   * Sends an envelope and returns the response. Throws a `WinrmFault` if the machine rejects it, or the transport
   * error.
   */
  async post(envelope: string, patience: Patience): Promise<string> {
    const answer = this.#settings.ntlm
      ? await this.#postByNtlm(envelope, patience)
      : await this.#send(envelope, patience, `Basic ${this.#secret()}`);
    if (answer.status === 401) throw new Error(this.#refusal(answer));
    const isSoap = answer.headers['content-type']?.includes(SOAP) === true;
    if (!isSoap) throw new Error(`http response error: ${answer.status} - invalid content type`);
    if (answer.text !== '' && isFault(answer.text)) {
      throw new WinrmFault(answer.status, answer.text);
    }
    if (answer.status !== 200)
      throw new Error(`http error ${answer.status}: ${brief(answer.text)}`);
    return answer.text;
  }

  /** Ends the connection. */
  close(): void {
    this.#session.close();
  }

  #secret(): string {
    const { user, password } = this.#settings;
    return Buffer.from(`${user}:${password}`).toString('base64');
  }

  /**
   * A connection stays authenticated, so the request is first sent without credentials; a password is never sent for
   * another scheme.
   */
  async #postByNtlm(envelope: string, patience: Patience): Promise<Answer> {
    const first = await this.#send(envelope, patience);
    const scheme = first.status === 401 ? ntlmOf(first)?.scheme : undefined;
    if (scheme === undefined) return first;
    const user = ntlmUser(this.#settings.user, this.#settings.password);
    const begin = negotiateMessage(user).toString('base64');
    const second = await this.#send(envelope, patience, `${scheme} ${begin}`);
    const token = second.status === 401 ? ntlmOf(second)?.token : undefined;
    if (token === undefined) return second;
    const proof = authenticateMessage(readChallenge(Buffer.from(token, 'base64')), user, {
      challenge: this.#host.random.bytes(8),
      now: this.#host.clock.now(),
    });
    return await this.#send(envelope, patience, `${scheme} ${proof.toString('base64')}`);
  }

  async #send(envelope: string, patience: Patience, authorization?: string): Promise<Answer> {
    const { https, insecure, authorities } = this.#settings;
    try {
      const answer = await this.#session.request(this.url, {
        method: 'POST',
        headers: {
          'content-type': `${SOAP};charset=UTF-8`,
          ...(authorization !== undefined && { authorization }),
        },
        body: envelope,
        redirect: 'manual',
        ...patience,
        ...(https && {
          tls: {
            ...(insecure && { verify: false }),
            ...(authorities !== '' && { ca: authorities }),
          },
        }),
      });
      return {
        status: answer.status,
        headers: answer.headers,
        text: await bodyText(answer, MAX_RESPONSE_BYTES),
      };
    } catch (error) {
      patience.signal?.throwIfAborted();
      throw new Error(
        `unknown error Post ${quoteText(this.url)}: ${requestFailure(this.url, error)}`,
      );
    }
  }

  #refusal({ headers }: Answer): string {
    const schemes = [...(headers['www-authenticate'] ?? '').matchAll(SCHEMES)].map(
      ([, scheme]) => scheme,
    );
    const offer =
      schemes.length === 0 ? 'names no way to log in' : brief(`offers ${schemes.join(', ')}`);
    const way = this.#settings.ntlm ? 'NTLM' : 'basic authentication';
    return `http response error: 401 - the machine does not let in this user with this password by ${way}; it ${offer}`;
  }
}

/** The names of authentication schemes, among their parameters. */
const SCHEMES = /(?:^|,)\s*([A-Za-z][\w-]*)(?=\s*(?:,|$)|\s+[^\s=,])/g;

interface Answer extends Pick<HttpAnswer, 'status' | 'headers'> {
  readonly text: string;
}

function ntlmOf({ headers }: Answer): { scheme: string; token: string | undefined } | undefined {
  const match = NTLM.exec(headers['www-authenticate'] ?? '');
  return match?.[1] === undefined ? undefined : { scheme: match[1], token: match[2] };
}
