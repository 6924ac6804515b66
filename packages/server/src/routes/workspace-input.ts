// What clients send to create and change a workspace.
import { invalid, notFound } from '../http/json-api.ts';
import type { ApiRequest } from '../http/request.ts';
import { requireInterval } from '../services/assessments.ts';
import { requireAutoDestroy } from '../services/auto-destroy.ts';
import { requireEngine } from '../services/engines.ts';
import { requireVersionPin } from '../services/version-pins.ts';
import { readVcsRepo } from '../vcs/repositories.ts';
import { organizationOf, requireEqualOverwrites, settingsOf } from './organizations.ts';
import { WORKSPACE_SETTINGS } from './workspace-resource.ts';

/** Returns a valid name of a workspace. Throws an ApiError. */
export function checkedName(name: string | undefined): string {
  if (name === undefined || name === '') throw invalid('name', "can't be blank");
  if (!/^[\w-]{1,90}$/.test(name)) {
    throw invalid('name', 'has to have at most 90 letters, digits, "-" and "_" only');
  }
  return name;
}

/** Reads the settings of a workspace from an input. Throws an ApiError. */
function readSettings(request: ApiRequest): Record<string, unknown> {
  const { input } = request;
  const settings = settingsOf(request, WORKSPACE_SETTINGS);
  for (const name of ['execution-mode', 'terraform-version']) {
    const value = input.attributes[name];
    // Null, or no version: it stays as it is.
    if (value === null || value === '') delete settings[name];
  }
  const operations = input.boolean('operations');
  if (operations !== undefined && settings['execution-mode'] !== undefined) {
    throw invalid('operations', 'cannot be combined with the execution mode');
  }
  if (operations !== undefined) settings['execution-mode'] = operations ? 'remote' : 'local';
  const mode = settings['execution-mode'];
  if (mode !== undefined && !['remote', 'local', 'agent'].includes(String(mode))) {
    throw invalid('execution-mode', 'has to be "remote", "agent" or "local"');
  }
  const version = settings['terraform-version'];
  if (typeof version === 'string') requireVersionPin(version);
  if (settings['engine'] !== undefined) requireEngine(settings['engine']);
  const directory = settings['working-directory'];
  if (typeof directory === 'string' && directory.split(/[/\\]/).includes('..')) {
    throw invalid('working-directory', 'has to be inside of the configuration');
  }
  requireInterval(settings['assessment-interval']);
  requireAutoDestroy(settings);
  const overwrites = input.object('setting-overwrites');
  if (overwrites !== undefined) {
    requireEqualOverwrites(overwrites, '');
    settings['setting-overwrites'] = overwrites;
  }
  return settings;
}

/** Reads the settings of a workspace, with its connection to version control. */
export async function settingsWithVcs(
  request: ApiRequest,
  organizationId: string,
): Promise<Record<string, unknown>> {
  const settings = readSettings(request);
  const repository = await readVcsRepo(request, organizationId);
  return repository === undefined ? settings : { ...settings, 'vcs-repo': repository };
}

/** Returns the ID of the requested agent pool, null for none; undefined if the input has none. */
export async function agentPoolOf(request: ApiRequest): Promise<string | null | undefined> {
  const related = request.input.related('agent-pool');
  const id = related === undefined ? request.input.text('agent-pool-id') : related;
  if (id === undefined || id === null || id === '') return related === null ? null : undefined;
  const pool = await request.services.db
    .selectFrom('agent_pools')
    .select('id')
    .where('id', '=', id)
    .where('organization_id', '=', organizationOf(request).id)
    .executeTakeFirst();
  if (pool === undefined) throw notFound();
  return pool.id;
}

/** Returns the ID of the requested project; undefined if the input has none. */
export async function projectIdOf(request: ApiRequest): Promise<string | undefined> {
  const id = request.input.related('project');
  if (id === undefined || id === null) return undefined;
  const project = await request.services.db
    .selectFrom('projects')
    .select('id')
    .where('id', '=', id)
    .where('organization_id', '=', organizationOf(request).id)
    .executeTakeFirst();
  if (project === undefined) throw notFound();
  return project.id;
}
