import type { HttpAnswer } from './host.ts';

/** The error for a response body that exceeds the limit. */
export class BodyTooLarge extends Error {
  constructor(limit: number) {
    super(`the answer is longer than ${limit} bytes`);
    this.name = 'BodyTooLarge';
  }
}

/** Returns the complete body of a response. Throws `BodyTooLarge` beyond `limit` bytes (default: 64 MiB). */
export async function bodyBytes(
  { body }: Pick<HttpAnswer, 'body'>,
  limit: number = 64 * 1024 * 1024,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw new BodyTooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/**
 * Returns the complete body of a response as UTF-8 text. Throws `BodyTooLarge` beyond `limit` bytes (default: 64 MiB).
 */
export async function bodyText(answer: Pick<HttpAnswer, 'body'>, limit?: number): Promise<string> {
  return new TextDecoder().decode(await bodyBytes(answer, limit));
}

/** The maximum number of bytes to read and discard so that a connection can be reused. */
const DISCARD_BYTES = 64 * 1024;

/**
 * Reads an unwanted body to its end, so that the connection can be used again; closes the connection if the
 * body is long or breaks off. Never rejects.
 */
export async function discardBody({ body }: Pick<HttpAnswer, 'body'>): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > DISCARD_BYTES) return;
    }
  } catch {
    // The body is not needed.
  }
}
