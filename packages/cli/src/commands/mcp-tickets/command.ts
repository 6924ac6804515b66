import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { MCP_FLAGS } from '../mcp/flags.ts';

/** `terrane mcp tickets` */
export const command: Command = {
  name: 'mcp tickets',
  summary: 'List the changes that agents proposed',
  flags: MCP_FLAGS,
  help: `
Usage: terrane [global options] mcp tickets

  Lists the tickets of proposed changes, newest first.
`,
  async run(args, context) {
    const parsed = parseFlags(MCP_FLAGS, args);
    return await (await import('./run.ts')).runTickets(parsed, context);
  },
};
