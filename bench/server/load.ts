// Load of the run server, with PostgreSQL, two servers and agents as processes:
//   npm run load:server -- [--workspaces=2000] [--rate=100] [--minutes=2] [--agents=10] [--concurrency=5]
//   npm run load:server -- --phases=lists    some of the phases queue, lists and concurrency
//   npm run load:server -- --workspaces=0 --phases=large    lists of 20,000 workspaces with 100,000 runs
//   npm run load:server -- --soak=120 [--soak-rate=20] [--workspaces=200]    growth of memory, after the phases
// Prints a table of measurements beside their goals. The exit code is 1 if a goal is missed.
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../../tests/interop/free-port.ts';
import { createInstallation, type Program } from '../../tests/server/run-server.ts';
import { insertLargeOrganization, LARGE_LISTS, TEAM_LISTS } from './large-organization.ts';
import { ApiClient, archiveOf, document, queueRun } from './api-client.ts';
import { type GroupUsage, MachineLoad, usageOfGroup } from './processes.ts';

const { values } = parseArgs({
  options: {
    workspaces: { type: 'string', default: '2000' },
    rate: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '2' },
    agents: { type: 'string', default: '10' },
    concurrency: { type: 'string', default: '5' },
    lists: { type: 'string', default: '100' },
    soak: { type: 'string', default: '0' },
    'soak-rate': { type: 'string', default: '20' },
    'large-workspaces': { type: 'string', default: '20000' },
    'large-runs': { type: 'string', default: '100000' },
    'large-agents': { type: 'string', default: '20000' },
    phases: { type: 'string', default: 'queue,lists,concurrency' },
  },
});
const option = (name: keyof typeof values): number => Number(values[name]);
const phases = new Set(values.phases.split(','));

/** Goals in milliseconds, megabytes and counts. */
const GOAL = { claim: 500, list: 50, log: 300, idleMegabytes: 150 };
const FINAL = ['applied', 'errored', 'planned_and_finished', 'discarded', 'canceled'];
const IDLE_MS = 10_000;
const MOST_MS = 15 * 60_000;
/** The number of concurrent runs whose logs are read. */
const WATCHED = 10;
/** The length of the periods for which the latency is printed. */
const COURSE_MS = 10_000;
/** Growth of a soak that is no noise of the garbage collector. */
const GROWTH = { megabytes: 20, share: 0.1 };

/** A configuration whose run is short. */
const SHORT = 'resource "terraform_data" "a" {\n  input = "load"\n}\n';
/** A configuration whose apply prints the time, in milliseconds, twice a second. */
const LONG =
  'resource "terraform_data" "a" {\n  provisioner "local-exec" {\n    command = "for i in $(seq 60); do date +%s%3N; sleep 0.5; done"\n  }\n}\n';

interface Row {
  readonly name: string;
  readonly result: string;
  readonly goal: string;
  readonly isMet: boolean;
}
const rows: Row[] = [];
const machine = new MachineLoad();

function row(name: string, result: string, goal = '', isMet = true): void {
  rows.push({ name, result, goal, isMet });
  const judged = goal === '' ? '' : ` (goal ${goal}: ${isMet ? 'met' : 'MISSED'})`;
  console.log(`${name}: ${result}${judged}`);
}

/** Prints which share of the processors was busy since the last phase, with other programs of the machine. */
function endPhase(name: string): void {
  const busy = (100 * machine.take()).toFixed(0);
  console.log(`  ${name}: processors ${busy} % busy, load average ${loadavg()[0]?.toFixed(1)}`);
}

