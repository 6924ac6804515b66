import type { Selectable } from 'kysely';
import { runOfEvent } from '../access/place.ts';
import type { CommentTable } from '../database/schema.ts';
import { invalid, notFound, type ApiResource, type Resource, toOne } from '../http/json-api.ts';
import { type ApiRequest, created, ok } from '../http/request.ts';
import { inWorkspace, type Route } from '../http/route.ts';
import { readRun, type Run } from '../services/runs.ts';
import { newId, type Services } from '../services/services.ts';
import { userResource } from './users.ts';

export type Comment = Selectable<CommentTable>;

/** Returns the comments of runs, oldest first. */
export async function commentsOf(
  { db }: Pick<Services, 'db'>,
  runIds: readonly string[],
): Promise<readonly Comment[]> {
  if (runIds.length === 0) return [];
  return await db
    .selectFrom('comments')
    .selectAll()
    .where('run_id', 'in', runIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Adds a comment to a run. */
export async function addComment(
  services: Pick<Services, 'db' | 'random' | 'clock'>,
  run: Run,
  body: string,
  userId: string | null,
): Promise<Comment> {
  return await services.db
    .insertInto('comments')
    .values({
      id: newId(services, 'wsc'),
      run_id: run.id,
      body,
      user_id: userId,
      created_at: services.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const eventId = (runId: string, name: string): string => `re-${runId.slice(4)}-${name}`;

const commentResource = (row: Comment): ApiResource<'comments'> => ({
  id: row.id,
  type: 'comments',
  attributes: { body: row.body },
  relationships: { 'run-event': toOne('run-events', eventId(row.run_id, row.id)) },
});

/** Presents the events of a run: its statuses with their times, and its comments. */
export function eventsOf(run: Run, comments: readonly Comment[]): readonly Resource[] {
  const statuses = Object.entries(run.timestamps).map(([name, time]) => ({
    name,
    action: name.replace(/-at$/, '').replaceAll('-', '_'),
    time,
    actor: name === 'confirmed-at' ? run.confirmed_by : run.created_by,
    comment: null,
  }));
  const remarks = comments.map(({ id, user_id: actor, created_at: time }) => ({
    name: id,
    action: 'commented',
    time: time.toISOString(),
    actor,
    comment: id,
  }));
  return [...statuses, ...remarks]
    .toSorted((first, second) => (first.time < second.time ? -1 : 1))
    .map(({ name, action, time, actor, comment }): Resource => ({
      id: eventId(run.id, name),
      type: 'run-events',
      attributes: { action, 'created-at': time, description: null },
      relationships: {
        run: toOne('runs', run.id),
        actor: toOne('users', actor),
        comment: toOne('comments', comment),
      },
    }));
}

/** Answers with events, and with their actors and comments if the request includes them. */
async function answerWith(
  { services, query }: ApiRequest,
  run: Run,
  comments: readonly Comment[],
  data: Resource | readonly Resource[],
) {
  const wanted = (query.get('include') ?? '').split(',');
  const ids = [run.created_by, run.confirmed_by, ...comments.map(({ user_id: id }) => id)];
  const actors = wanted.includes('actor')
    ? await services.db
        .selectFrom('users')
        .selectAll()
        .where('id', 'in', ['', ...ids.filter((id) => id !== null)])
        .execute()
    : [];
  const included = [
    ...actors.map((user) => userResource(user)),
    ...(wanted.includes('comment') ? comments.map(commentResource) : []),
  ];
  return ok({ data, included });
}

async function listEvents(request: ApiRequest) {
  const run = await readRun(request.services.db, request.param('run'));
  const comments = await commentsOf(request.services, [run.id]);
  return await answerWith(request, run, comments, eventsOf(run, comments));
}

async function readEvent(request: ApiRequest) {
  const run = await readRun(request.services.db, runOfEvent(request.param('event')));
  const comments = await commentsOf(request.services, [run.id]);
  const event = eventsOf(run, comments).find(({ id }) => id === request.param('event'));
  if (event === undefined) throw notFound();
  return await answerWith(request, run, comments, event);
}

async function readComment({ services, param }: ApiRequest) {
  const row = await services.db
    .selectFrom('comments')
    .selectAll()
    .where('id', '=', param('comment'))
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return ok({ data: commentResource(row) });
}

async function createComment({ services, input, principal, param }: ApiRequest) {
  const body = input.text('body') ?? '';
  if (body === '') throw invalid('body', "can't be blank");
  const userId = principal.kind === 'user' ? principal.user.id : null;
  const run = await readRun(services.db, param('run'));
  return created({ data: commentResource(await addComment(services, run, body, userId)) });
}

const ofRun = inWorkspace('workspace:read-runs', 'run', 'run');
const COMMENTS = '/api/v2/runs/:run/comments';

/** The events of runs, and comments about them. */
export const RUN_EVENT_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/api/v2/runs/:run/run-events', rule: ofRun, handle: listEvents },
  {
    method: 'GET',
    path: '/api/v2/run-events/:event',
    rule: inWorkspace('workspace:read-runs', 'event', 'run-event'),
    handle: readEvent,
  },
  {
    method: 'GET',
    path: '/api/v2/comments/:comment',
    rule: inWorkspace('workspace:read-runs', 'comment', 'comment'),
    handle: readComment,
  },
  {
    method: 'GET',
    path: COMMENTS,
    rule: ofRun,
    handle: async ({ services, param }) =>
      ok({ data: (await commentsOf(services, [param('run')])).map(commentResource) }),
  },
  { method: 'POST', path: COMMENTS, rule: ofRun, handle: createComment },
];
