import { Tickets } from '@terrane/mcp';
import type { CommandContext } from '../../command.ts';
import { projectOf } from '../../run/project-of.ts';
import { View } from '../../views/view.ts';
import type { McpFlags } from '../mcp/flags.ts';
import { ticketOf } from '../mcp-approve/run.ts';

/** Rejects a proposed change. */
export async function runReject(parsed: McpFlags, context: CommandContext): Promise<number> {
  const view = new View(context);
  const tickets = new Tickets(projectOf(context));
  const { ticket, problems } = await ticketOf(parsed, tickets);
  if (ticket === undefined) {
    view.diagnostics(problems);
    return 1;
  }
  await tickets.close(ticket, 'rejected');
  view.line(`Rejected ticket ${ticket.id}.`);
  return 0;
}
