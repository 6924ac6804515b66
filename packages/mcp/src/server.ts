import { isInternalError, userErrorText } from '@terrane/host';
import type { Project, RunObserver } from '@terrane/ops';
import { type AgentRules, readAgentRules } from './agent-rules.ts';
import type { fromJsonSchema, McpServer } from './libraries/model-context-protocol.ts';
import { loadLibrary } from './load-library.ts';
import { PlanStore } from './plan-store.ts';
import { failure, resultText } from './result.ts';
import { type AgentIdentity, Tickets } from './tickets.ts';
import { type Tool, ToolArguments } from './tool.ts';
import { consoleTool } from './tools/console-tool.ts';
import { planningTools } from './tools/planning-tools.ts';
import { proposalTools } from './tools/proposal-tools.ts';
import { readingTools } from './tools/reading-tools.ts';
import { testTools } from './tools/test-tools.ts';

/** A call of a tool, for the history. Values of arguments are not part of it, as they may be secrets. */
export interface AgentActivity {
  /** RFC 3339 */
  readonly time: string;
  readonly agent: AgentIdentity;
  readonly tool: string;
  readonly arguments: readonly string[];
  /** ticket or plan that the call is about or created */
  readonly subject?: string;
  readonly outcome: 'success' | 'failure';
  readonly durationMs: number;
}

/** Options of a server. */
export interface McpServerOptions {
  readonly version: string;
  /** records each call before its result is sent; a rejection fails the call */
  readonly record: (activity: AgentActivity) => Promise<void>;
  /** observes the runs that an agent starts, for the history of runs; default: the observer of the project */
  readonly observe?: (agent: AgentIdentity) => RunObserver;
}

const INSTRUCTIONS =
  'Terrane plans and inspects infrastructure that is described in the Terraform language. Begin with validate or plan. Nothing changes infrastructure except apply_ticket and test, which need a permission of the project; propose_apply asks a person. Sensitive values are never returned.';

/**
 * Creates a server of the Model Context Protocol for a project. Calls of one session run one after the other, because
 * they share the working directory.
 */
export async function createTerraneServer(
  project: Project,
  options: McpServerOptions,
): Promise<McpServer> {
  const library = await loadLibrary();
  const server = new library.McpServer(
    { name: 'terrane', title: 'Terrane', version: options.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const agent = (): AgentIdentity => {
    const { name = 'unknown', version = '' } = server.server.getClientVersion() ?? {};
    return { name: name.slice(0, 200), version: version.slice(0, 100) };
  };
  const calls = new CallQueue(project, options, agent);
  const { observe } = options;
  // The identity of the agent is known once its client has introduced itself, which is before any run.
  const observed: Project =
    observe === undefined
      ? project
      : { ...project, observer: { begin: (run) => observe(agent()).begin(run) } };
  for (const tool of toolsOf(observed, agent)) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: library.fromJsonSchema(tool.schema as unknown as JsonSchema),
        annotations: {
          readOnlyHint: tool.isReadOnly,
          destructiveHint: !tool.isReadOnly,
          openWorldHint: true,
        },
      },
      async (args: unknown, context: { readonly mcpReq?: { readonly signal?: AbortSignal } }) =>
        await calls.run(tool, new ToolArguments(args), context.mcpReq?.signal),
    );
  }
  return server;
}

type JsonSchema = Parameters<typeof fromJsonSchema>[0];

/** Returns all tools of a session. */
export function toolsOf(project: Project, agent: () => AgentIdentity): readonly Tool[] {
  const plans = new PlanStore();
  const tickets = new Tickets(project);
  // Read for each call, so that a withdrawn permission ends at once.
  const rules = async (): Promise<AgentRules> =>
    (await readAgentRules(project.host.files, project.host.clock.now())).rules;
  return [
    ...readingTools(project),
    ...planningTools(project, plans),
    consoleTool(project),
    ...testTools(project, rules),
    ...proposalTools(project, plans, tickets, rules, agent),
  ];
}

interface CallResult {
  // The protocol's library requires a mutable array.
  content: { type: 'text'; text: string }[];
  isError: boolean;
  [name: string]: unknown;
}

/** Runs the calls of a session in their order, and records them. */
class CallQueue {
  readonly #project: Project;
  readonly #options: McpServerOptions;
  readonly #agent: () => AgentIdentity;
  #last: Promise<unknown> = Promise.resolve();

  constructor(project: Project, options: McpServerOptions, agent: () => AgentIdentity) {
    this.#project = project;
    this.#options = options;
    this.#agent = agent;
  }

  async run(tool: Tool, args: ToolArguments, signal: AbortSignal | undefined): Promise<CallResult> {
    const call = this.#last.then(() => this.#call(tool, args, signal));
    this.#last = call.catch(() => undefined);
    return await call;
  }

  async #call(
    tool: Tool,
    args: ToolArguments,
    signal: AbortSignal | undefined,
  ): Promise<CallResult> {
    const { clock } = this.#project.host;
    const [time, started] = [clock.now().toISOString(), clock.monotonicMs()];
    let outcome;
    try {
      outcome = await tool.run(args, signal);
    } catch (error) {
      // A defect must not end the session, nor reach the agent with the values that caused it.
      outcome = failure(
        isInternalError(error)
          ? 'Internal error of Terrane. Please report it.'
          : `The call failed: ${userErrorText(error)}`,
      );
    }
    const { text, fits } = resultText(outcome);
    const isError = outcome.isError === true || !fits;
    const subject = args.text('ticket') ?? args.text('plan_id');
    await this.#options.record({
      time,
      agent: this.#agent(),
      tool: tool.name,
      arguments: args.names,
      ...(subject === undefined ? {} : { subject: subject.slice(0, 100) }),
      outcome: isError ? 'failure' : 'success',
      durationMs: Math.round(clock.monotonicMs() - started),
    });
    return { content: [{ type: 'text', text }], isError };
  }
}
