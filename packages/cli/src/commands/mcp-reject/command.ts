import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { MCP_FLAGS } from '../mcp/flags.ts';

/** `terrane mcp reject` */
export const command: Command = {
  name: 'mcp reject',
  summary: 'Reject a change that an agent proposed',
  flags: MCP_FLAGS,
  help: `
Usage: terrane [global options] mcp reject TICKET

  Closes a ticket and removes its plan.
`,
  async run(args, context) {
    const parsed = parseFlags(MCP_FLAGS, args);
    return await (await import('./run.ts')).runReject(parsed, context);
  },
};
