import { parseReport } from '../http/bounded-json.ts';
import { ApiError, notFound } from '../http/json-api.ts';
import { type ApiRequest, fields, NO_CONTENT } from '../http/request.ts';
import { AGENT, type Route } from '../http/route.ts';
import { LARGEST_BLOB, largestStream } from '../services/blobs.ts';
import { JOBS_TOPIC, POLL_MS } from '../services/job-queue.ts';
import {
  claimJob,
  finishJob,
  guardOfJob,
  heldJob,
  holderOf,
  type Job,
  jobContent,
  type JobResult,
  putJobContent,
  queuedJobs,
  renewLeaseUntilCanceled,
  writeJournal,
} from '../services/jobs.ts';
import { appendLog } from '../services/logs.ts';
import { storeEvents } from '../services/run-events.ts';
import { newId } from '../services/services.ts';
import { announceState, latestState, storeState } from '../services/states.ts';
import { workspaceById } from '../access/place.ts';
import { createHash } from 'node:crypto';

/** The longest time that a request for work waits. */
const LONG_POLL_MS = 25_000;
/** The longest time that a heartbeat waits, which is shorter than the lease that it extends. */
const HEARTBEAT_WAIT_MS = 10_000;

function poolOf({ principal }: ApiRequest): string | null {
  if (principal.kind !== 'agent') throw notFound();
  return principal.poolId;
}

async function register(request: ApiRequest) {
  const { services, input, address } = request;
  const { name } = input.json;
  const id = newId(services, 'agent');
  await services.db
    .insertInto('agents')
    .values({
      id,
      agent_pool_id: poolOf(request),
      name: typeof name === 'string' ? name.slice(0, 200) : '',
      status: 'idle',
      ip_address: address,
      last_ping_at: services.clock.now(),
    })
    .execute();
  return { status: 201, document: { id }, contentType: 'application/json' };
}

/** Waits for a job and claims it; 204 if there is none for a while. */
async function claim(request: ApiRequest) {
  const { services, input, signal } = request;
  const poolId = poolOf(request);
  const agentId = String(input.json['agent'] ?? '');
  const seen = await services.db
    .updateTable('agents')
    .set({ last_ping_at: services.clock.now(), status: 'idle' })
    .where('id', '=', agentId)
    .where('agent_pool_id', 'is not distinct from', poolId)
    .returning('id')
    .executeTakeFirst();
  if (seen === undefined) throw notFound();
  const requested = Number(input.json['wait-ms'] ?? LONG_POLL_MS);
  // Not a number: a wait that would never end.
  const wait = Number.isFinite(requested) ? Math.min(LONG_POLL_MS, Math.max(0, requested)) : 0;
  const end = services.clock.now().getTime() + wait;
  for (;;) {
    const { revision } = services.jobQueue;
    const job = await claimJob(services, poolId, agentId);
    if (job !== undefined) {
      await services.db
        .updateTable('agents')
        .set({ status: 'busy' })
        .where('id', '=', agentId)
        .execute();
      return { document: { job }, contentType: 'application/json' };
    }
    const left = end - services.clock.now().getTime();
    if (left <= 0 || signal.aborted || services.wakeups.isClosed) return NO_CONTENT;
    // Announced while the database was asked.
    if (services.jobQueue.revision !== revision) continue;
    await services.wakeups.wait(JOBS_TOPIC, Math.min(POLL_MS, left), (ms, stop) =>
      services.clock.sleep(ms, stop),
    );
  }
}

/** Lists the queued jobs of the pool; waits for one if there is none. */
async function queued(request: ApiRequest) {
  const { services, query, signal } = request;
  const poolId = poolOf(request);
  const wait = Math.min(LONG_POLL_MS, Math.max(0, Number(query.get('wait-ms') ?? '0') || 0));
  const end = services.clock.now().getTime() + wait;
  for (;;) {
    const jobs = await queuedJobs(services, poolId);
    const left = end - services.clock.now().getTime();
    if (jobs.length > 0 || left <= 0 || signal.aborted || services.wakeups.isClosed) {
      return { document: { jobs }, contentType: 'application/json' };
    }
    await services.wakeups.wait(JOBS_TOPIC, Math.min(POLL_MS, left), (ms, stop) =>
      services.clock.sleep(ms, stop),
    );
  }
}

async function jobOf({ services, principal, param, query }: ApiRequest): Promise<Job> {
  return await heldJob(services, principal, param('job'), Number(query.get('attempt')));
}

function offsetOf({ query }: ApiRequest): number {
  const offset = Number(query.get('offset'));
  if (!Number.isSafeInteger(offset) || offset < 0) {
    throw new ApiError(400, 'bad request', 'The offset has to be a whole number.');
  }
  return offset;
}

/** The largest number of an event: the next ones are still integers of the database. */
const LARGEST_NUMBER = 2_000_000_000;

