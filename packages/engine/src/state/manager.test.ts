import { describe, expect, it } from 'vitest';
import { number, str } from '@terrane/cty';
import type { Storage } from '@terrane/host';
import {
  END_BEFORE,
  END_WITHIN,
  type ManualClock,
  MemoryDisk,
  memoryHost,
  ProcessEnded,
  type MemoryHost,
  type MemoryHostOptions,
  type Survival,
} from '@terrane/testkit';
import { ROOT_INSTANCE } from '../addrs/module-path.ts';
import { ProviderConfigAddr } from '../addrs/provider-source.ts';
import { AbsResource, ResourceAddr, type InstanceAddr } from '../addrs/resource-addr.ts';
import type { StateEvent } from './event.ts';
import { createStateManager, type StateManager } from './manager.ts';
import { nextStateFile, stateFileText } from './next-state-file.ts';
import type { StateFile, StoredObject } from './model.ts';
import type { StateRecorder } from './recorder.ts';
import { EMPTY_STATE } from './snapshot.ts';
import { readStateFile } from './statefile-read.ts';
import { replay } from './draft.ts';

const PROVIDER = ProviderConfigAddr.parse('provider["registry.terraform.io/hashicorp/null"]')!;
const RESOURCE = AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('managed', 'null_resource', 'x'));
const PATH = '/project/terraform.tfstate';
const JOURNAL = '/project/.terraform.tfstate.journal';

function address(index: number): InstanceAddr {
  return RESOURCE.instance(index);
}

function object(id: string, more?: Partial<StoredObject>): StoredObject {
  return {
    status: 'ready',
    schemaVersion: 0,
    attributesJson: `{"id":"${id}"}`,
    sensitivePaths: [],
    dependencies: [],
    createBeforeDestroy: false,
    provider: PROVIDER,
    ...more,
  };
}

function put(index: number, id = `id-${index}`): StateEvent {
  return { kind: 'put', addr: address(index), object: object(id) };
}

function intent(index: number, action = 'create'): StateEvent {
  return { kind: 'intent', step: index, action, addr: address(index) };
}

/** A file as a storage; locks are not what is tested here. */
function fileStorage(host: MemoryHost): Storage {
  return {
    read: async () =>
      (await host.files.stat(PATH)) === undefined ? undefined : await host.files.readFile(PATH),
    write: (data, beforeCommit) =>
      host.files.replaceFile(PATH, data, {
        mode: 0o600,
        ...(beforeCommit === undefined ? {} : { beforeCommit }),
      }),
  };
}

function managerOf(
  host: MemoryHost,
  storage: Storage = fileStorage(host),
  smallJournal?: number,
): StateManager {
  return createStateManager({
    storage,
    host,
    journalPath: JOURNAL,
    backupPath: `${PATH}.backup`,
    erroredPath: '/project/errored.tfstate',
    smallJournal,
  });
}

function ids(file: StateFile | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  for (const addr of file?.state.instances() ?? []) {
    const json = file?.state.instance(addr)?.current?.attributesJson ?? '{"id":"none"}';
    found[addr.text] = (JSON.parse(json) as { id: string }).id;
  }
  return found;
}

async function begin(host: MemoryHost, manager = managerOf(host)): Promise<StateRecorder> {
  const { file, diagnostics } = await manager.read();
  expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
  return await manager.begin(file);
}

async function withThree(options: MemoryHostOptions = {}): Promise<MemoryHost> {
  const host = memoryHost(options);
  const recorder = await begin(host);
  for (const i of [0, 1, 2]) await recorder.record(put(i));
  await recorder.finish();
  return host;
}

let lastPid = 1000;

/** Another process of the same machine, which the first is not any more. */
function nextProcess(host: MemoryHost, survival: Survival = 'everything'): MemoryHost {
  return memoryHost({ disk: host.files.disk.survive(survival), pid: ++lastPid, seed: 7 });
}

