// Executables of providers, made as authors make them: bundled, packaged, in a mirror and for dev_overrides.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { nodeHost } from '@terrane/host';
import { packageProvider, platformOf } from '@terrane/plugin/publish';

/** A provider to make an executable of: its main file (below `plugins`, or anywhere), address and version. */
export interface Plugin {
  readonly entry: string;
  readonly address: string;
  readonly version: string;
}

/** Executables of providers, until they are disposed of. */
export interface Built {
  readonly directory: string;
  /** a filesystem mirror of all */
  readonly mirror: string;
  /** directories for `dev_overrides`, by address */
  readonly overrides: ReadonlyMap<string, string>;
  dispose(): void;
}

/** Builds the executables. */
export async function buildPlugins(plugins: readonly Plugin[]): Promise<Built> {
  const directory = mkdtempSync(join(tmpdir(), 'served-plugins-'));
  const host = nodeHost();
  const overrides = new Map<string, string>();
  const mirror = join(directory, 'mirror');
  for (const { entry, address, version } of plugins) {
    const out = join(directory, address.replaceAll('/', '-'));
    const made = await packageProvider(
      {
        address,
        version,
        entry: resolve(import.meta.dirname, 'plugins', entry),
        conditions: ['terrane-source'],
        platforms: [platformOf(host.environment)],
        out,
        mirror,
      },
      host,
      process.execPath,
    );
    if (made.executable !== undefined) overrides.set(address, join(out, 'local'));
  }
  return {
    directory,
    mirror,
    overrides,
    dispose: () => rmSync(directory, { recursive: true, force: true }),
  };
}
