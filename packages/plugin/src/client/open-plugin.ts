import type { Provider } from '@terrane/provider';
import type { PluginPorts } from '../process/plugin-process.ts';
import { PluginPool } from './plugin-pool.ts';
import type { PluginTarget } from './plugin-pool.ts';
import { pluginProvider } from './plugin-provider.ts';

/** A plugin in use. */
export interface Plugin {
  /** Creates a provider for one configuration. Its process starts with the first request. */
  create(): Provider;
  /** Begins to start the process that will be asked first, without waiting for it. */
  warm(): void;
  /** Ends all processes of the plugin; providers that were made cannot be used any more. */
  close(): Promise<void>;
}

/**
 * Makes a plugin's providers usable like any other. Nothing is started yet. One process returns the schemas,
 * validates and upgrades for all and serves the first configuration; each further configuration gets its own.
 * Schemas are requested in every run, as they may depend on anything that the provider can read: files of the
 * working directory, any environment variable, a server.
 *
 * @param address the provider's source address as messages show it
 */
export function openPlugin(address: string, target: PluginTarget, ports: PluginPorts): Plugin {
  const pool = new PluginPool(target, ports);
  return {
    create: () => pluginProvider(pool, address),
    warm: () => pool.warm(),
    close: () => pool.close(),
  };
}
