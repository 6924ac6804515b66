import type { RunServer } from '@terrane/backends';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { programCommand, userErrorText } from '@terrane/host';
import { backendOf } from '../backend/current-backend.ts';
import { loadRootModule } from '../load-project.ts';
import { problemsText } from '../problems-text.ts';
import type { Project } from '../project.ts';
import type { PlanBookmark } from './plan-bookmark.ts';
import { isNotFound } from './remote-context.ts';
import { remotePlanText } from './show-logs.ts';

/** A plan that a server stores, for display. */
export interface RemotePlan {
  /** the JSON plan: redacted for text output, otherwise as `show -json` prints it */
  readonly json: string;
  /** the plan as text, between its URL and its status; tags name colors */
  text(style: Parameters<typeof remotePlanText>[2]): string;
  readonly header: string;
  readonly footer: string;
}

/** Requests a plan that a server stores. */
export async function showBookmark(
  project: Project,
  bookmark: PlanBookmark,
  isRedacted: boolean,
): Promise<{ readonly plan?: RemotePlan; readonly diagnostics: readonly Diagnostic[] }> {
  const failure = (reason: string): { readonly diagnostics: readonly Diagnostic[] } => ({
    diagnostics: [errorDiagnostic("Couldn't show cloud plan", `Plan read error: ${reason}`)],
  });
  const loaded = await loadRootModule(project);
  if (hasErrors(loaded.diagnostics)) return failure(problemsText(loaded.diagnostics));
  const { backend, diagnostics } = await backendOf(project, loaded.configuration);
  if (backend === undefined) return failure(problemsText(diagnostics));
  const server = backend.kind === 'opened' ? backend.backend.runs?.server : undefined;
  if (server?.flavour !== 'cloud') {
    return failure(
      `can't show a saved cloud plan unless the current root module is connected to ${server?.appName ?? 'HCP Terraform'}`,
    );
  }
  try {
    return { plan: await read(server, bookmark, isRedacted), diagnostics: [] };
  } catch (error) {
    return failure(userErrorText(error));
  }
}

async function read(
  server: RunServer,
  bookmark: PlanBookmark,
  isRedacted: boolean,
): Promise<RemotePlan> {
  const { run: id } = bookmark;
  if (bookmark.hostname !== server.hostname) {
    throw new Error(
      `hostname for run (${bookmark.hostname}) does not match the configured cloud integration (${server.hostname})`,
    );
  }
  const login = `make sure you've run \`${programCommand('login')}\` and that you have permission to view the run`;
  const run = await withAdvice(
    server.run(id, 'plan', 'workspace'),
    `couldn't read information for cloud run ${id}`,
    login,
  );
  const status = run.planned?.status ?? '';
  if (status !== 'errored' && status !== 'finished') {
    throw new Error(`can't display a cloud plan that is currently ${status}`);
  }
  const json = await withAdvice(
    server.planJson(run.plan ?? '', isRedacted),
    isRedacted
      ? `couldn't read plan data for cloud run ${id}`
      : `couldn't read unredacted JSON plan data for cloud run ${id}`,
    isRedacted
      ? login
      : `make sure you've run \`${programCommand('login')}\` and that you have admin permissions on the workspace`,
  );
  const mode = run.isDestroy ? 'destroy' : run.isRefreshOnly ? 'refresh-only' : 'normal';
  const { hostname, organization } = server;
  const url = `https://${hostname}/app/${organization}/${run.workspace?.name ?? ''}/runs/${id}`;
  const [color, note] = run.isConfirmable ? ['green', 'confirmable'] : ['red', 'not confirmable'];
  const [lockColor, lock] =
    run.workspace?.isLocked === true ? ['red', 'locked'] : ['green', 'unlocked'];
  return {
    json,
    text: (style) => remotePlanText(json, { mode, errored: status === 'errored' }, style),
    header: `[reset][yellow]To view this run in a browser, visit:[reset]\n[reset][yellow]${url}[reset]`,
    footer: `[reset][${color}]Run status: ${run.status.replaceAll('_', ' ')} (${note})[reset]\n[${lockColor}]Workspace is ${lock}[reset]`,
  };
}

async function withAdvice<T>(asking: Promise<T>, summary: string, advice: string): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    const reason = userErrorText(error);
    throw new Error(isNotFound(error) ? `${summary}; ${advice}` : `${summary}: ${reason}`, {
      cause: error,
    });
  }
}
