import { agentStatus } from '../routes/agent-pools.ts';
import type { Answer, ApiRequest } from '../http/request.ts';
import { organizationOf } from '../routes/organizations.ts';
import { type Html, html, statusBadge, time } from './html.ts';
import { userPage } from './layout.ts';
import { organizationTabs } from './organizations.ts';
import { organizationPath } from './paths.ts';
import { table } from './table.ts';

const MOST_AGENTS = 500;
/** The statuses of runs that wait for an agent, and of those that an agent executes. */
const WAITING = ['plan_queued', 'apply_queued'] as const;
const EXECUTING = ['planning', 'applying'] as const;

/** The agent pools of an organization with their agents, and the runs that wait for one. */
export async function agentsPage(request: ApiRequest): Promise<Answer> {
  const { services, principal } = request;
  const { db } = services;
  const { id, name } = organizationOf(request);
  const pools = await db
    .selectFrom('agent_pools')
    .select(['id', 'name', 'organization_scoped'])
    .where('organization_id', '=', id)
    .orderBy('name')
    .execute();
  const agents = await db
    .selectFrom('agents')
    .selectAll()
    .where((where) =>
      where.or([
        where('agent_pool_id', 'is', null),
        where(
          'agent_pool_id',
          'in',
          where.selectFrom('agent_pools').select('id').where('organization_id', '=', id),
        ),
      ]),
    )
    .where('status', '!=', 'exited')
    .orderBy('last_ping_at', 'desc')
    .limit(MOST_AGENTS)
    .execute();
  const ofPool = (pool: string | null) => agents.filter((each) => each.agent_pool_id === pool);
  // Agents without a pool serve all organizations: their names and addresses are those of the installation.
  const isSiteAdmin = principal.kind === 'user' && principal.user.is_site_admin;
  const shared = ofPool(null).map((agent) => ({ ...agent, status: agentStatus(services, agent) }));
  const connected = shared.filter(({ status }) => status !== 'unknown').length;
  const rowsOf = (rows: typeof agents): readonly Html[] =>
    rows.map(
      (agent) =>
        html`<tr>
          <th scope="row">${agent.name}</th>
          <td>${statusBadge(agentStatus(services, agent))}</td>
          <td>${agent.ip_address}</td>
          <td>${time(agent.last_ping_at)}</td>
        </tr>`,
    );
  const agentTable = (label: string, rows: typeof agents): Html =>
    table(
      label,
      ['Agent', 'Status', 'Address', 'Last request'],
      rowsOf(rows),
      'No agent has connected.',
    );
  return await userPage(request, {
    title: `Agents of ${name}`,
    crumbs: [
      { text: 'Organizations', path: '/app' },
      { text: name, path: organizationPath(name) },
    ],
    body: html`${organizationTabs(request, 'agents')}
      <section aria-labelledby="queue">
        <h2 id="queue">Queue</h2>
        ${await queue(request)}
      </section>
      <section aria-labelledby="shared">
        <h2 id="shared">Agents of the server</h2>
        <p>
          Connected agents: ${connected}. They execute the runs of all workspaces without an agent
          pool.
        </p>
        ${isSiteAdmin && shared.length > 0 && agentTable('Agents of the server', shared)}
      </section>
      ${pools.map(
        (pool) =>
          html`<section aria-labelledby="${pool.id}">
            <h2 id="${pool.id}">Agent pool ${pool.name}</h2>
            <p>
              ${
                pool.organization_scoped
                  ? 'Available to all workspaces except the excluded ones.'
                  : 'Available to the allowed workspaces and projects.'
              }
            </p>
            ${agentTable(`Agent pool ${pool.name}`, ofPool(pool.id))}
          </section>`,
      )}
      ${pools.length === 0 && html`<p>The organization has no agent pools.</p>`}`,
  });
}

async function queue(request: ApiRequest): Promise<Html> {
  const counts = await request.services.db
    .selectFrom('runs')
    .innerJoin('workspaces', 'workspaces.id', 'runs.workspace_id')
    .select(['runs.status', (select) => select.fn.countAll().as('count')])
    .where('workspaces.organization_id', '=', organizationOf(request).id)
    .where('runs.status', 'in', [...WAITING, ...EXECUTING])
    .groupBy('runs.status')
    .execute();
  const sum = (statuses: readonly string[]): number =>
    counts.reduce(
      (all, { status, count }) => (statuses.includes(status) ? all + Number(count) : all),
      0,
    );
  const runs = (count: number, verb: string): string =>
    `${count} ${count === 1 ? 'run' : 'runs'} ${verb}`;
  return html`<p>
    ${runs(sum(WAITING), 'waiting for an agent')}, ${runs(sum(EXECUTING), 'in progress')}.
  </p>`;
}
