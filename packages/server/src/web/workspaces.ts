import { type Answer, type ApiRequest, fields, Input } from '../http/request.ts';
import { listRuns } from '../routes/runs.ts';
import { currentOutputs, listStateVersions, readOutput } from '../routes/state-versions.ts';
import { organizationOf } from '../routes/organizations.ts';
import { holdsLock, workspaceOf } from '../routes/workspace-resource.ts';
import { lockWorkspace, unlockWorkspace } from '../routes/workspace-locks.ts';
import {
  effectiveVariables,
  openValue,
  storedVariables,
  type Variable,
} from '../services/variables.ts';
import { attribute, readList, relatedId, textOf } from './documents.ts';
import { type Html, html, statusBadge, time } from './html.ts';
import {
  buttonForm,
  type Crumb,
  formOf,
  pageLinks,
  seeOther,
  tokenField,
  userPage,
} from './layout.ts';
import { organizationPath, runPath, workspacePath } from './paths.ts';
import { runKind } from './run-kind.ts';
import { scrollingTable, table } from './table.ts';

type Tab = 'runs' | 'variables' | 'states' | 'drift' | 'settings';

/** The path of the workspace of a request. */
export function pathOf(request: ApiRequest): string {
  return workspacePath(organizationOf(request).name, workspaceOf(request).name);
}

/** The breadcrumbs of the pages in a workspace. */
export function crumbsOf(request: ApiRequest, includesWorkspace: boolean): readonly Crumb[] {
  const { name: organization } = organizationOf(request);
  const { name } = workspaceOf(request);
  return [
    { text: 'Organizations', path: '/app' },
    { text: organization, path: organizationPath(organization) },
    ...(includesWorkspace ? [{ text: name, path: pathOf(request) }] : []),
  ];
}

/** The links between the pages of a workspace that its visitor may read. */
function tabs(request: ApiRequest, current: Tab): Html {
  const { workspacePermissions: may } = request.place;
  const path = pathOf(request);
  const tab = (name: Tab, text: string, to: string): Html =>
    html`<a href="${to}" aria-current="${name === current ? 'page' : 'false'}">${text}</a>`;
  return html`<nav aria-label="Workspace" class="tabs">
    ${tab('runs', 'Runs', path)}
    ${may.has('workspace:read-variables') && tab('variables', 'Variables', `${path}/variables`)}
    ${may.has('workspace:read-outputs') && tab('states', 'State', `${path}/states`)}
    ${may.has('workspace:read-runs') && tab('drift', 'Drift', `${path}/drift`)}
    ${tab('settings', 'Settings', `${path}/settings`)}
  </nav>`;
}

/** Returns the response of a page in a workspace. */
export async function workspacePage(request: ApiRequest, tab: Tab, body: Html): Promise<Answer> {
  return await userPage(request, {
    title: workspaceOf(request).name,
    crumbs: crumbsOf(request, false),
    body: html`${tabs(request, tab)} ${body}`,
  });
}

export async function runsPage(request: ApiRequest): Promise<Answer> {
  const mayRead = request.place.workspacePermissions.has('workspace:read-runs');
  return await workspacePage(
    request,
    'runs',
    html`${await lockSection(request)}
      <section aria-labelledby="runs">
        <h2 id="runs">Runs</h2>
        ${mayRead ? await runsTable(request) : html`<p>You may not read the runs.</p>`}
      </section>`,
  );
}

