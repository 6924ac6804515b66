import type { Environment } from '@terrane/host';
import { ownVersions } from '@terrane/ops/own-versions';
import { LOCK_FILE } from '@terrane/registry/lock-file-name';
import type { World } from '../world.ts';
import { hasCliConfig } from './has-cli-config.ts';
import { versionText } from './version-text.ts';

/** Command lines that ask for nothing but the version, and whether as JSON. */
const ASKED: ReadonlyMap<string, boolean> = new Map([
  ['version', false],
  ['version -json', true],
  ['-version', false],
  ['--version', false],
  ['-v', false],
]);

/**
 * What is printed where only the version is asked for, and nothing else is to be read or minded: other programs
 * ask often, and the program itself takes several times as long to load as this to tell. Else undefined.
 */
export function plainVersion(
  args: readonly string[],
  world: Pick<World, 'environment' | 'kindOf' | 'namesIn' | 'calledAs'>,
  machine: Pick<Environment, 'platform' | 'arch'>,
): string | undefined {
  const json = ASKED.get(args.join(' '));
  if (json === undefined || Object.keys(world.environment).some(changesRuns)) return undefined;
  if (hasCliConfig(world) || world.kindOf(LOCK_FILE) !== undefined) return undefined;
  return versionText(ownVersions(machine), new Map(), json, world);
}

/** Whether a variable may have a run do more than that. */
function changesRuns(name: string): boolean {
  return /^(?:TERRANE_|TF_CLI_|TF_LOG|COMP_LINE$|OTEL_)/.test(name);
}
