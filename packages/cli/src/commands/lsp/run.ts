import { TERRANE_VERSION } from '@terrane/engine/version';
import { hasErrors } from '@terrane/hcl';
import { startOnStreams } from '@terrane/language-server/node';
import type { CommandContext } from '../../command.ts';
import { flagProblems, tooManyArguments } from '../../run/operation-arguments.ts';
import { projectIn } from '../../run/project-of.ts';
import { View } from '../../views/view.ts';
import type { LspFlags } from './flags.ts';

/** Serves the Language Server Protocol on standard input and output until the client ends. */
export async function runLsp(parsed: LspFlags, context: CommandContext): Promise<number> {
  const problems = [...flagProblems(parsed)];
  if (parsed.rest.length > 0) problems.push(tooManyArguments());
  if (hasErrors(problems)) {
    const view = new View(context);
    view.diagnostics(problems);
    view.helpPrompt('lsp');
    return 1;
  }
  const { world } = context;
  const server = startOnStreams(process.stdin, process.stdout, {
    hostAt: (directory) => projectIn(world, directory, directory, []).host,
    version: TERRANE_VERSION,
    trusted: parsed.values.trusted,
  });
  const stop = world.onInterrupt(() => process.stdin.destroy());
  const isOrderly = await server.ended;
  stop();
  await server.close();
  return isOrderly ? 0 : 1;
}
