import { userErrorText } from '@terrane/host';
import type { Backend, BackendKind } from '../backend.ts';
import { BackendArguments } from '../backend-arguments.ts';
import { HTTP_SCHEMA, httpSettings, plainSettings } from './http-settings.ts';
import { httpStorage } from './http-storage.ts';

/** Stores a state at an address that supports GET, an update method and, if configured, a lock and an unlock method. */
export const HTTP: BackendKind = {
  type: 'http',
  schema: HTTP_SCHEMA,
  additional: ['headers'],
  check(config, { host }) {
    try {
      plainSettings(new BackendArguments(config, host.environment));
      return [];
    } catch (error) {
      return [{ severity: 'error', summary: userErrorText(error), detail: '' }];
    }
  },
  open: (config, ports) =>
    Promise.resolve().then((): Backend => {
      const settings = httpSettings(config, ports.host.environment);
      return { storage: () => Promise.resolve(httpStorage(settings, ports)) };
    }),
};
