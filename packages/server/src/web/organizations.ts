import type { Answer, ApiRequest } from '../http/request.ts';
import { fields } from '../http/request.ts';
import { auditTrail, listOrganizations, organizationOf } from '../routes/organizations.ts';
import { listWorkspaces } from '../routes/workspace-list.ts';
import { attribute, readList, relatedId, textOf } from './documents.ts';
import { type Html, html, statusBadge, time } from './html.ts';
import { pageLinks, userPage } from './layout.ts';
import { organizationPath, workspacePath } from './paths.ts';
import { scrollingTable, table } from './table.ts';

export async function organizationsPage(request: ApiRequest): Promise<Answer> {
  const { resources, links } = readList(await listOrganizations(request));
  return await userPage(request, {
    title: 'Organizations',
    body: html`${
      resources.length === 0
        ? html`<p>You are not a member of an organization.</p>`
        : html`<ul class="cards">
            ${resources.map((each) => {
              const name = textOf(each, 'name');
              return html`<li><a href="${organizationPath(name)}">${name}</a></li>`;
            })}
          </ul>`
    }
    ${pageLinks(links)}`,
  });
}

/** The links between the pages of an organization that its visitor may read. */
export function organizationTabs(
  request: ApiRequest,
  current: 'workspaces' | 'policies' | 'agents' | 'audit',
): Html {
  const path = organizationPath(organizationOf(request).name);
  const mayAudit = request.place.organizationPermissions.has('organization:read-audit');
  const here = (name: string): string => (name === current ? 'page' : 'false');
  return html`<nav aria-label="Organization" class="tabs">
    <a href="${path}" aria-current="${here('workspaces')}">Workspaces</a>
    <a href="${path}/policies" aria-current="${here('policies')}">Policies</a>
    <a href="${path}/agents" aria-current="${here('agents')}">Agents</a>
    ${mayAudit && html`<a href="${path}/audit" aria-current="${here('audit')}">Audit log</a>`}
  </nav>`;
}

const CRUMBS = [{ text: 'Organizations', path: '/app' }];

export async function workspacesPage(request: ApiRequest): Promise<Answer> {
  const { name: organization } = organizationOf(request);
  const { resources, links } = readList(await listWorkspaces(request));
  const search = request.query.get('search[name]') ?? '';
  const runs = await latestRuns(
    request,
    resources.flatMap((each) => {
      const mayRead = fields(attribute(each, 'permissions'))['can-read-run'] === true;
      return mayRead ? (relatedId(each, 'latest-run') ?? []) : [];
    }),
  );
  return await userPage(request, {
    title: organization,
    crumbs: CRUMBS,
    body: html`${organizationTabs(request, 'workspaces')}
      <form method="get" role="search" class="search">
        <label for="search">Name contains</label>
        <input id="search" name="search[name]" value="${search}" type="search" />
        <button>Search</button>
      </form>
      ${table(
        'Workspaces',
        ['Workspace', 'Latest run', 'Resources', 'Changed'],
        resources.map((each) => {
          const name = textOf(each, 'name');
          const status = runs.get(relatedId(each, 'latest-run') ?? '');
          return html`<tr>
            <th scope="row">
              <a href="${workspacePath(organization, name)}">${name}</a>
              ${
                attribute(each, 'locked') === true &&
                html`<span class="badge waiting">Locked</span>`
              }
            </th>
            <td>${status === undefined ? 'none' : statusBadge(status)}</td>
            <td>${textOf(each, 'resource-count') || '0'}</td>
            <td>${time(textOf(each, 'updated-at'))}</td>
          </tr>`;
        }),
        search === ''
          ? 'There are no workspaces yet. A client creates one: run "init" with a "cloud" block.'
          : 'There are no workspaces with such a name.',
      )}
      ${pageLinks(links)}`,
  });
}

async function latestRuns(
  { services: { db } }: ApiRequest,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'status'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, status }) => [id, status]));
}

export async function auditPage(request: ApiRequest): Promise<Answer> {
  const { name } = organizationOf(request);
  const { document = {} } = await auditTrail(request);
  const { data, pagination } = fields(document);
  const entries: readonly unknown[] = Array.isArray(data) ? data : [];
  const { 'prev-page': previous, 'next-page': next } = fields(pagination);
  const link = (page: unknown): string | null => {
    if (typeof page !== 'number') return null;
    const to = new URL(request.url);
    to.searchParams.set('page[number]', String(page));
    return to.href;
  };
  return await userPage(request, {
    title: `Audit log of ${name}`,
    crumbs: [...CRUMBS, { text: name, path: organizationPath(name) }],
    body: html`${organizationTabs(request, 'audit')}
    ${scrollingTable(
      'Audit log',
      ['Time', 'Who', 'Action', 'Object', 'Details'],
      entries.map((entry) => {
        const { timestamp, auth, resource } = fields(entry);
        const { action, type, id, meta } = fields(resource);
        const details = JSON.stringify(meta ?? {});
        return html`<tr>
          <td>${time(String(timestamp))}</td>
          <td>${String(fields(auth)['description'])}</td>
          <td>${String(action)}</td>
          <td>${String(type)} <code>${String(id)}</code></td>
          <td>${details !== '{}' && html`<code>${details}</code>`}</td>
        </tr>`;
      }),
    )}
    ${pageLinks({ prev: link(previous), next: link(next) })}`,
  });
}
