// The provider for AWS with a clock by which waits take moments.
import { awsProvider } from '@terrane/provider-aws';
import type { Provider, ProviderPorts } from '@terrane/provider';
import { QuietClock } from './quiet-clock.ts';

/** The provider for AWS, for tests of what waits for minutes: its clock goes on as soon as no request is under way. */
export function quickAws(ports: ProviderPorts): Provider {
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
          return await http.request(url, options);
        } finally {
          asked -= 1;
        }
      },
      serveLocally: (port, answer) => http.serveLocally(port, answer),
    },
  });
}
