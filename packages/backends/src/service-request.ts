import { bodyBytes, type HttpRequest } from '@terrane/host';
import type { BackendPorts } from './backend.ts';
import type { WholeAnswer } from './http/retrying-request.ts';

/** A request signed for the current time. */
export type SignedRequest = HttpRequest & { readonly url: string };

/** The number of attempts and the first delay; each further delay is twice as long. */
const ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const RETRIED: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

// A state may be as large as memory allows.
const MAX_BYTES = 2 ** 31;

/**
 * Sends a request to a cloud service and retries after connection errors and temporary errors. Returns the last
 * response, regardless of its status. Requests with side effects must be idempotent.
 */
export async function askService(
  { host, signal, userAgent }: BackendPorts,
  sign: () => SignedRequest | Promise<SignedRequest>,
  attempts: number = ATTEMPTS,
): Promise<WholeAnswer> {
  for (let attempt = 1; ; attempt++) {
    const last = attempt >= attempts;
    try {
      const { url, ...request } = await sign();
      const answer = await host.http.request(url, {
        ...request,
        headers: { 'user-agent': userAgent, ...request.headers },
        ...(signal !== undefined && { signal }),
      });
      const { status, headers } = answer;
      const body = await bodyBytes(answer, MAX_BYTES);
      if (last || !RETRIED.has(status)) return { status, headers, body };
    } catch (error) {
      signal?.throwIfAborted();
      if (last || !isBroken(error)) throw error;
    }
    await host.clock.sleep(FIRST_WAIT_MS * 2 ** (attempt - 1), signal);
  }
}

/** Returns true if a connection broke, which another attempt may mend. */
function isBroken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^E(CONNRESET|PIPE|TIMEDOUT|AI_AGAIN)/.test(code);
}
