import type { CommandContext } from '../command.ts';

/**
 * Whether what is in progress can be shown as it goes on: on a terminal that can take lines back, where
 * no other program watches, and escape sequences are wanted.
 */
export function canBeLive({ world, noColor, automation }: CommandContext): boolean {
  const { stdout, environment } = world;
  return stdout.isTerminal && environment['TERM'] !== 'dumb' && !noColor && !automation;
}
