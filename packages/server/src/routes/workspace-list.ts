import { type SelectQueryBuilder, sql } from 'kysely';
import { visibleWorkspaces } from '../access/authorize.ts';
import type { Tables } from '../database/schema.ts';
import { collection, pageOf } from '../http/json-api.ts';
import { containing, escapedLike } from '../http/listing.ts';
import { type Answer, type ApiRequest, ok } from '../http/request.ts';
import { isFinal } from '../services/run-status.ts';
import { organizationOf } from './organizations.ts';
import { withRelated } from './workspace-included.ts';
import { presentWorkspaces } from './workspace-resource.ts';

type WorkspaceQuery = SelectQueryBuilder<Tables, 'workspaces', object>;

/** Applies the filters of a list of workspaces. */
function applyFilters(select: WorkspaceQuery, query: URLSearchParams): WorkspaceQuery {
  let result = select;
  const name = query.get('search[name]') ?? '';
  if (name !== '') result = result.where('workspaces.name', 'ilike', containing(name));
  const wildcard = query.get('search[wildcard-name]') ?? '';
  if (wildcard !== '') {
    result = result.where('workspaces.name', 'ilike', escapedLike(wildcard).replaceAll('*', '%'));
  }
  const project = query.get('filter[project][id]') ?? '';
  if (project !== '') result = result.where('workspaces.project_id', '=', project);
  const status = query.get('filter[current-run][status]') ?? '';
  if (status !== '') {
    const statuses = status.split(',');
    result = result.where((expression) => {
      // Few workspaces have a run in progress, and their index leads to their runs.
      const inProgress = expression.and([
        expression('workspaces.current_run_id', 'is not', null),
        expression('workspaces.current_run_id', 'in', (sub) =>
          sub
            .selectFrom('runs')
            .select('id')
            .where(sql<string>`status`, 'in', statuses),
        ),
      ]);
      if (!statuses.some(isFinal)) return inProgress;
      // Without one, the current run is the latest, which has ended.
      const latest = sql<string>`(
        SELECT r.status FROM runs r WHERE r.workspace_id = workspaces.id AND NOT r.plan_only
        ORDER BY r.created_at DESC LIMIT 1)`;
      return expression.or([
        inProgress,
        expression.and([
          expression('workspaces.current_run_id', 'is', null),
          expression(latest, 'in', statuses),
        ]),
      ]);
    });
  }
  const tagged = (names: string): readonly string[] =>
    names.split(',').filter((each) => each !== '');
  for (const tag of tagged(query.get('search[tags]') ?? '')) {
    result = result.where('workspaces.id', 'in', (sub) =>
      sub
        .selectFrom('workspace_tags')
        .innerJoin('tags', 'tags.id', 'workspace_tags.tag_id')
        .select('workspace_tags.workspace_id')
        .where('tags.name', '=', tag),
    );
  }
  const excluded = tagged(query.get('search[exclude-tags]') ?? '');
  if (excluded.length > 0) {
    result = result.where('workspaces.id', 'not in', (sub) =>
      sub
        .selectFrom('workspace_tags')
        .innerJoin('tags', 'tags.id', 'workspace_tags.tag_id')
        .select('workspace_tags.workspace_id')
        .where('tags.name', 'in', excluded),
    );
  }
  for (let index = 0; index < 20; index++) {
    const key = query.get(`filter[tagged][${index}][key]`);
    if (key === null) break;
    const value = query.get(`filter[tagged][${index}][value]`);
    result = result.where((expression) => {
      const bound = (subject: 'workspaces.id' | 'workspaces.project_id') => {
        let rows = expression
          .selectFrom('tag_bindings')
          .select('subject_id')
          .where('key', '=', key);
        if (value !== null) rows = rows.where('value', '=', value);
        return expression(subject, 'in', rows);
      };
      return expression.or([bound('workspaces.id'), bound('workspaces.project_id')]);
    });
  }
  return result;
}

/** Responds with the workspaces of an organization that the principal can see. */
export async function listWorkspaces(request: ApiRequest): Promise<Answer> {
  const { services, query, principal, place } = request;
  const organization = organizationOf(request);
  const page = pageOf(query);
  const visible = await visibleWorkspaces(services, principal, place);
  let select: WorkspaceQuery = services.db
    .selectFrom('workspaces')
    .where('workspaces.organization_id', '=', organization.id);
  if (visible !== undefined) {
    select = select.where(visible);
  }
  select = applyFilters(select, query);
  const { total } = await select
    .select((count) => count.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  const sort = query.get('sort') ?? 'name';
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const byRun = /^-?current-run\.created-at$/.test(sort);
  const by = sort.endsWith('created-at') ? 'workspaces.created_at' : 'workspaces.name';
  const rows = await select
    .selectAll('workspaces')
    // Workspaces without runs are last.
    .$if(byRun, (sorted) =>
      sorted.orderBy(
        (expression) =>
          expression
            .selectFrom('runs')
            .select((run) => run.fn.max('runs.created_at').as('at'))
            .whereRef('runs.workspace_id', '=', 'workspaces.id'),
        (order) => (direction === 'desc' ? order.desc() : order.asc()).nullsLast(),
      ),
    )
    .orderBy(by, direction)
    .limit(page.size)
    .offset((page.number - 1) * page.size)
    .execute();
  const { data, included } = await withRelated(
    request,
    rows,
    await presentWorkspaces(request, rows),
  );
  return ok({ ...collection(data, page, Number(total), request.url), included });
}
