// The provider for AWS with a clock by which waits take moments.
import { awsProvider } from '@terrane/provider-aws';
import type { HttpAnswer, HttpRequest } from '@terrane/host';
import type { Provider, ProviderPorts } from '@terrane/provider';
import { QuietClock } from './quiet-clock.ts';

/**
 * Answers requests that the server for tests does not know, by the operation and what is asked; undefined: it is for the
 * server.
 */
export type OwnAnswers = (operation: string, asked: Record<string, unknown>) => object | undefined;

/** The provider for AWS, for tests of what waits for minutes: its clock goes on as soon as no request is under way. */
export function quickAws(own?: OwnAnswers): (ports: ProviderPorts) => Provider {
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
            return answered(own, url, options) ?? (await http.request(url, options));
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

function answered(
  own: OwnAnswers | undefined,
  url: string,
  { headers = {}, body = '' }: HttpRequest = {},
): HttpAnswer | undefined {
  const target = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-amz-target');
  const operation = target?.[1].split('.').pop();
  if (own === undefined || operation === undefined) return undefined;
  const asked: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
  // Requests of these services are objects.
  const answer = own(operation, asked as Record<string, unknown>);
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
