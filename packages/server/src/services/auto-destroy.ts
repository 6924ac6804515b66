import { sql } from 'kysely';
import { organizationById, type Workspace } from '../access/place.ts';
import { invalid } from '../http/json-api.ts';
import { workspacePath } from '../web/paths.ts';
import { notify } from './notifications.ts';
import { createRun, executionMode } from './runs.ts';
import type { Services } from './services.ts';
import { repeated, type Schedule } from './tasks.ts';

/** The source of runs that destroy a workspace by its schedule. */
export const AUTO_DESTROY_SOURCE = 'tfe-infrastructure-lifecycle';
/** The moment at which everything in a workspace is destroyed, and the time of inactivity after which it is. */
export const AUTO_DESTROY_AT = 'auto-destroy-at';
export const AUTO_DESTROY_DURATION = 'auto-destroy-activity-duration';
const REMINDED = 'auto-destroy-reminded';
/** the state version that a run was started for: one that fails is not repeated until the state changes */
const ATTEMPTED = 'auto-destroy-attempted';
const TICK = 'auto-destroy-tick';
const TICK_MS = 60_000;
const AT_ONCE = 20;
const HOUR_MS = 3_600_000;
/** Reminders are sent this long before the destruction. */
const REMINDERS = [24, 12];

/** Validates the settings of a workspace or project. Throws an ApiError. */
export function requireAutoDestroy(settings: Readonly<Record<string, unknown>>): void {
  const { [AUTO_DESTROY_AT]: at, [AUTO_DESTROY_DURATION]: duration } = settings;
  if (at !== undefined && at !== null && at !== '') {
    if (typeof at !== 'string' || Number.isNaN(new Date(at).getTime())) {
      throw invalid(AUTO_DESTROY_AT, 'has to be a time, as 2027-01-01T00:00:00Z');
    }
  }
  if (duration !== undefined && duration !== null && durationMs(duration) === undefined) {
    throw invalid(
      AUTO_DESTROY_DURATION,
      "has an incorrect format, we expect up to 4 numeric digits and 1 unit ('d' or 'h')",
    );
  }
}

function durationMs(duration: unknown): number | undefined {
  const match = typeof duration === 'string' ? /^(\d{1,4})([dh])$/.exec(duration) : null;
  if (match === null) return undefined;
  const hours = Number(match[1]) * (match[2] === 'd' ? 24 : 1);
  return hours === 0 ? undefined : hours * HOUR_MS;
}

/**
 * Returns the time at which a workspace is destroyed: its own, or that of its inactivity since `lastActivity`; undefined
 * if it is not.
 */
export function autoDestroyTime(
  settings: Readonly<Record<string, unknown>>,
  project: Readonly<Record<string, unknown>>,
  lastActivity: Date,
): Date | undefined {
  const at = settings[AUTO_DESTROY_AT];
  if (typeof at === 'string' && at !== '') return new Date(at);
  const workspaceDuration = durationMs(settings[AUTO_DESTROY_DURATION]);
  const inherits = settings['inherits-project-auto-destroy'] !== false;
  const duration =
    workspaceDuration ?? (inherits ? durationMs(project[AUTO_DESTROY_DURATION]) : undefined);
  return duration === undefined ? undefined : new Date(lastActivity.getTime() + duration);
}

/** Starts the runs that destroy what is due. */
export const AUTO_DESTROY_SCHEDULE: Schedule = repeated(TICK, TICK_MS, destroyDue);

async function destroyDue(services: Services): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  // Only workspaces with objects: one that was destroyed is not destroyed again.
  const rows = await db
    .selectFrom('workspaces')
    .innerJoin('projects', 'projects.id', 'workspaces.project_id')
    .innerJoin('state_versions', 'state_versions.id', 'workspaces.current_state_version_id')
    .selectAll('workspaces')
    .select(['projects.settings as project', 'state_versions.created_at as changed_at'])
    .where(
      sql<boolean>`(workspaces.settings->>${AUTO_DESTROY_AT} IS NOT NULL
        OR workspaces.settings->>${AUTO_DESTROY_DURATION} IS NOT NULL
        OR projects.settings->>${AUTO_DESTROY_DURATION} IS NOT NULL)`,
    )
    .where(sql<boolean>`coalesce((state_versions.summary->>'resource-count')::int, 0) > 0`)
    .orderBy('workspaces.id')
    .execute();
  let started = 0;
  for (const { project, changed_at: changedAt, ...workspace } of rows) {
    const time = autoDestroyTime(workspace.settings, project, changedAt);
    if (time === undefined || executionMode(workspace) === 'local') continue;
    if (time > now) await remind(services, workspace, time, now);
    else if (started < AT_ONCE && (await destroy(services, workspace))) started++;
  }
}

