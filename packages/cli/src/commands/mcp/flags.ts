import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane mcp` and the commands below it. */
export const MCP_FLAGS = {} as const;

/** Parsed command line of `terrane mcp` and the commands below it. */
export type McpFlags = ParsedFlags<FlagValues<typeof MCP_FLAGS>>;