describe('a state manager', () => {
  it('begins a state with a lineage, serial 1 and mode 0600', async () => {
    const host = await withThree();
    const { file } = await managerOf(host).read();
    expect(file?.serial).toBe(1);
    expect(file?.lineage).toMatch(/^[0-9a-f-]{36}$/);
    expect(file?.terraformVersion).toBe('1.11.4');
    expect(host.files.statSync(PATH)?.mode).toBe(0o600);
    expect(host.files.statSync(JOURNAL)).toBeUndefined();
  });

  it('writes an empty state when nothing was there and nothing was recorded', async () => {
    const host = memoryHost();
    const recorder = await begin(host);
    const { file } = await recorder.finish();
    expect(file.serial).toBe(1);
    expect(host.files.statSync(PATH)?.kind).toBe('file');
  });

  it('leaves serial and file alone when the content has not changed', async () => {
    const host = await withThree();
    const before = host.files.readFileSync(PATH);
    const recorder = await begin(host);
    await recorder.record(put(1));
    const { file } = await recorder.finish();
    expect(file.serial).toBe(1);
    expect(host.files.readFileSync(PATH)).toBe(before);
    expect(host.files.statSync(`${PATH}.backup`)).toBeUndefined();
  });

  it.each([
    ['stays where the first operation brings back what a plan found gone', [0], 1],
    ['grows where something is still gone after the first operation', [0, 1], 2],
  ])('%s', async (_, gone, serial) => {
    const recorder = await begin(await withThree());
    await recorder.record({
      kind: 'batch',
      events: gone.map((i) => ({ kind: 'drop', addr: address(i) })),
    });
    for (const i of gone) await recorder.record(put(i));
    expect((await recorder.finish()).file.serial).toBe(serial);
  });

  it('has a higher serial after a replacement by the same', async () => {
    const recorder = await begin(await withThree());
    await recorder.record({ kind: 'drop', addr: address(1) });
    await recorder.record(put(1));
    expect((await recorder.finish()).file.serial).toBe(2);
  });

  it('keeps what the first changing write replaces, once', async () => {
    const host = await withThree();
    const original = host.files.readFileSync(PATH);
    const manager = managerOf(host);
    const first = await begin(host, manager);
    await first.record(put(5));
    await first.finish();
    const second = await begin(host, manager);
    await second.record(put(6));
    expect((await second.finish()).file.serial).toBe(3);
    expect(host.files.readFileSync(`${PATH}.backup`)).toEqual(original);
  });

  it('stores outputs and tells sensitive ones by their marks', async () => {
    const host = memoryHost();
    const recorder = await begin(host);
    const values = new Map([
      ['open', number(1)],
      ['secret', str('x').mark('sensitive')],
    ]);
    await recorder.record({ kind: 'outputs', values });
    await recorder.finish();
    const { file } = await managerOf(host).read();
    expect(file?.state.outputs.get('open')?.sensitive).toBe(false);
    expect(file?.state.outputs.get('secret')?.sensitive).toBe(true);
    expect(file?.state.outputs.get('secret')?.value.asString()).toBe('x');
  });

  it('replays the journal of a dead run and says so', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(intent(3));
    await recorder.record(put(3));
    await recorder.record(intent(0, 'delete'));
    const next = nextProcess(host);
    const { file, diagnostics } = await managerOf(next).read();
    expect(ids(file)['null_resource.x[3]']).toBe('id-3');
    expect(file?.serial).toBe(2);
    expect(diagnostics.map((d) => [d.severity, d.summary])).toEqual([
      ['warning', 'State recovered from an interrupted run'],
      ['warning', 'Interrupted operation'],
    ]);
    expect(diagnostics[1]?.detail).toContain('"delete" on null_resource.x[0]');
    expect(diagnostics[1]?.address).toBe('null_resource.x[0]');
  });

  it('says nothing of a run that goes on, but shows what it has done', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    const { file, diagnostics } = await managerOf(host).read();
    expect(ids(file)['null_resource.x[3]']).toBe('id-3');
    expect(diagnostics).toEqual([]);
    await expect(managerOf(host).begin(file)).rejects.toThrow('is recording changes');
  });

  it('makes recovered changes part of the stored state when the next run begins', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    const next = nextProcess(host);
    await begin(next);
    expect(next.files.statSync(JOURNAL)).toBeUndefined();
    const { file, diagnostics } = await managerOf(next).read();
    expect(ids(file)['null_resource.x[3]']).toBe('id-3');
    expect(diagnostics).toEqual([]);
  });

  it('refuses a journal of another state, and keeps it', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    const next = nextProcess(host);
    const foreign = nextStateFile(undefined, EMPTY_STATE, () => 'another-lineage');
    await next.files.replaceFile(PATH, stateFileText(foreign));
    const { file, diagnostics } = await managerOf(next).read();
    expect(file).toBeUndefined();
    expect(diagnostics.map((d) => d.summary)).toEqual(['Unusable state journal']);
    expect(diagnostics[0]?.detail).toContain(JOURNAL);
    expect(next.files.statSync(JOURNAL)).toBeDefined();
  });

  it('accepts a journal when the same state was written anew by another version', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    const next = nextProcess(host);
    const text = new TextDecoder().decode(next.files.readFileSync(PATH));
    await next.files.replaceFile(PATH, text.replace('"1.11.4"', '"1.11.3"'));
    const { file } = await managerOf(next).read();
    expect(ids(file)['null_resource.x[3]']).toBe('id-3');
  });

  it('reports a damaged record that is not the last one', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    for (const i of [3, 4, 5]) await recorder.record(put(i));
    const next = nextProcess(host);
    const bytes = next.files.readFileSync(JOURNAL).slice();
    const at = new TextDecoder('latin1').decode(bytes).indexOf('id-4');
    bytes[at] = 0x20;
    await next.files.replaceFile(JOURNAL, bytes);
    const { diagnostics } = await managerOf(next).read();
    expect(diagnostics.map((d) => d.summary)).toEqual(['Unusable state journal']);
    expect(diagnostics[0]?.detail).toContain('is damaged');
  });

  it('writes a whole state with the serial it is given', async () => {
    const host = await withThree();
    const { file } = await managerOf(host).read();
    const pushed = { ...nextStateFile(file, EMPTY_STATE, () => ''), serial: 17 };
    expect(await managerOf(host).write(pushed)).toEqual([]);
    const read = await managerOf(host).read();
    expect(read.file?.serial).toBe(17);
    expect(read.file?.state.isEmpty).toBe(true);
  });

  it('keeps the journal and leaves errored.tfstate when the state cannot be stored', async () => {
    const host = await withThree();
    const storage = fileStorage(host);
    const full: Storage = {
      ...storage,
      write: () => Promise.reject(new Error('the bucket is gone')),
    };
    const manager = managerOf(host, full);
    const recorder = await begin(host, manager);
    await recorder.record(put(3));
    const { diagnostics } = await recorder.finish();
    expect(diagnostics.map((d) => d.summary)).toEqual([
      'Failed to save state',
      'Failed to persist state to backend',
    ]);
    expect(diagnostics[0]?.detail).toBe('Error saving state: the bucket is gone');
    const saved = readStateFile(host.files.readFileSync('/project/errored.tfstate')).file;
    expect(ids(saved)['null_resource.x[3]']).toBe('id-3');
    const next = nextProcess(host);
    expect(ids((await managerOf(next).read()).file)['null_resource.x[3]']).toBe('id-3');
    // Pushing the file, as the message says, goes together with the journal.
    const text = next.files.readFileSync('/project/errored.tfstate');
    await next.files.replaceFile(PATH, text);
    const pushed = await managerOf(next).read();
    expect(pushed.diagnostics).toEqual([]);
    expect(ids(pushed.file)['null_resource.x[3]']).toBe('id-3');
  });

  it('goes on with a snapshot when the journal cannot be written', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    host.files.fault = ({ kind, path }) =>
      kind === 'write' && path === JOURNAL ? 'ENOSPC' : undefined;
    await recorder.record(put(4));
    const stored = readStateFile(host.files.readFileSync(PATH)).file;
    expect(ids(stored)['null_resource.x[4]']).toBe('id-4');
    // An intent has no place in a snapshot.
    host.files.fault = undefined;
    await recorder.record(intent(5));
    const { diagnostics } = await managerOf(nextProcess(host)).read();
    expect(diagnostics.map((d) => d.summary)).toContain('Interrupted operation');
  });

  describe('where the journal cannot be written and the process ends before there is a new one', () => {
    const more: readonly StateEvent[] = [
      { kind: 'intent', step: 3, action: 'create', addr: address(3), planned: object('') },
      put(3),
      put(3, 'id-3b'),
      { kind: 'intent', step: 4, action: 'create', addr: address(4), planned: object('') },
      put(4),
      { kind: 'drop', addr: address(0) },
      put(5),
    ];

    /** Lets writing the journal fail from an event on, and the process end so many steps later. */
    async function run(failing: number, ends: number, mode: 'once' | 'appending' | 'writing') {
      const host = await withThree();
      const recorder = await begin(host);
      let durable = 0;
      let failures = 0;
      let steps = 0;
      try {
        for (const [index, event] of more.entries()) {
          if (index === failing) {
            host.files.fault = ({ kind, path }) => {
              if (failures > 0 && kind !== 'read' && steps++ === ends) return END_BEFORE;
              const isJournal =
                mode === 'writing' ? path.includes('tfstate.journal') : path === JOURNAL;
              if (kind !== 'write' || !isJournal || (mode === 'once' && failures > 0))
                return undefined;
              failures++;
              return 'ENOSPC';
            };
          }
          await recorder.record(event);
          durable = index + 1;
        }
      } catch {
        // It has ended, or nothing more can be recorded.
      }
      return { host, durable, steps };
    }

    it.each(['once', 'appending', 'writing'] as const)(
      'nothing is lost (%s)',
      async (mode) => {
        const { state } = readStateFile((await withThree()).files.readFileSync(PATH)).file!;
        for (let failing = 0; failing < more.length; failing++) {
          for (let ends = 0; ; ends++) {
            const { host, durable, steps } = await run(failing, ends, mode);
            if (!host.files.ended) {
              expect(steps).toBeLessThanOrEqual(ends);
              break;
            }
            for (const survival of ['everything', 'nothing'] as const) {
              const manager = managerOf(nextProcess(host, survival));
              const read = await manager.read();
              const label = `${failing}, ${ends}, ${survival}`;
              const errors = read.diagnostics.filter(({ severity }) => severity === 'error');
              // Where nothing at all can be written of a journal whose changes were overtaken, it has to be looked at;
              // the state that was stored has everything.
              const isOvertaken = mode === 'writing' && failing === 2 && errors.length > 0;
              const file = isOvertaken
                ? readStateFile(nextProcess(host, survival).files.readFileSync(PATH)).file
                : read.file;
              expect(
                errors.map(({ summary }) => summary),
                label,
              ).toEqual(isOvertaken ? ['Unusable state journal'] : []);
              const found = ids(file);
              const changes = more.slice(0, durable).filter(({ kind }) => kind !== 'intent');
              const wanted = ids({ ...file!, state: replay(state, changes) });
              for (const [key, id] of Object.entries(wanted)) {
                if (key === 'null_resource.x[0]') continue; // may be dropped already
                if (key === 'null_resource.x[3]')
                  expect(['id-3', 'id-3b'], label).toContain(found[key]);
                else expect(found[key], label).toBe(id);
              }
              for (const open of manager.interrupted)
                expect(
                  open.kind === 'intent' && found[open.addr.text],
                  `${label}: what is there is not open`,
                ).toBeUndefined();
              // What was begun and is not there is open.
              for (const index of [3, 4]) {
                const begun = more.findIndex((one) => one.kind === 'intent' && one.step === index);
                if (durable > begun && found[address(index).text] === undefined)
                  expect(manager.interrupted.map((one) => 'addr' in one && one.addr)).toContain(
                    address(index),
                  );
              }
            }
          }
        }
      },
      60_000,
    );
  });

  it('says what a journal is about that can not be used', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    const next = nextProcess(host);
    const other = await managerOf(memoryHost({ seed: 99 })).begin(undefined);
    await other.record(put(7));
    const { file } = await other.finish();
    await next.files.replaceFile(PATH, stateFileText(file));
    const { diagnostics } = await managerOf(next).read();
    expect(diagnostics[0]?.summary).toBe('Unusable state journal');
    expect(diagnostics[0]?.detail).toContain('It is about:\n\n    null_resource.x[3]\n');
    expect(next.files.statSync(JOURNAL)).toBeDefined();
  });

  it('takes a journal for settled whose changes are in the state, whoever stored that', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(3));
    const next = nextProcess(host);
    const { file: stored } = readStateFile(next.files.readFileSync(PATH));
    const changed = { ...stored!, serial: 9, state: replay(stored!.state, [put(3), put(8)]) };
    await next.files.replaceFile(PATH, stateFileText(changed));
    const { file, diagnostics } = await managerOf(next).read();
    expect(diagnostics).toEqual([]);
    expect(file?.serial).toBe(9);
  });

  it('rejects what can be recorded nowhere, and saves it in the end when it can', async () => {
    const host = await withThree();
    const recorder = await begin(host);
    host.files.fault = ({ kind }) => (kind === 'write' ? 'ENOSPC' : undefined);
    await expect(recorder.record(put(3))).rejects.toThrow('no space left on device');
    await expect(recorder.record(intent(4))).rejects.toThrow('no space left on device');
    host.files.fault = undefined;
    const { file, diagnostics } = await recorder.finish();
    expect(diagnostics).toEqual([]);
    expect(ids(file)['null_resource.x[3]']).toBe('id-3');
    expect(ids((await managerOf(host).read()).file)['null_resource.x[3]']).toBe('id-3');
  });
});

