import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { MCP_FLAGS } from './flags.ts';

/** `terrane mcp` */
export const command: Command = {
  name: 'mcp',
  summary: 'Serve agents over the Model Context Protocol',
  flags: MCP_FLAGS,
  help: `
Usage: terrane [global options] mcp

  Serves an agent over standard input and output, with the Model Context
  Protocol: it can validate, plan, explain and inspect, and propose changes.
  Sensitive values are not sent. A proposed change is applied by a person,
  with "terrane mcp approve", or if rules in mcp.hcl permit each of its
  actions. docs/mcp.md describes the tools.

  Each call is recorded in .terraform/agents.jsonl, without the values of its
  arguments.
`,
  async run(args, context) {
    const parsed = parseFlags(MCP_FLAGS, args);
    return await (await import('./run.ts')).runMcp(parsed, context);
  },
};
