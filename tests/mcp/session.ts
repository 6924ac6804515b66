// A session of an agent with the server, in this process.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { type AgentActivity, createTerraneServer } from '@terrane/mcp';
import { lazyHistoryObserver } from '@terrane/history';
import { nodeHost } from '@terrane/host';
import { openProject, type Project } from '@terrane/ops';
import { ADDRESS, lifecycleProvider } from '../lifecycle/provider/provider.ts';
import type { DriftBench } from '../drift/drift-bench.ts';

/** The result of a call. */
export interface Answer {
  readonly isError: boolean;
  /** the text as it was sent */
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into documents of many shapes
  readonly data: any;
}

/** A connected agent. */
export class AgentSession {
  readonly client: Client;
  readonly activities: AgentActivity[];
  readonly #close: () => Promise<void>;

  private constructor(client: Client, activities: AgentActivity[], close: () => Promise<void>) {
    this.client = client;
    this.activities = activities;
    this.#close = close;
  }

  static async open(project: Project): Promise<AgentSession> {
    const activities: AgentActivity[] = [];
    const server = await createTerraneServer(project, {
      version: '0.1.0',
      record: async (activity) => {
        activities.push(activity);
      },
      observe: ({ name, version }) => lazyHistoryObserver({ actor: `agent:${name}/${version}` }),
    });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test-agent', version: '1.2.3' });
    await Promise.all([server.connect(far), client.connect(near)]);
    return new AgentSession(client, activities, async () => {
      await client.close();
      await server.close();
    });
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const { content, isError } = await this.client.callTool({ name, arguments: args });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    const data: unknown = text.startsWith('{') ? JSON.parse(text) : text;
    return { isError: isError === true, text, data };
  }

  async close(): Promise<void> {
    await this.#close();
  }
}

/** The project of a bench, for the server. */
export function projectOf(bench: DriftBench): Project {
  const host = nodeHost({ cwd: bench.directory });
  const create = () =>
    lifecycleProvider({
      directory: bench.directory,
      log: `${bench.directory}/calls.log`,
      place: 'mcp',
      applying: false,
      wait: () => undefined,
    });
  return openProject(host, {
    providers: new Map([[ADDRESS, { kind: 'in-process', create }]]),
  });
}