function percentile(list: readonly number[], share: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const spread = (list: readonly number[]): string =>
  `p50 ${percentile(list, 0.5).toFixed(0)} ms, p95 ${percentile(list, 0.95).toFixed(0)} ms, of ${list.length}`;

function times(name: string, list: readonly number[], goal?: number): void {
  if (goal === undefined) row(name, spread(list));
  else row(name, spread(list), `p95 ≤ ${goal} ms`, percentile(list, 0.95) <= goal);
}

const sum = (usages: readonly GroupUsage[], key: keyof GroupUsage): number =>
  usages.reduce((total, usage) => total + usage[key], 0);

async function within(ms: number, what: string, isDone: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + ms;
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${ms / 1000} s`);
    await sleep(500);
  }
}

await using installation = await createInstallation();
const ports = [await freePort(), await freePort()];
const url = `-url=http://127.0.0.1:${ports[0]}`;
const servers: Program[] = [];
for (const port of ports) servers.push(await installation.startServer(port, url, '-rate-limit=0'));
const client = new ApiClient(ports, installation.token);
const database = new Client({ connectionString: installation.environment['TERRANE_DATABASE_URL'] });
// The installation ends before this connection if a phase fails.
database.on('error', () => undefined);
await database.connect();
const query = async <Result extends object>(text: string): Promise<readonly Result[]> =>
  (await database.query<Result>(text)).rows;
const usages = (programs: readonly Program[]): readonly GroupUsage[] =>
  programs.map(({ child }) => usageOfGroup(child.pid));

async function unfinishedRuns(): Promise<number> {
  const list = FINAL.map((status) => `'${status}'`).join(', ');
  const [counted] = await query<{ count: string }>(
    `SELECT count(*) FROM runs WHERE status NOT IN (${list})`,
  );
  return Number(counted?.count);
}

async function measureIdle(): Promise<void> {
  await sleep(IDLE_MS);
  const most = Math.max(...usages(servers).map(({ megabytes }) => megabytes));
  row(
    'idle memory of a web process',
    `${most.toFixed(0)} MB`,
    `≤ ${GOAL.idleMegabytes} MB`,
    most <= GOAL.idleMegabytes,
  );
}

async function createWorkspaces(): Promise<readonly string[]> {
  const ids: string[] = [];
  const milliseconds: number[] = [];
  const count = option('workspaces');
  const before = sum(usages(servers), 'cpuSeconds');
  for (let index = 0; index < count; index++) {
    const started = performance.now();
    const created = await client.call(
      'POST',
      '/api/v2/organizations/acme/workspaces',
      document('workspaces', { name: `load-${String(index).padStart(5, '0')}` }),
    );
    milliseconds.push(performance.now() - started);
    ids.push(created.data.id);
    if (index % 10 === 0) {
      await client.call(
        'POST',
        `/api/v2/workspaces/${created.data.id}/vars`,
        document('vars', { key: 'region', value: 'eu-central-1', category: 'env' }),
      );
    }
  }
  if (count === 0) return ids;
  times(`create ${count} workspaces, one after the other`, milliseconds);
  const cpu = sum(usages(servers), 'cpuSeconds') - before;
  row(
    'processor time of the servers per created workspace',
    `${((1000 * cpu) / count).toFixed(1)} ms`,
  );
  endPhase('workspaces');
  return ids;
}

/** The paths of lists that clients and pages request most. */
function listPaths(ids: readonly string[]): readonly string[] {
  const some = ids[Math.floor(Math.random() * ids.length)] ?? '';
  const page = 1 + Math.floor((Math.random() * ids.length) / 20);
  return [
    `/api/v2/organizations/acme/workspaces?page[number]=${page}&page[size]=20`,
    '/api/v2/organizations/acme/workspaces?search[name]=load-0001&include=current_run',
    '/api/v2/organizations/acme/runs?page[size]=20',
    `/api/v2/workspaces/${some}/runs?page[size]=20`,
    '/api/v2/organizations/acme/runs/queue',
    `/api/v2/workspaces/${some}/vars`,
    `/api/v2/state-versions?filter[workspace][name]=load-00001&filter[organization][name]=acme`,
    '/api/v2/organizations/acme/projects',
  ];
}

async function measureLists(ids: readonly string[]): Promise<void> {
  const byPath = new Map<string, number[]>();
  const all: number[] = [];
  const before = sum(usages(servers), 'cpuSeconds');
  for (let round = 0; round < option('lists'); round++) {
    for (const path of listPaths(ids)) {
      const name = (path.split('?')[0] ?? '').replace(/ws-\w+/, ':workspace');
      const key = path.includes('search') ? `${name} (search)` : name;
      const ms = await client.timed('GET', path);
      all.push(ms);
      byPath.set(key, [...(byPath.get(key) ?? []), ms]);
    }
  }
  const cpu = sum(usages(servers), 'cpuSeconds') - before;
  for (const [path, list] of byPath) times(`GET ${path}`, list, GOAL.list);
  times('all lists', all, GOAL.list);
  row('processor time of the servers per list', `${((1000 * cpu) / all.length).toFixed(1)} ms`);
  endPhase('lists');
}

/** Measures lists of an organization that has existed for long. Each first request is not part of the figures. */
async function measureLarge(): Promise<void> {
  const size = {
    workspaces: option('large-workspaces'),
    runs: option('large-runs'),
    agents: option('large-agents'),
  };
  await insertLargeOrganization(query, size);
  endPhase('inserting the large organization');
  const team = new ApiClient(ports, await tokenOfTeam());
  const lists = [
    ...Object.entries(LARGE_LISTS).map(([name, path]) => ({ name, path, reader: client })),
    ...TEAM_LISTS.map((name) => ({
      name: `${name}, as a team of a project`,
      path: LARGE_LISTS[name],
      reader: team,
    })),
  ];
  for (const { name, path = '', reader } of lists) {
    const list: number[] = [];
    await reader.call('GET', path);
    const before = sum(usages(servers), 'cpuSeconds');
    for (let round = 0; round < option('lists'); round++)
      list.push(await reader.timed('GET', path));
    const cpu = (1000 * (sum(usages(servers), 'cpuSeconds') - before)) / list.length;
    const bytes = JSON.stringify(await reader.call('GET', path)).length;
    const facts = `${cpu.toFixed(0)} ms of the servers, ${(bytes / 1024).toFixed(0)} kB`;
    const isMet = percentile(list, 0.95) <= GOAL.list;
    row(`large: ${name}`, `${spread(list)}; ${facts}`, `p95 ≤ ${GOAL.list} ms`, isMet);
  }
  endPhase('large');
}

/** Returns the token of a team that reads the workspaces of one project, and not those of the organization. */
async function tokenOfTeam(): Promise<string> {
  const team = await client.call(
    'POST',
    '/api/v2/organizations/acme/teams',
    document('teams', { name: 'large' }),
  );
  const [project] = await query<{ id: string }>('SELECT id FROM projects WHERE is_default');
  await client.call(
    'POST',
    '/api/v2/team-projects',
    document(
      'team-projects',
      { access: 'read' },
      {
        project: { data: { type: 'projects', id: project?.id } },
        team: { data: { type: 'teams', id: team.data.id } },
      },
    ),
  );
  const path = `/api/v2/teams/${team.data.id}/authentication-token`;
  const token = await client.call('POST', path, document('authentication-tokens', {}));
  return token.data.attributes.token;
}

async function startAgents(): Promise<readonly Program[]> {
  const agents: Program[] = [];
  for (let index = 0; index < option('agents'); index++) {
    const port = ports[index % ports.length] ?? 0;
    agents.push(
      await installation.startAgent(
        `agent-${index}`,
        port,
        `-concurrency=${option('concurrency')}`,
      ),
    );
  }
  return agents;
}

/** Queues runs at a rate, and measures how soon agents claim their jobs. */
async function measureQueue(ids: readonly string[], agents: readonly Program[]): Promise<void> {
  const count = Math.round(option('rate') * option('minutes'));
  const archive = await archiveOf(SHORT);
  const accepted: number[] = [];
  const before = sum(usages(servers), 'cpuSeconds');
  const agentsBefore = sum(usages(agents), 'cpuSeconds');
  const started = performance.now();
  const pending: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    const due = started + (index * 60_000) / option('rate');
    await sleep(Math.max(0, due - performance.now()));
    const begun = performance.now();
    pending.push(
      queueRun(client, ids[index % ids.length] ?? '', archive).then(() => {
        accepted.push(performance.now() - begun);
      }),
    );
  }
  await Promise.all(pending);
  const minutes = (performance.now() - started) / 60_000;
  row(
    'queued runs accepted per minute',
    `${(count / minutes).toFixed(0)} for ${minutes.toFixed(1)} minutes`,
    `≥ ${option('rate')}`,
    count / minutes >= option('rate') * 0.98,
  );
  times('upload of a configuration and creation of its run (3 requests)', accepted);
  await within(MOST_MS, 'the end of the runs', async () => (await unfinishedRuns()) === 0);
  const total = (performance.now() - started) / 60_000;
  const [counted] = await query<{ applied: string }>(
    `SELECT count(*) AS applied FROM runs WHERE status = 'applied'`,
  );
  const applied = Number(counted?.applied);
  row(
    'runs planned and applied',
    `${applied} of ${count} in ${total.toFixed(1)} minutes`,
    `${count}`,
    applied === count,
  );
  times(
    'claim latency, from the queue to an agent',
    (
      await query<{ ms: number }>(
        'SELECT extract(epoch FROM claimed_at - created_at)::float * 1000 AS ms FROM jobs',
      )
    ).map(({ ms }) => ms),
    GOAL.claim,
  );
  const cpu = sum(usages(servers), 'cpuSeconds') - before;
  const agentCpu = sum(usages(agents), 'cpuSeconds') - agentsBefore;
  row(
    'processor time per run',
    `servers ${((1000 * cpu) / count).toFixed(0)} ms, agents ${((1000 * agentCpu) / count).toFixed(0)} ms`,
  );
  endPhase('queue');
}

/** Executes as many runs at once as the agents have slots, and measures how soon their output can be read. */
async function measureConcurrency(ids: readonly string[]): Promise<void> {
  const slots = option('agents') * option('concurrency');
  const archive = await archiveOf(LONG);
  const lines: PrintedLine[] = [];
  const watching: Promise<void>[] = [];
  for (let index = 0; index < slots; index++) {
    const run = await queueRun(client, ids[ids.length - 1 - index] ?? '', archive);
    // Before the run starts: a reader that comes late would add its own delay to the lines.
    if (index % Math.ceil(slots / WATCHED) === 0) watching.push(watchLog(run, lines));
  }
  let most = 0;
  const lists: number[] = [];
  await within(MOST_MS, 'the end of concurrent runs', async () => {
    const [counted] = await query<{ count: string }>(
      `SELECT count(*) FROM jobs WHERE status = 'running'`,
    );
    most = Math.max(most, Number(counted?.count));
    for (const path of listPaths(ids)) lists.push(await client.timed('GET', path));
    return (await unfinishedRuns()) === 0;
  });
  await Promise.all(watching);
  row('concurrent runs', `${most} on ${option('agents')} agents`, `≥ ${slots}`, most >= slots);
  times('log latency, from a command to a reader', latenciesOf(lines), GOAL.log);
  printCourse(lines);
  times('all lists while these runs are executed', lists, GOAL.list);
  endPhase('concurrent runs');
}

/** Prints the latency of the lines in each period: the runs start at the same time, and each begins with its plan. */
function printCourse(lines: readonly PrintedLine[]): void {
  const began = Math.min(...lines.map(({ printedAt }) => printedAt));
  const end = Math.max(...lines.map(({ printedAt }) => printedAt));
  for (let from = began; from <= end; from += COURSE_MS) {
    const some = lines.filter(({ printedAt }) => printedAt >= from && printedAt < from + COURSE_MS);
    const second = (from - began) / 1000;
    console.log(`  lines printed from second ${second} on: ${spread(latenciesOf(some))}`);
  }
}

const latenciesOf = (lines: readonly PrintedLine[]): readonly number[] =>
  lines.map(({ printedAt, readAt }) => readAt - printedAt);

/** A line of a log, with the times in milliseconds at which a command has printed it and a reader has it. */
interface PrintedLine {
  readonly printedAt: number;
  readonly readAt: number;
}

/** Reads the log of an apply as it is written, and compares the times in it with the clock. */
async function watchLog(run: string, printed: PrintedLine[]): Promise<void> {
  const { data } = await client.call('GET', `/api/v2/runs/${run}`);
  const apply = await client.call('GET', `/api/v2/applies/${data.relationships.apply.data.id}`);
  const target = new URL(apply.data.attributes['log-read-url']);
  let [offset, rest] = [0, ''];
  let isComplete = false;
  while (!isComplete) {
    const response = await fetch(
      `http://127.0.0.1:${ports[0]}${target.pathname}?offset=${offset}&limit=65536`,
    );
    if (!response.ok) throw new Error(`The log cannot be read: ${response.status}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    const readAt = Date.now();
    offset += bytes.length;
    isComplete = bytes.includes(3);
    const lines = (rest + bytes.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const time = /\(local-exec\): (\d{13})/.exec(line)?.[1];
      if (time !== undefined) printed.push({ printedAt: Number(time), readAt });
    }
    await sleep(20);
  }
}

/** Queues a few runs per minute for a long time, and compares memory at the beginning and the end. */
async function soak(
  ids: readonly string[],
  agents: readonly Program[],
  minutes: number,
): Promise<void> {
  const archive = await archiveOf(SHORT);
  const samples: { readonly server: number; readonly agent: number }[] = [];
  const started = performance.now();
  const interval = 60_000 / option('soak-rate');
  let [count, failed] = [0, 0];
  let sampled = started;
  while (performance.now() - started < minutes * 60_000) {
    await queueRun(client, ids[count++ % ids.length] ?? '', archive).catch(() => failed++);
    for (const path of listPaths(ids)) await client.call('GET', path).catch(() => failed++);
    if (performance.now() - sampled > 15_000) {
      sampled = performance.now();
      samples.push({
        server: sum(usages(servers), 'megabytes') / servers.length,
        agent: sum(usages(agents), 'megabytes') / agents.length,
      });
    }
    await sleep(Math.max(0, started + count * interval - performance.now()));
  }
  await within(MOST_MS, 'the end of the runs', async () => (await unfinishedRuns()) === 0);
  row(
    'soak',
    `${minutes} minutes, ${count} runs, ${count * 8} lists, ${failed} failed requests`,
    '0 failed',
    failed === 0,
  );
  const third = Math.floor(samples.length / 3);
  for (const kind of ['server', 'agent'] as const) {
    const middle = percentile(
      samples.slice(third, 2 * third).map((sample) => sample[kind]),
      0.5,
    );
    const last = percentile(
      samples.slice(2 * third).map((sample) => sample[kind]),
      0.5,
    );
    const growth = last - middle;
    row(
      `memory of a process of ${kind === 'server' ? 'the server' : 'an agent'}, median of the second and of the last third`,
      `${middle.toFixed(0)} and ${last.toFixed(0)} MB`,
      'no growth',
      growth <= Math.max(GROWTH.megabytes, middle * GROWTH.share),
    );
  }
  endPhase('soak');
}

await measureIdle();
const ids = await createWorkspaces();
if (phases.has('large')) await measureLarge();
const agents = await startAgents();
if (phases.has('queue')) await measureQueue(ids, agents);
if (phases.has('lists')) await measureLists(ids);
if (phases.has('concurrency')) await measureConcurrency(ids);
if (option('soak') > 0) await soak(ids, agents, option('soak'));
await sleep(IDLE_MS);
const after = Math.max(...usages(servers).map(({ megabytes }) => megabytes));
row('memory of a web process at the end', `${after.toFixed(0)} MB`);
const [measured] = await query<{ size: string }>(
  'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
);
row('size of the database', measured?.size ?? '');
await database.end();
console.log('\n| measurement | result | goal |\n|---|---|---|');
for (const { name, result, goal, isMet } of rows) {
  console.log(
    `| ${name} | ${result} | ${goal}${goal === '' ? '' : isMet ? ', met' : ', **missed**'} |`,
  );
}
process.exitCode = rows.every(({ isMet }) => isMet) ? 0 : 1;
