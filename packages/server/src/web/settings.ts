import type { Answer, ApiRequest } from '../http/request.ts';
import { organizationOf } from '../routes/organizations.ts';
import { listPolicySets } from '../routes/policy-sets.ts';
import { workspaceOf } from '../routes/workspace-resource.ts';
import { engineOf } from '../services/engines.ts';
import { openDestination, triggersOf } from '../services/notifications.ts';
import { policySetsOf } from '../services/policies.ts';
import { repositoryOf, vcsOf } from '../vcs/repositories.ts';
import { attribute, readList, textOf } from './documents.ts';
import { type Html, html, statusBadge, statusText, time } from './html.ts';
import { pageLinks, userPage } from './layout.ts';
import { organizationTabs } from './organizations.ts';
import { organizationPath } from './paths.ts';
import { table } from './table.ts';
import { workspacePage } from './workspaces.ts';

/** The engine, notifications, run tasks and policies of a workspace. The address of a chat is its password: hosts are shown. */
export async function settingsPage(request: ApiRequest): Promise<Answer> {
  return await workspacePage(
    request,
    'settings',
    html`<section aria-labelledby="execution">
        <h2 id="execution">Execution</h2>
        ${execution(request)}
      </section>
      <section aria-labelledby="notifications">
        <h2 id="notifications">Notifications</h2>
        ${await notificationsTable(request)}
      </section>
      <section aria-labelledby="run-tasks">
        <h2 id="run-tasks">Run tasks</h2>
        ${await runTasksTable(request)}
      </section>
      <section aria-labelledby="version-control">
        <h2 id="version-control">Version control</h2>
        ${await versionControl(request)}
      </section>
      <section aria-labelledby="policy-sets">
        <h2 id="policy-sets">Policy sets</h2>
        ${await policySetsTable(request)}
      </section>`,
  );
}

/** The engine of the runs, and its version if it is another program. */
function execution(request: ApiRequest): Html {
  const { settings } = workspaceOf(request);
  const engine = engineOf(settings);
  return html`<dl class="facts">
    <dt>Engine</dt>
    <dd><code>${engine}</code></dd>
    ${
      engine !== 'terrane' &&
      html`<dt>Version</dt>
        <dd><code>${settings['terraform-version'] ?? 'latest'}</code></dd>`
    }
  </dl>`;
}

async function notificationsTable(request: ApiRequest): Promise<Html> {
  const { services } = request;
  const rows = await services.db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', workspaceOf(request).id)
    .orderBy('name')
    .execute();
  const markup: Html[] = [];
  for (const row of rows) {
    const last = await services.db
      .selectFrom('deliveries')
      .selectAll()
      .where('notification_id', '=', row.id)
      .orderBy('sent_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    markup.push(
      html`<tr>
        <th scope="row">${row.name}</th>
        <td>
          ${statusText(row.destination_type)}, ${new URL(openDestination(services, row).url).host}
        </td>
        <td>${row.enabled ? triggersOf(row).join(', ') : 'disabled'}</td>
        <td>
          ${
            last !== undefined &&
            html`${statusBadge(last.is_successful ? 'finished' : 'errored')} ${time(last.sent_at)}`
          }
        </td>
      </tr>`,
    );
  }
  return table(
    'Notifications',
    ['Name', 'Destination', 'Events', 'Last delivery'],
    markup,
    'No notifications are configured.',
  );
}

async function runTasksTable(request: ApiRequest): Promise<Html> {
  const rows = await request.services.db
    .selectFrom('workspace_tasks')
    .innerJoin('run_tasks', 'run_tasks.id', 'workspace_tasks.task_id')
    .select([
      'run_tasks.name',
      'workspace_tasks.enforcement_level as level',
      'workspace_tasks.stages',
    ])
    .where('workspace_tasks.workspace_id', '=', workspaceOf(request).id)
    .orderBy('run_tasks.name')
    .execute();
  return table(
    'Run tasks',
    ['Task', 'Level', 'Stages'],
    rows.map(
      ({ name, level, stages }) =>
        html`<tr>
          <th scope="row">${name}</th>
          <td>${statusText(level)}</td>
          <td>${stages.map(statusText).join(', ')}</td>
        </tr>`,
    ),
    'No run tasks are attached to the workspace.',
  );
}

async function versionControl(request: ApiRequest): Promise<Html> {
  const vcs = vcsOf(workspaceOf(request));
  if (vcs === undefined) return html`<p>The workspace is not connected to a repository.</p>`;
  const repository = await repositoryOf(request.services, vcs);
  return html`<p>
      Repository <code>${vcs.identifier}</code>, branch
      <code>${vcs.branch === '' ? 'default' : vcs.branch}</code>:
      ${statusBadge(repository?.hook_id == null ? 'pending' : 'finished')}
    </p>
    ${repository?.error != null && html`<p class="badge bad">${repository.error}</p>`}`;
}

async function policySetsTable(request: ApiRequest): Promise<Html> {
  const sets = await policySetsOf(request.services.db, workspaceOf(request));
  return table(
    'Policy sets',
    ['Policy set', 'Description'],
    sets.map(
      ({ name, description }) =>
        html`<tr>
          <th scope="row">${name}</th>
          <td>${description}</td>
        </tr>`,
    ),
    'No policies are valid for the workspace.',
  );
}

/** The policy sets of an organization. */
export async function policiesPage(request: ApiRequest): Promise<Answer> {
  const { name } = organizationOf(request);
  const { resources, links } = readList(await listPolicySets(request));
  return await userPage(request, {
    title: 'Policies',
    crumbs: [
      { text: 'Organizations', path: '/app' },
      { text: name, path: organizationPath(name) },
    ],
    body: html`${organizationTabs(request, 'policies')}
    ${table(
      'Policy sets',
      ['Policy set', 'Scope', 'Policies', 'Description'],
      resources.map((each) => {
        const scope =
          attribute(each, 'global') === true
            ? 'All workspaces'
            : `${textOf(each, 'workspace-count')} workspaces, ${textOf(each, 'project-count')} projects`;
        const isVersioned = attribute(each, 'versioned') === true;
        return html`<tr>
          <th scope="row">${textOf(each, 'name')}</th>
          <td>${scope}</td>
          <td>${isVersioned ? 'uploaded version' : textOf(each, 'policy-count')}</td>
          <td>${textOf(each, 'description')}</td>
        </tr>`;
      }),
      'The organization has no policy sets.',
    )}
    ${pageLinks(links)}`,
  });
}