async function lockSection(request: ApiRequest): Promise<Html> {
  const { services, principal, place } = request;
  const workspace = workspaceOf(request);
  const { locked_by: holder, current_run_id: run, lock_reason: reason } = workspace;
  const { workspacePermissions: may } = place;
  const path = pathOf(request);
  const runLink =
    run !== null &&
    html`<p>
      The run
      <a href="${runPath(organizationOf(request).name, workspace.name, run)}">${run}</a>
      occupies the workspace.
    </p>`;
  let lock: Html;
  if (holder === null) {
    lock = html`<p>${run === null ? 'The workspace is not locked.' : ''}</p>
      ${
        may.has('workspace:lock') &&
        run === null &&
        html`<form method="post" action="${path}/lock" class="inline">
          ${tokenField(request)}
          <label for="reason">Reason</label>
          <input id="reason" name="reason" maxlength="500" />
          <button>Lock</button>
        </form>`
      }`;
  } else {
    const user = await services.db
      .selectFrom('users')
      .select('username')
      .where('id', '=', holder)
      .executeTakeFirst();
    const isOwn = holdsLock(workspace, principal);
    lock = html`<p>
        <span class="badge waiting">Locked</span> by
        ${user?.username ?? holder}${reason !== '' && html`: ${reason}`}
      </p>
      ${
        isOwn && may.has('workspace:lock')
          ? buttonForm(request, `${path}/unlock`, 'Unlock')
          : may.has('workspace:admin') &&
            buttonForm(request, `${path}/force-unlock`, 'Unlock by force', 'danger')
      }`;
  }
  return html`<section aria-labelledby="lock">
    <h2 id="lock">Lock</h2>
    ${runLink} ${lock}
  </section>`;
}

async function runsTable(request: ApiRequest): Promise<Html> {
  const { resources, links } = readList(await listRuns(request, 'workspace'));
  const { name: organization } = organizationOf(request);
  const { name } = workspaceOf(request);
  const creators = await userNames(
    request,
    resources.flatMap((run) => relatedId(run, 'created-by') ?? []),
  );
  const is = (run: (typeof resources)[number], name: string): boolean =>
    attribute(run, name) === true;
  return html`${table(
    'Runs',
    ['Run', 'Status', 'Kind', 'Created by', 'Created'],
    resources.map((run) => {
      const kind = runKind({
        isDestroy: is(run, 'is-destroy'),
        isRefreshOnly: is(run, 'refresh-only'),
        isPlanOnly: is(run, 'plan-only'),
        isSaved: is(run, 'save-plan'),
      });
      const message = textOf(run, 'message');
      return html`<tr>
        <th scope="row">
          <a href="${runPath(organization, name, run.id)}"
            >${message}${message !== '' && html`<br />`}<code>${run.id}</code></a
          >
        </th>
        <td>${statusBadge(textOf(run, 'status'))}</td>
        <td>${kind}</td>
        <td>${creators.get(relatedId(run, 'created-by') ?? '')}</td>
        <td>${time(textOf(run, 'created-at'))}</td>
      </tr>`;
    }),
    'There are no runs yet. A client starts one by "plan" or "apply".',
  )}
  ${pageLinks(links)}`;
}

/** Returns the names of users by their IDs. */
async function userNames(
  { services: { db } }: ApiRequest,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, username }) => [id, username]));
}

/** The variables of a workspace and those of its variable sets, with the ones that others override. */
export async function variablesPage(request: ApiRequest): Promise<Answer> {
  const { services } = request;
  const workspace = workspaceOf(request);
  const { variables, sets } = await storedVariables(services, workspace);
  const effective = new Set(effectiveVariables(variables, workspace.id, sets));
  const row = (variable: Variable): Html => {
    const kind = variable.category === 'env' ? 'Environment variable' : 'Input variable';
    return html`<tr>
      <th scope="row">
        <code>${variable.key}</code>
        ${!effective.has(variable) && html`<span class="badge ended">Overridden</span>`}
      </th>
      <td>
        ${
          variable.sensitive
            ? html`<em>sensitive, write-only</em>`
            : html`<code>${openValue(services, variable)}</code>`
        }
      </td>
      <td>${kind}${variable.hcl ? ', expression' : ''}</td>
      <td>${variable.description}</td>
    </tr>`;
  };
  const tableOf = (label: string, owner: string, empty: string): Html =>
    table(
      label,
      ['Name', 'Value', 'Kind', 'Description'],
      variables.filter((each) => each.owner_id === owner).map(row),
      empty,
    );
  return await workspacePage(
    request,
    'variables',
    html`<section aria-labelledby="own">
        <h2 id="own">Variables of the workspace</h2>
        ${tableOf('Variables of the workspace', workspace.id, 'The workspace has no variables of its own.')}
      </section>
      ${[...sets].reverse().map(
        ({ id, name, priority }) =>
          html`<section aria-labelledby="${id}">
            <h2 id="${id}">Variable set ${name}</h2>
            ${priority && html`<p>The set has priority over the variables of the workspace.</p>`}
            ${tableOf(`Variable set ${name}`, id, 'The set has no variables.')}
          </section>`,
      )}`,
  );
}

