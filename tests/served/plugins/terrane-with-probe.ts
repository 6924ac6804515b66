// Terrane with the test provider in its own process.
import { runWithProviders } from 'terrane/testing/with-providers';
import { ADDRESS, testProvider } from '../test-provider/provider.ts';

void runWithProviders(
  process.argv.slice(2),
  new Map([[ADDRESS, { kind: 'in-process', create: testProvider }]]),
).then((code) => {
  process.exitCode = code;
});
