import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type InstanceAddr, parseInstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import { localSideStorage } from '@terrane/backends';
import {
  EMPTY_STATE,
  StateDraft,
  type StateEvent,
  type StateFile,
  type StoredObject,
} from '@terrane/engine';
import {
  addressFilter,
  Blobs,
  History,
  HistoryStore,
  type RunRecord,
  type RunSummary,
} from '@terrane/history';
import { nodeHost } from '@terrane/host';
import { median } from './measure.ts';

const RUNS = 1_000;
const OBJECTS = 5_000;
/** Objects that a run changes. They are too many for the list of runs, which has a filter instead. */
const CHANGES = 50;
/** Number of runs between complete states, as when runs are recorded. */
const KEYFRAME_INTERVAL = 50;
const ROUNDS = 5;
const GOAL_MB = 200;
const GOAL_MS = 200;

/**
 * Stores a history of many runs over many objects, and measures its size on the disk and the CPU time of the search for
 * the runs that changed one object. Returns whether both meet the goals.
 */
export async function runHistory(scratch: string, scale: number): Promise<boolean> {
  const directory = join(scratch, 'run-history');
  const host = nodeHost();
  const open = (): HistoryStore =>
    new HistoryStore(new Blobs(localSideStorage(host, directory), undefined));
  const runs = Math.max(2, Math.round(RUNS * scale));
  await storeRuns(open(), runs);
  const megabytes = sizeOf(directory) / 1e6;
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const started = process.cpuUsage();
    const store = open();
    const none = (): Promise<undefined> => Promise.resolve(undefined);
    const history = new History(store, await store.readIndex(), await store.readPending(), none);
    const { objects } = await history.blame(addressOf(7));
    const { user, system } = process.cpuUsage(started);
    times.push((user + system) / 1000);
    found = objects[0]?.runs.length ?? 0;
  }
  const expected = Math.ceil((runs * CHANGES) / OBJECTS);
  if (Math.abs(found - expected) > 1) throw new Error(`${found} runs were found, not ${expected}`);
  const ms = median(times);
  const judged = (met: boolean): string => (met ? 'met' : 'MISSED');
  process.stdout.write(
    `${'run-history'.padEnd(20)} ${runs} runs, ${OBJECTS} objects, ${CHANGES} changes each: ${megabytes.toFixed(1)} MB (goal ${GOAL_MB}: ${judged(megabytes <= GOAL_MB)}) · history ADDRESS: ${ms.toFixed(0)} ms of CPU (goal ${GOAL_MS}: ${judged(ms <= GOAL_MS)})\n`,
  );
  return megabytes <= GOAL_MB && ms <= GOAL_MS;
}

const PROVIDER = ProviderConfigAddr.parse('provider["registry.terraform.io/hashicorp/aws"]');
const addressOf = (index: number): string => `aws_instance.server[${index}]`;

async function storeRuns(store: HistoryStore, count: number): Promise<void> {
  const draft = new StateDraft(EMPTY_STATE);
  for (let index = 0; index < OBJECTS; index++) draft.apply(put(index, 0));
  const runs: RunSummary[] = [];
  let next = 0;
  for (let run = 0; run < count; run++) {
    const started = new Date(Date.UTC(2026, 0, 1) + run * 3_600_000).toISOString();
    const digits = started.replaceAll(/\D/g, '');
    const id = `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${digest(run).slice(0, 8)}`;
    const keyframe = run % KEYFRAME_INTERVAL === 0;
    const name = (serial: number) => ({ lineage: 'bench', serial, digest: digest(serial) });
    if (keyframe) await store.writeState(id, fileOf(draft, run));
    const events: StateEvent[] = [];
    const addresses: InstanceAddr[] = [];
    for (let change = 0; change < CHANGES; change++) {
      const event = put(next, run + 1);
      addresses.push(event.addr);
      next = (next + 1) % OBJECTS;
      events.push(event);
      draft.apply(event);
    }
    const filter = addressFilter(addresses);
    const summary: RunSummary = {
      id,
      started,
      ended: started,
      who: 'ann@workstation',
      command: 'apply',
      mode: 'normal',
      plan: digest(run),
      base: name(run),
      final: name(run + 1),
      outcome: 'succeeded',
      counts: { created: 0, updated: CHANGES, deleted: 0, other: 0 },
      open: 0,
      keyframe,
      ...(filter === undefined ? {} : { addressFilter: filter }),
    };
    const record: RunRecord = {
      ...summary,
      workspace: 'default',
      version: '0.1.0',
      providers: { 'registry.terraform.io/hashicorp/aws': '6.25.0' },
      writer: { host: 'workstation', pid: 1, identity: '1' },
      openOperations: [],
      errors: [],
    };
    await store.writeRun({ record, events });
    runs.push(summary);
  }
  await store.writeIndex({ runs, schemas: {} });
}

function fileOf(draft: StateDraft, serial: number): StateFile {
  return { state: draft.freeze(), lineage: 'bench', serial, terraformVersion: '1.11.4' };
}

/** Returns the event that stores an object with attributes that compress as little as ids do. */
function put(index: number, version: number): Extract<StateEvent, { kind: 'put' }> {
  const { address: addr } = parseInstanceAddr(addressOf(index));
  if (addr === undefined || PROVIDER === undefined) throw new Error('an address is wrong');
  const attributes = {
    id: `i-${digest(index).slice(0, 17)}`,
    ami: `ami-${digest(version % 9).slice(0, 17)}`,
    arn: `arn:aws:ec2:eu-central-1:123456789012:instance/i-${digest(index).slice(0, 17)}`,
    instance_type: 't3.large',
    private_ip: `10.0.${index >> 8}.${index & 255}`,
    subnet_id: `subnet-${digest(index % 40).slice(0, 17)}`,
    tags: { Name: `server-${index}`, version: String(version), team: 'platform' },
    user_data: digest(index * 100_003 + version),
    vpc_security_group_ids: [`sg-${digest(index % 70).slice(0, 17)}`],
  };
  const object: StoredObject = {
    status: 'ready',
    schemaVersion: 1,
    attributesJson: JSON.stringify(attributes),
    sensitivePaths: [],
    dependencies: ['aws_subnet.all', 'aws_security_group.all'],
    createBeforeDestroy: false,
    provider: PROVIDER,
  };
  return { kind: 'put', addr, object };
}

const digest = (of: number): string => createHash('sha256').update(String(of)).digest('hex');

function sizeOf(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  return bytes;
}
