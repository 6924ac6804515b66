import type { Environment } from '@terrane/host';
import { ownVersions } from '@terrane/ops/own-versions';
import { LOCK_FILE } from '@terrane/registry/lock-file-name';
import type { World } from '../world.ts';
import { hasCliConfig } from './has-cli-config.ts';
import { versionText } from './version-text.ts';

/** Command lines that request only the version, and whether as JSON. */
const VERSION_COMMANDS: ReadonlyMap<string, boolean> = new Map([
  ['version', false],
  ['version -json', true],
  ['-version', false],
  ['--version', false],
  ['-v', false],
]);

/**
 * Returns the output of `version` if the command line requests only that and no file or variable affects it, otherwise
 * undefined. Other programs request the version often, and loading the whole program takes several times as long.
 */
export function plainVersion(
  args: readonly string[],
  world: Pick<World, 'environment' | 'kindOf' | 'namesIn' | 'calledAs'>,
  machine: Pick<Environment, 'platform' | 'arch'>,
): string | undefined {
  const json = VERSION_COMMANDS.get(args.join(' '));
  if (json === undefined || Object.keys(world.environment).some(changesRuns)) return undefined;
  if (hasCliConfig(world) || world.kindOf(LOCK_FILE) !== undefined) return undefined;
  return versionText(ownVersions(machine), new Map(), json, world);
}

/** Returns true if a variable may change more than the printed version. */
function changesRuns(name: string): boolean {
  return /^(?:TERRANE_|TF_CLI_|TF_LOG|COMP_LINE$|OTEL_)/.test(name);
}