describe('locking', () => {
  function lockedBy(info: Record<string, string>, clock: ManualClock, freeAt: number): Storage {
    const storage = { read: () => Promise.resolve(undefined), write: () => Promise.resolve() };
    return {
      ...storage,
      lock: (request) =>
        Promise.resolve(
          clock.monotonicMs() >= freeAt
            ? { kind: 'locked', id: request.id }
            : {
                kind: 'held',
                error: 'resource temporarily unavailable',
                info: { ...request, ...info },
              },
        ),
      unlock: () => Promise.reject(new Error('gone')),
    };
  }
  const other = {
    id: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    operation: 'OperationTypeApply',
    who: 'a@b',
    version: '1.11.4',
    created: '2024-05-01T10:00:00.120Z',
    path: 'terraform.tfstate',
  };

  it('tells who holds the lock, in the words of Terraform', async () => {
    const host = memoryHost();
    const manager = managerOf(host, lockedBy(other, host.clock, Infinity));
    const { id, diagnostics } = await manager.lock({ operation: 'OperationTypePlan' }, 0);
    expect(id).toBeUndefined();
    expect(diagnostics[0]?.summary).toBe('Error acquiring the state lock');
    expect(diagnostics[0]?.detail).toBe(`Error message: resource temporarily unavailable
Lock Info:
  ID:        6ba7b810-9dad-11d1-80b4-00c04fd430c8
  Path:      terraform.tfstate
  Operation: OperationTypeApply
  Who:       a@b
  Version:   1.11.4
  Created:   2024-05-01 10:00:00.12 +0000 UTC
  Info:      


Terraform acquires a state lock to protect the state from being written
by multiple users at the same time. Please resolve the issue above and try
again. For most commands, you can disable locking with the "-lock=false"
flag, but this is not recommended.`);
  });

  it.each([
    [0, 7_000],
    [255, 7_000 - 3_500 + 14],
  ])('tries again until the lock is free: %d', async (chance, after) => {
    const memory = memoryHost();
    // The pauses are between half a second and a second, one and two, two and four.
    const random = { ...memory.random, bytes: (n: number) => new Uint8Array(n).fill(chance) };
    const host = { ...memory, random };
    const free = chance === 0 ? 5_000 : 3_000;
    const manager = managerOf(host, lockedBy(other, host.clock, free));
    const locking = manager.lock({ operation: 'x' }, 60_000);
    await host.clock.advance(after - 1);
    expect(host.clock.sleeping).toBe(1);
    await host.clock.advance(1);
    expect((await locking).id).toMatch(/^[0-9a-f-]{36}$/);
    const released = await manager.unlock();
    expect(released[0]?.summary).toBe('Error releasing the state lock');
    expect(released[0]?.detail).toContain('Error message: gone\n');
  });

  it('gives up when the time is over or the wait is aborted', async () => {
    const host = memoryHost();
    const late = managerOf(host, lockedBy(other, host.clock, Infinity)).lock(
      { operation: 'x' },
      2_500,
    );
    await host.clock.advance(2_500);
    expect((await late).id).toBeUndefined();
    const abort = new AbortController();
    const waiting = managerOf(host, lockedBy(other, host.clock, Infinity)).lock(
      { operation: 'x' },
      60_000,
      abort.signal,
    );
    await host.clock.advance(10);
    abort.abort();
    expect((await waiting).diagnostics[0]?.summary).toBe('Error acquiring the state lock');
  });
});

