import type { RecordedRun, RunServer } from '@terrane/backends';
import type { OpenedState } from '@terrane/ops';

/** The action of a planned change, by the actions in the JSON form of a plan. */
const ACTIONS: Readonly<Record<string, PlannedObject['action']>> = {
  create: 'create',
  update: 'update',
  delete: 'delete',
  'delete,create': 'replace',
  'create,delete': 'replace',
  forget: 'forget',
};
/** The most runs of a page of the server. */
const PAGE = 100;

/** An object that the plan of a run changes. */
export interface PlannedObject {
  readonly address: string;
  readonly action: 'create' | 'update' | 'delete' | 'replace' | 'forget';
}

/** A run of a server, with the objects that its plan changes; undefined if the server does not show its plan. */
export interface ShownServerRun {
  readonly run: RecordedRun;
  readonly objects: readonly PlannedObject[] | undefined;
}

/** The runs that a server executes for a workspace, and records. */
export class ServerRuns {
  /** the page with the runs */
  readonly url: string;
  readonly #server: Pick<RunServer, 'recordedRuns' | 'recordedRun' | 'planJson'>;
  readonly #workspaceId: string;

  constructor(
    server: Pick<
      RunServer,
      'hostname' | 'organization' | 'recordedRuns' | 'recordedRun' | 'planJson'
    >,
    workspace: { readonly id: string; readonly name: string },
  ) {
    this.#server = server;
    this.#workspaceId = workspace.id;
    this.url = `https://${server.hostname}/app/${server.organization}/${workspace.name}/runs`;
  }

  /** Returns the last runs, the last one first: at most `most`, or all for 0. */
  async list(
    most: number,
  ): Promise<{ readonly runs: readonly RecordedRun[]; readonly hasMore: boolean }> {
    const runs: RecordedRun[] = [];
    const pageSize = most === 0 ? PAGE : Math.min(PAGE, most + 1);
    for await (const run of this.#server.recordedRuns(this.#workspaceId, pageSize)) {
      if (most > 0 && runs.length === most) return { runs, hasMore: true };
      runs.push(run);
    }
    return { runs, hasMore: false };
  }

  /** Returns a run by its ID, or the last one for "last"; undefined if there is none. */
  async find(id: string): Promise<ShownServerRun | undefined> {
    const run =
      id === 'last'
        ? (await this.list(1)).runs[0]
        : await this.#server.recordedRun(id, this.#workspaceId);
    if (run === undefined) return undefined;
    return { run, objects: await this.#objectsOf(run) };
  }

  async #objectsOf({ plan }: RecordedRun): Promise<readonly PlannedObject[] | undefined> {
    if (plan === undefined) return undefined;
    try {
      return plannedObjects(JSON.parse(await this.#server.planJson(plan, true)));
    } catch {
      // any-error: there is no plan yet, or the token may not read it; the rest of the run is shown.
      return undefined;
    }
  }
}

/** Returns the runs of a workspace that a server executes; undefined if they are executed here. */
export async function serverRunsOf({
  backend,
  workspace,
}: Pick<OpenedState, 'backend' | 'workspace'>): Promise<ServerRuns | undefined> {
  const runs = backend.kind === 'opened' ? backend.backend.runs : undefined;
  const remote = await runs?.remoteWorkspace(workspace);
  if (runs === undefined || remote === undefined) return undefined;
  return new ServerRuns(runs.server, remote);
}

function plannedObjects(plan: unknown): readonly PlannedObject[] {
  const { resource_changes: changes } = membersOf(plan);
  return (Array.isArray(changes) ? (changes as readonly unknown[]) : []).flatMap((each) => {
    const { address, change } = membersOf(each);
    const { actions } = membersOf(change);
    const action = Array.isArray(actions) ? ACTIONS[actions.join(',')] : undefined;
    return typeof address === 'string' && action !== undefined ? [{ address, action }] : [];
  });
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}
