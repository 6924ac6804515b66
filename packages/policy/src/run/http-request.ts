import { number, object, str, type Value } from '@terrane/cty';
import { type Http, userErrorText } from '@terrane/host';

const TIMEOUT_MS = 30_000;
const MAX_BODY = 4 * 1024 * 1024;

/** Sends the GET request of `gethttprequest`. Rejects with an error for the user. */
export async function sendPolicyRequest(
  http: Http,
  url: string,
  headers: ReadonlyMap<string, string>,
): Promise<Value> {
  if (!/^https?:\/\//i.test(url)) throw new Error('the URL must begin with http:// or https://');
  try {
    const response = await http.request(url, {
      headers: Object.fromEntries(headers),
      timeoutMs: TIMEOUT_MS,
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.length;
      if (size > MAX_BODY) throw new Error(`the response has more than ${MAX_BODY} bytes`);
      chunks.push(chunk);
    }
    const body = new TextDecoder().decode(Buffer.concat(chunks));
    return object({
      statusCode: number(response.status),
      status: str(`${response.status}`),
      body: str(body),
    });
  } catch (error) {
    throw new Error(`the request failed: ${userErrorText(error)}`);
  }
}