/** Starts the run that destroys a workspace, unless a run of it is in progress. */
async function destroy(services: Services, workspace: Workspace): Promise<boolean> {
  const { db } = services;
  if (workspace.current_run_id !== null || workspace.locked_by !== null) return false;
  const { current_state_version_id: state } = workspace;
  const isOnce = typeof workspace.settings[AUTO_DESTROY_AT] === 'string';
  if (!isOnce && workspace.settings[ATTEMPTED] === state) return false;
  const configuration = await db
    .selectFrom('configuration_versions')
    .selectAll()
    .where('workspace_id', '=', workspace.id)
    .where('status', '=', 'uploaded')
    .where('speculative', '=', false)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (configuration === undefined) return false;
  // Other servers have the same list: the one that changes the settings starts the run, and starts it once.
  const markers = { [AUTO_DESTROY_AT]: null, [REMINDED]: null, [ATTEMPTED]: state };
  const settings = { ...workspace.settings, ...markers };
  const claimed = await db
    .updateTable('workspaces')
    .set({ settings: JSON.stringify(settings), updated_at: services.clock.now() })
    .where('id', '=', workspace.id)
    .where('updated_at', '=', workspace.updated_at)
    .where('current_run_id', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (claimed === undefined) return false;
  const run = await createRun(services, claimed, {
    configuration,
    message: isOnce
      ? 'Automatic destruction as scheduled'
      : 'Automatic destruction after inactivity',
    source: AUTO_DESTROY_SOURCE,
    options: {},
    planOnly: false,
    isDestroy: true,
    autoApply: true,
    savePlan: false,
    createdBy: null,
  });
  await report(
    services,
    claimed,
    'workspace:auto_destroy_run_results',
    run.id,
    'Destruction started',
  );
  return true;
}

async function remind(
  services: Services,
  workspace: Workspace,
  time: Date,
  now: Date,
): Promise<void> {
  const hours = REMINDERS.filter((each) => time.getTime() - now.getTime() <= each * HOUR_MS).at(-1);
  if (hours === undefined) return;
  await report(
    services,
    workspace,
    'workspace:auto_destroy_reminder',
    `${time.toISOString()} ${hours}`,
    `Destruction at ${time.toISOString()}`,
    REMINDED,
  );
}

/** Notifies of an event of the destruction; with `marker`, once for each key. */
async function report(
  services: Services,
  workspace: Workspace,
  trigger: string,
  key: string,
  title: string,
  marker?: string,
): Promise<void> {
  if (marker !== undefined) {
    if (workspace.settings[marker] === key) return;
    const settings = JSON.stringify({ ...workspace.settings, [marker]: key });
    const { numUpdatedRows: updated } = await services.db
      .updateTable('workspaces')
      .set({ settings })
      .where('id', '=', workspace.id)
      .where('updated_at', '=', workspace.updated_at)
      .where(sql<boolean>`settings->>${marker} IS DISTINCT FROM ${key}`)
      .executeTakeFirst();
    if (updated === 0n) return;
  }
  const organization = await organizationById(services, workspace.organization_id);
  const name = organization?.name ?? '';
  await notify(services, workspace.id, {
    trigger,
    key: `${workspace.id} ${key}`,
    payload: {
      payload_version: 2,
      notification_configuration_url: null,
      workspace_id: workspace.id,
      workspace_name: workspace.name,
      organization_name: name,
      notifications: [{ message: title, trigger }],
    },
    message: {
      title,
      text: `${name}/${workspace.name}`,
      link: `${services.baseUrl}${workspacePath(name, workspace.name)}`,
    },
  });
}
