import { errorText } from '@terrane/host';
import { invalid } from '../http/json-api.ts';
import type { OutgoingAnswer, OutgoingRequest, Services } from './services.ts';

/** The longest address of another system. */
const LONGEST_URL = 2048;

/** Returns the URL of another system as a user has given it. Throws an ApiError. */
export function outgoingUrl(attribute: string, text: string | undefined): string {
  if (text === undefined || text === '') throw invalid(attribute, "can't be blank");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!isHttp || text.length > LONGEST_URL) {
    throw invalid(attribute, 'is not a valid URL of HTTP or HTTPS');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(attribute, 'cannot contain a user name or password');
  }
  return text;
}

/** Sends a request to another system. Rejects if the installation has no network for it. */
export async function sendOutside(
  { send }: Pick<Services, 'send'>,
  url: string,
  request: OutgoingRequest,
): Promise<OutgoingAnswer> {
  if (send === undefined) throw new Error('The server has no access to other systems.');
  return await send(url, request);
}

/** The result of a request whose response is reported to a user. */
export interface Delivery {
  /** the HTTP status; 0 without a response */
  readonly code: number;
  /** the beginning of the response, or the error */
  readonly body: string;
  readonly isSuccessful: boolean;
}

/** Sends a body as JSON, and returns how the other system has answered. */
export async function deliver(
  services: Pick<Services, 'send'>,
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  timeoutMs = 10_000,
): Promise<Delivery> {
  try {
    const answer = await sendOutside(services, url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Terrane', ...headers },
      body,
      timeoutMs,
      limit: 64 * 1024,
    });
    const isSuccessful = answer.status >= 200 && answer.status < 300;
    const text = Buffer.from(answer.body).toString('utf8').slice(0, 1_000);
    return { code: answer.status, body: text, isSuccessful };
  } catch (error) {
    // any-error: the sender receives the reason of every failed delivery.
    return { code: 0, body: errorText(error).slice(0, 1_000), isSuccessful: false };
  }
}
