import { programCommand } from '@terrane/host';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { type Ticket, Tickets } from '@terrane/mcp';
import type { CommandContext } from '../../command.ts';
import { command as apply } from '../apply/command.ts';
import { command as show } from '../show/command.ts';
import { flagProblems } from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';
import { oneLine } from '../../views/one-line.ts';
import { terminalAsk } from '../../views/terminal-ask.ts';
import { View } from '../../views/view.ts';
import type { McpFlags } from '../mcp/flags.ts';

/** Shows a proposed plan, asks for approval and applies it. */
export async function runApprove(parsed: McpFlags, context: CommandContext): Promise<number> {
  const view = new View(context);
  const tickets = new Tickets(projectOf(context));
  const { ticket, problems } = await ticketOf(parsed, tickets);
  if (ticket === undefined) {
    view.diagnostics(problems);
    return 1;
  }
  const path = tickets.planPath(ticket.id);
  const { name, version } = ticket.agent;
  view.line(
    `Ticket ${ticket.id}, proposed by ${oneLine(`${name} ${version}`)} at ${oneLine(ticket.created)}`,
  );
  view.line(`Reason: ${oneLine(ticket.reason)}`);
  view.line(`Plan digest: sha256:${ticket.digest}\n`);
  const shown = await show.run([path], context);
  if (shown !== 0) return shown;
  const { world } = context;
  // An agent with a shell could type into a pipe, but not at a terminal.
  if (!world.stdin.isTerminal) {
    view.diagnostics([
      errorDiagnostic(
        'Approval requires a terminal',
        'A person approves a proposed change at a terminal. Run the command there.',
      ),
    ]);
    return 1;
  }
  const controller = new AbortController();
  const stopListening = world.onInterrupt(() => controller.abort());
  const answer = await terminalAsk(world, view.style.color).input(
    {
      id: 'approve',
      query: 'Do you want to apply this plan?',
      description: "Only 'yes' will be accepted to approve.",
    },
    controller.signal,
  );
  stopListening();
  if ('problem' in answer || answer.text !== 'yes') {
    view.line(`\nNot applied. The ticket stays open; "${programCommand('mcp reject')}" closes it.`);
    return 1;
  }
  const problem = await tickets.problemOf(ticket);
  if (problem !== undefined) {
    view.diagnostics([invalidTicket(problem)]);
    return 1;
  }
  const code = await apply.run([path], context);
  await tickets.close(ticket, code === 0 ? 'applied' : 'failed');
  return code;
}

/** Returns the open ticket that an argument names, verified against its plan. */
export async function ticketOf(
  parsed: McpFlags,
  tickets: Tickets,
): Promise<{ readonly ticket?: Ticket; readonly problems: readonly Diagnostic[] }> {
  const flags = flagProblems(parsed);
  if (flags.length > 0) return { problems: flags };
  const [id, more] = parsed.rest;
  if (id === undefined || more !== undefined)
    return {
      problems: [invalidTicket(`Give the ticket that "${programCommand('mcp tickets')}" lists.`)],
    };
  const ticket = await tickets.read(id);
  if (ticket === undefined)
    return {
      problems: [
        invalidTicket(`There is no ticket ${id}. "${programCommand('mcp tickets')}" lists them.`),
      ],
    };
  const problem = await tickets.problemOf(ticket);
  return problem === undefined ? { ticket, problems: [] } : { problems: [invalidTicket(problem)] };
}

function invalidTicket(detail: string): Diagnostic {
  return errorDiagnostic('Invalid ticket', detail);
}
