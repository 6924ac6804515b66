import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { MCP_FLAGS } from '../mcp/flags.ts';

/** `terrane mcp approve` */
export const command: Command = {
  name: 'mcp approve',
  summary: 'Review and apply a change that an agent proposed',
  flags: MCP_FLAGS,
  help: `
Usage: terrane [global options] mcp approve TICKET

  Shows the plan of a ticket, verifies that it is the one that the agent
  proposed, asks for approval on the terminal, and applies it.
`,
  async run(args, context) {
    const parsed = parseFlags(MCP_FLAGS, args);
    return await (await import('./run.ts')).runApprove(parsed, context);
  },
};