describe('after the process or the machine ends at any moment', () => {
  /** Three objects are there; one run adds, replaces and removes some. */
  const events: readonly StateEvent[] = [
    intent(3),
    put(3),
    intent(0, 'update'),
    put(0, 'id-0b'),
    { kind: 'depose', addr: address(1), as: 'aaaaaaaa' },
    put(1, 'id-1b'),
    { kind: 'drop', addr: address(1), deposed: 'aaaaaaaa' },
    intent(2, 'delete'),
    { kind: 'drop', addr: address(2) },
    { kind: 'batch', events: [put(4), put(5)] },
  ];

  async function run(host: MemoryHost, durable: number[]): Promise<void> {
    const manager = managerOf(host);
    const { file, diagnostics } = await manager.read();
    if (diagnostics.some(({ severity }) => severity === 'error')) throw new ProcessEnded();
    const recorder = await manager.begin(file);
    for (let i = 0; i < events.length; i++) {
      await recorder.record(events[i]!);
      durable.push(i);
    }
    const finished = await recorder.finish();
    if (finished.diagnostics.length > 0) throw new ProcessEnded();
    durable.push(events.length);
  }

  async function steps(make: () => Promise<MemoryHost>): Promise<number> {
    const host = await make();
    const before = host.files.steps.length;
    await run(host, []);
    return host.files.steps.length - before;
  }

  const survivals: readonly Survival[] = ['nothing', 'everything', 'names', 'torn'];
  const fresh = async (): Promise<MemoryHost> => await withThree();
  const recovering = async (): Promise<MemoryHost> => {
    const host = await withThree();
    const recorder = await begin(host);
    await recorder.record(put(9));
    return nextProcess(host);
  };

  it.each([
    ['a normal run', fresh],
    ['a run that follows a crash', recovering],
  ])(
    'no durable record of %s is lost and the state can be read',
    async (_name, make) => {
      const total = await steps(make);
      expect(total).toBeGreaterThan(20);
      for (let at = 0; at < total; at++) {
        for (const way of [END_BEFORE, END_WITHIN]) {
          const host = await make();
          const base = (await managerOf(host).read()).file!;
          const first = host.files.steps.length;
          host.files.fault = (_step, index) => (index === first + at ? way : undefined);
          const durable: number[] = [];
          let ended = false;
          try {
            await run(host, durable);
          } catch (error) {
            expect([error, (error as Error).cause].some((e) => e instanceof ProcessEnded)).toBe(
              true,
            );
            ended = true;
          }
          expect(ended || durable.length > 0).toBe(true);
          for (const survival of survivals) {
            const next = nextProcess(host, survival);
            const label = `${way} step ${at} (${host.files.steps[first + at]?.kind} ${host.files.steps[first + at]?.path}), ${survival} survives`;
            const { file, diagnostics } = await managerOf(next).read();
            expect(
              diagnostics.filter((d) => d.severity === 'error'),
              label,
            ).toEqual([]);
            // What is there is the state after some number of events, and all durable ones are among them.
            const possible: string[] = [];
            for (let n = Math.min(durable.length, events.length); n <= events.length; n++) {
              const state = replay(base.state, events.slice(0, n));
              possible.push(JSON.stringify(ids({ ...base, state })));
            }
            expect(possible, label).toContain(JSON.stringify(ids(file)));
            // And the next run can begin, work and end.
            const recorder = await begin(next);
            await recorder.record(put(7));
            const last = await recorder.finish();
            expect(last.diagnostics, label).toEqual([]);
            const again = await managerOf(nextProcess(next)).read();
            expect(again.diagnostics, label).toEqual([]);
            expect(ids(again.file)['null_resource.x[7]'], label).toBe('id-7');
          }
        }
      }
    },
    60_000,
  );

  it('the same holds while checkpoints are made', async () => {
    const large = 'x'.repeat(300);
    const many = Array.from({ length: 12 }, (_, i) => put(i, `${i}-${large}`));
    const attempt = async (at: number): Promise<number> => {
      const host = await withThree();
      const first = host.files.steps.length;
      if (at >= 0) {
        host.files.fault = (_step, index) => (index === first + at ? END_WITHIN : undefined);
      }
      let durable = 0;
      try {
        const manager = managerOf(host, fileStorage(host), 500);
        const recorder = await manager.begin((await manager.read()).file);
        for (const event of many) {
          await recorder.record(event);
          durable++;
          // Some events come while a checkpoint is made, some between them.
          if (durable % 3 === 0) await host.clock.advance(1_000);
        }
        await recorder.finish();
      } catch (error) {
        expect((error as Error).cause ?? error).toBeInstanceOf(ProcessEnded);
      }
      const { file, diagnostics } = await managerOf(nextProcess(host, 'nothing')).read();
      expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
      const found = ids(file);
      for (let i = 0; i < durable; i++) {
        expect(found[`null_resource.x[${i}]`]?.startsWith(`${i}-x`), `step ${at}: ${i}`).toBe(true);
      }
      return host.files.steps.length - first;
    };
    const total = await attempt(-1);
    expect(total).toBeGreaterThan(60);
    for (let at = 0; at < total; at++) await attempt(at);
  }, 60_000);
});

describe('checkpoints', () => {
  it('bring the stored state up to date and keep the journal short', async () => {
    const host = memoryHost({ disk: new MemoryDisk() });
    const recorder = await begin(host, managerOf(host, fileStorage(host), 10_000));
    const large = 'x'.repeat(2_000);
    let longest = 0;
    for (let i = 0; i < 40; i++) {
      await recorder.record(put(i % 4, `${i}-${large}`));
      for (let k = 0; k < 20; k++) await host.clock.advance(0);
      await host.clock.advance(1_000);
      longest = Math.max(longest, host.files.statSync(JOURNAL)?.size ?? 0);
    }
    expect(longest).toBeLessThan(20_000);
    expect(readStateFile(host.files.readFileSync(PATH)).file?.state.instanceCount).toBe(4);
    await recorder.finish();
    expect(ids((await managerOf(host).read()).file)['null_resource.x[3]']?.slice(0, 2)).toBe('39');
    // There was nothing before this run, and its own snapshots are not worth a backup.
    expect(host.files.statSync(`${PATH}.backup`)).toBeUndefined();
  });
});
