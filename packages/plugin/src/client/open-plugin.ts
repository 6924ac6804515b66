import type { Provider } from '@terrane/provider';
import type { PluginPorts } from '../process/plugin-process.ts';
import { PluginPool } from './plugin-pool.ts';
import type { PluginTarget } from './plugin-pool.ts';
import { pluginProvider } from './plugin-provider.ts';

/** A plugin in use. */
export interface Plugin {
  /** Creates a provider for one configuration. Its process starts with the first request. */
  create(): Provider;
  /** Starts the process for the first request, without waiting for it. */
  warm(): void;
  /** Terminates all processes of the plugin; its providers cannot be used any more. */
  close(): Promise<void>;
}

/**
 * Adapts the providers of a plugin to the `Provider` contract. Processes are started on demand. One process returns the
 * schemas, validates and upgrades for all and serves the first configuration; each further configuration gets its own.
 * Schemas are requested in every run, as they may depend on anything that the provider can read: files of the working
 * directory, any environment variable, a server.
 *
 * @param address the provider's source address as shown in messages
 */
export function openPlugin(address: string, target: PluginTarget, ports: PluginPorts): Plugin {
  const pool = new PluginPool(target, ports);
  return {
    create: () => pluginProvider(pool, address),
    warm: () => pool.warm(),
    close: () => pool.close(),
  };
}
