// The provider for AWS with a clock by which waits take moments.
import { awsProvider } from '@terrane/provider-aws';
import type { HttpAnswer, HttpRequest } from '@terrane/host';
import type { Provider, ProviderPorts } from '@terrane/provider';
import { QuietClock } from './quiet-clock.ts';

type Json = Record<string, unknown>;

/**
 * Answers requests that the server for tests does not know, by the operation and what is asked; undefined: it is for the
 * server. `server` gives what the server answers, to add to it; undefined: that it fails.
 */
export type OwnAnswers = (
  operation: string,
  asked: Json,
  server: () => Promise<Json | undefined>,
) => object | undefined | Promise<object | undefined>;

/** The provider for AWS, for tests of what waits for minutes: its clock goes on as soon as no request is under way. */
export function quickAws(intercept?: OwnAnswers): (ports: ProviderPorts) => Provider {
  return (ports) => {
    const { http } = ports;
    if (http === undefined) return awsProvider(ports);
    let asked = 0;
    const clock = new QuietClock({ isBusy: () => asked > 0 });
    return awsProvider({
      ...ports,
      clock,
      http: {
        async request(url, options) {
          asked += 1;
          try {
            const send = () => http.request(url, options);
            return (await answered(intercept, url, options, send)) ?? (await send());
          } finally {
            asked -= 1;
          }
        },
        openSession: () => http.openSession(),
        serveLocally: (port, answer) => http.serveLocally(port, answer),
      },
    });
  };
}

async function answered(
  intercept: OwnAnswers | undefined,
  url: string,
  { headers = {}, body = '' }: HttpRequest = {},
  send: () => Promise<HttpAnswer>,
): Promise<HttpAnswer | undefined> {
  const target = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-amz-target');
  const operation = target?.[1].split('.').pop();
  if (intercept === undefined || operation === undefined) return undefined;
  const asked = jsonOf(Buffer.from(body));
  const server = async (): Promise<Json | undefined> => {
    const { status, body: parts } = await send();
    const chunks: Uint8Array[] = [];
    for await (const chunk of parts) chunks.push(chunk);
    return status === 200 ? jsonOf(Buffer.concat(chunks)) : undefined;
  };
  const answer = await intercept(operation, asked, server);
  if (answer === undefined) return undefined;
  const bytes = Buffer.from(JSON.stringify(answer));
  return {
    status: 200,
    headers: { 'content-type': 'application/x-amz-json-1.1' },
    url,
    body: (async function* () {
      yield await Promise.resolve(bytes);
    })(),
  };
}

/** Requests and answers of these services are objects. */
function jsonOf(bytes: Buffer): Json {
  return JSON.parse(bytes.toString('utf8')) as Json;
}
