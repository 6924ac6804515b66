// The protocol's own implementation, in a bundle that only `terrane mcp` loads.
export {
  fromJsonSchema,
  InMemoryTransport,
  McpServer,
  type Transport,
} from '@modelcontextprotocol/server';
export { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
