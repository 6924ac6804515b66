import type { CommandContext } from '../command.ts';

/**
 * Returns true if progress can be displayed live: on a terminal that supports escape sequences, unless they are
 * disabled or another program reads the output.
 */
export function canBeLive({ world, noColor, automation }: CommandContext): boolean {
  const { stdout, environment } = world;
  return stdout.isTerminal && environment['TERM'] !== 'dumb' && !noColor && !automation;
}
