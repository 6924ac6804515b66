export { AGENT_RULES_FILE, AgentRules, readAgentRules } from './agent-rules.ts';
export {
  type AgentActivity,
  createTerraneServer,
  type McpServerOptions,
  toolsOf,
} from './server.ts';
export { serveOverStdio } from './serve-over-stdio.ts';
export { type AgentIdentity, type Ticket, Tickets } from './tickets.ts';
export type { ToolOutcome } from './result.ts';
export { type ArgumentSchema, type Tool, ToolArguments } from './tool.ts';
