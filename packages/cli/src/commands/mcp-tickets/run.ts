import { hasErrors } from '@terrane/hcl';
import { Tickets } from '@terrane/mcp';
import type { CommandContext } from '../../command.ts';
import { flagProblems, tooManyArguments } from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';
import { oneLine } from '../../views/one-line.ts';
import { View } from '../../views/view.ts';
import type { McpFlags } from '../mcp/flags.ts';

/** Lists tickets. */
export async function runTickets(parsed: McpFlags, context: CommandContext): Promise<number> {
  const view = new View(context);
  const problems = flagProblems(parsed);
  if (parsed.rest.length > 0) problems.push(tooManyArguments('Expected no arguments.'));
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    return 1;
  }
  for (const { id, status, created, agent, counts, reason } of await new Tickets(
    projectOf(context),
  ).list()) {
    const changes = Object.entries(counts).map(([action, count]) => `${count} to ${action}`);
    const parts = [id, status, created, agent.name, changes.join(', '), reason];
    view.line(parts.map(oneLine).join('  '));
  }
  return 0;
}