export async function statesPage(request: ApiRequest): Promise<Answer> {
  return await workspacePage(
    request,
    'states',
    html`<section aria-labelledby="outputs">
        <h2 id="outputs">Outputs</h2>
        ${await outputsTable(request)}
      </section>
      ${
        request.place.workspacePermissions.has('workspace:read-state') &&
        html`<section aria-labelledby="versions">
          <h2 id="versions">Versions</h2>
          ${await versionsTable(request)}
        </section>`
      }`,
  );
}

async function outputsTable(request: ApiRequest): Promise<Html> {
  if (workspaceOf(request).current_state_version_id === null) {
    return html`<p>The workspace has no state yet.</p>`;
  }
  // The pages of the list below are not those of the outputs.
  const query = new URLSearchParams({ 'page[size]': '100' });
  const { resources } = readList(await currentOutputs({ ...request, query }));
  if (resources.length === 0) return html`<p>The state has no outputs.</p>`;
  return scrollingTable(
    'Outputs',
    ['Name', 'Value'],
    resources.map(
      (each) =>
        html`<tr>
          <th scope="row"><code>${textOf(each, 'name')}</code></th>
          <td>
            ${
              attribute(each, 'sensitive') === true
                ? html`<form method="post" action="${pathOf(request)}/outputs/${each.id}">
                    ${tokenField(request)}<em>sensitive</em>
                    <button aria-label="Show ${textOf(each, 'name')}; the audit log records it">
                      Show
                    </button>
                  </form>`
                : html`<code>${JSON.stringify(attribute(each, 'value'))}</code>`
            }
          </td>
        </tr>`,
    ),
  );
}

async function versionsTable(request: ApiRequest): Promise<Html> {
  const { resources, links } = readList(await listStateVersions(request));
  const { name: organization } = organizationOf(request);
  const { name } = workspaceOf(request);
  return html`${table(
    'State versions',
    ['Serial', 'Created', 'Size', 'Run'],
    resources.map((each) => {
      const run = relatedId(each, 'run');
      return html`<tr>
        <th scope="row">${textOf(each, 'serial')}</th>
        <td>${time(textOf(each, 'created-at'))}</td>
        <td>${textOf(each, 'size')} bytes</td>
        <td>
          ${
            run === undefined
              ? 'uploaded'
              : html`<a href="${runPath(organization, name, run)}">${run}</a>`
          }
        </td>
      </tr>`;
    }),
    'There are no versions yet.',
  )}
  ${pageLinks(links)}`;
}

/** Shows a sensitive output, which the audit log records. */
export async function outputPage(request: ApiRequest): Promise<Answer> {
  const { document = {} } = await readOutput(request);
  const { name, value } = fields(fields(fields(document)['data'])['attributes']);
  return await userPage(request, {
    title: `Output ${String(name)}`,
    crumbs: [...crumbsOf(request, true), { text: 'State', path: `${pathOf(request)}/states` }],
    body: html`<p>The audit log records that you read this value.</p>
      <pre class="value">
${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>`,
  });
}

export async function lock(request: ApiRequest): Promise<Answer> {
  const reason = formOf(request).get('reason') ?? '';
  await lockWorkspace({ ...request, input: new Input({ reason: reason.slice(0, 500) }) });
  return seeOther(pathOf(request));
}

export async function unlock(request: ApiRequest, isForced: boolean): Promise<Answer> {
  await unlockWorkspace(request, isForced);
  return seeOther(pathOf(request));
}
