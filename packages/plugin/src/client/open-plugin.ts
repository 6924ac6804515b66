import type { Provider } from '@terrane/provider';
import type { PluginPorts } from '../process/plugin-process.ts';
import { PluginPool } from './plugin-pool.ts';
import type { PluginTarget } from './plugin-pool.ts';
import { PluginProvider } from './plugin-provider.ts';

/** A plugin in use. */
export interface Plugin {
  /** A provider for one configuration. Its process starts when something is first asked of it. */
  create(): Provider;
  /** Ends all processes of the plugin; providers that were made cannot be used any more. */
  close(): Promise<void>;
}

/**
 * Makes a plugin's providers usable like any other. Nothing is started yet. One process validates and
 * upgrades for all and serves the first configuration; each further configuration gets its own.
 *
 * @param address the provider's source address as messages show it
 */
export function openPlugin(address: string, target: PluginTarget, ports: PluginPorts): Plugin {
  const pool = new PluginPool(target, ports);
  return { create: () => new PluginProvider(pool, address), close: () => pool.close() };
}
