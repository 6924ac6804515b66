// Terrane with the keeper of secrets in its own process, for runs that are killed.
import { runWithProviders } from 'terrane/testing/with-providers';
import { keepers } from './keeper.ts';

void runWithProviders(process.argv.slice(2), keepers).then((code) => {
  process.exitCode = code;
});