/** Returns the number of the first event of a request; undefined for an agent that does not number its events. */
function firstEventOf({ query }: ApiRequest): number | undefined {
  const text = query.get('first');
  if (text === null) return undefined;
  if (!/^\d{1,10}$/.test(text) || Number(text) > LARGEST_NUMBER) {
    throw new ApiError(400, 'bad request', 'The number of an event has to be a whole number.');
  }
  return Number(text);
}

/** Extends the lease; waits for a change of the run if the agent asks for it. */
async function heartbeat(request: ApiRequest) {
  const { services, query } = request;
  const job = await jobOf(request);
  const requested = Number(query.get('wait-ms') ?? '0') || 0;
  const wait = Math.min(HEARTBEAT_WAIT_MS, Math.max(0, requested));
  const document = await renewLeaseUntilCanceled(services, job, wait);
  return { document, contentType: 'application/json' };
}

async function events(request: ApiRequest) {
  const { services, input } = request;
  const job = await jobOf(request);
  const list: readonly unknown[] = Array.isArray(input.json['events']) ? input.json['events'] : [];
  await storeEvents(services, job, list, firstEventOf(request));
  return NO_CONTENT;
}

/** Stores the state that an agent has written. It becomes the current state of the workspace. */
async function putState(request: ApiRequest) {
  const { services, bytes } = request;
  const job = await jobOf(request);
  const run = await services.db
    .selectFrom('runs')
    .select(['id', 'workspace_id', 'created_by'])
    .where('id', '=', job.run_id)
    .executeTakeFirstOrThrow();
  const workspace = await workspaceById(services, run.workspace_id);
  if (workspace === undefined) throw notFound();
  const md5 = createHash('md5').update(bytes).digest('hex');
  const latest = await latestState(services, workspace.id);
  // The response to the same request was lost.
  if (latest?.md5 === md5) return NO_CONTENT;
  const { serial, lineage } = fields(parseReport(bytes));
  const version = await announceState(services, workspace, {
    serial: Number(serial ?? 0),
    lineage: typeof lineage === 'string' ? lineage : '',
    md5,
    force: false,
    runId: run.id,
    createdBy: run.created_by,
  });
  await storeState(services, version, bytes, guardOfJob(services, job, workspace.id));
  return NO_CONTENT;
}

async function finish(request: ApiRequest) {
  const { services, input, principal } = request;
  const { outcome, 'has-changes': hasChanges, summary } = input.json;
  if (outcome !== 'succeeded' && outcome !== 'errored' && outcome !== 'canceled') {
    throw new ApiError(400, 'bad request', 'The outcome is unknown.');
  }
  const job = await heldJob(
    services,
    principal,
    request.param('job'),
    Number(request.query.get('attempt')),
  );
  const result: JobResult = { outcome, hasChanges: hasChanges === true, summary: fields(summary) };
  await finishJob(services, job, result);
  return NO_CONTENT;
}

const JOB = '/api/agent/v1/jobs/:job';

/** The protocol between the server and `terrane agent`. */
export const AGENT_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/api/agent/v1/agents', rule: AGENT, handle: register },
  { method: 'POST', path: '/api/agent/v1/jobs/claim', rule: AGENT, handle: claim },
  { method: 'GET', path: '/api/agent/v1/queued-jobs', rule: AGENT, handle: queued },
  { method: 'POST', path: `${JOB}/heartbeat`, rule: AGENT, handle: heartbeat },
  { method: 'POST', path: `${JOB}/events`, rule: AGENT, limit: 8 * 1024 * 1024, handle: events },
  { method: 'POST', path: `${JOB}/finish`, rule: AGENT, handle: finish },
  {
    method: 'PUT',
    path: `${JOB}/log`,
    rule: AGENT,
    async handle(request) {
      const job = await jobOf(request);
      const offset = offsetOf(request);
      await appendLog(request.services, job.stage_id, offset, request.bytes, holderOf(job));
      return NO_CONTENT;
    },
  },
  {
    method: 'PUT',
    path: `${JOB}/journal`,
    rule: AGENT,
    limit: LARGEST_BLOB,
    async handle(request) {
      const job = await jobOf(request);
      await writeJournal(request.services, job, offsetOf(request), request.bytes);
      return NO_CONTENT;
    },
  },
  { method: 'PUT', path: `${JOB}/state`, rule: AGENT, limit: LARGEST_BLOB, handle: putState },
  {
    method: 'GET',
    path: `${JOB}/contents/:name`,
    rule: AGENT,
    async handle(request) {
      const job = await jobOf(request);
      const stream = await jobContent(request.services, job, request.param('name'));
      return stream === undefined ? NO_CONTENT : { stream };
    },
  },
  {
    method: 'PUT',
    path: `${JOB}/contents/:name`,
    rule: AGENT,
    limit: largestStream,
    isStreamed: true,
    async handle(request) {
      const job = await jobOf(request);
      await putJobContent(request.services, job, request.param('name'), request.content);
      return NO_CONTENT;
    },
  },
];
