import { describe, expect, it } from 'vitest';
import {
  END_BEFORE,
  END_WITHIN,
  ProcessEnded,
  type MemoryHost,
  type Survival,
} from '@terrane/testkit';
import type { StateEvent } from './event.ts';
import { readStateFile } from './statefile-read.ts';
import { replay } from './draft.ts';
import {
  PATH,
  JOURNAL,
  address,
  object,
  put,
  intent,
  fileStorage,
  managerOf,
  ids,
  begin,
  withThree,
  nextProcess,
} from './testing/managed-state.ts';

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

  /** Fails writes of the journal from an event on, and ends the process a number of steps later. */
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

  it.each(['once', 'appending', 'writing'] as const)('nothing is lost (%s)', async (mode) => {
    const { state } = readStateFile((await withThree()).files.readFileSync(PATH)).file!;
    for (let failing = 0; failing < more.length; failing++) {
      for (let ends = 0; ; ends++) {
        const { host, durable, steps } = await run(failing, ends, mode);
        if (!host.files.ended) {
          expect(steps).toBeLessThanOrEqual(ends);
          break;
        }
        for (const survival of ['everything', 'nothing'] as const) {
          const read = await managerOf(nextProcess(host, survival)).read();
          const label = `${failing}, ${ends}, ${survival}`;
          const errors = read.diagnostics.filter(({ severity }) => severity === 'error');
          // If nothing can be written of a journal whose changes are superseded, the user has to inspect it;
          // the state that was stored has everything.
          const isOvertaken = mode === 'writing' && failing === 2 && errors.length > 0;
          const file = isOvertaken
            ? readStateFile(nextProcess(host, survival).files.readFileSync(PATH)).file
            : read.file;
          expect(
            errors.map(({ summary }) => summary),
            label,
          ).toEqual(isOvertaken ? ['Unusable state journal'] : []);
          const storedIds = ids(file);
          const changes = more.slice(0, durable).filter(({ kind }) => kind !== 'intent');
          const wanted = ids({ ...file!, state: replay(state, changes) });
          for (const [key, id] of Object.entries(wanted)) {
            if (key === 'null_resource.x[0]') continue; // may be dropped already
            if (key === 'null_resource.x[3]')
              expect(['id-3', 'id-3b'], label).toContain(storedIds[key]);
            else expect(storedIds[key], label).toBe(id);
          }
          for (const open of read.interrupted)
            expect(
              open.kind === 'intent' && storedIds[open.addr.text],
              `${label}: what is there is not open`,
            ).toBeUndefined();
          // Operations that were begun and have no result are open.
          for (const index of [3, 4]) {
            const begun = more.findIndex(
              (event) => event.kind === 'intent' && event.step === index,
            );
            if (durable > begun && storedIds[address(index).text] === undefined)
              expect(
                read.interrupted.map((interrupted) => 'addr' in interrupted && interrupted.addr),
              ).toContain(address(index));
          }
        }
      }
    }
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
    const { state } = await managerOf(host).withoutLock().read();
    if (state === undefined) throw new ProcessEnded();
    const recorder = await state.begin();
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
  ])('no durable record of %s is lost and the state can be read', async (_name, make) => {
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
          expect([error, (error as Error).cause].some((e) => e instanceof ProcessEnded)).toBe(true);
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
          // The stored state is the one after some number of events, at least all durable ones.
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
  });

  it('the same holds while checkpoints are written', async () => {
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
        const recorder = await begin(host, managerOf(host, fileStorage(host), 500));
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
      const storedIds = ids(file);
      for (let i = 0; i < durable; i++) {
        expect(storedIds[`null_resource.x[${i}]`]?.startsWith(`${i}-x`), `step ${at}: ${i}`).toBe(
          true,
        );
      }
      return host.files.steps.length - first;
    };
    const total = await attempt(-1);
    expect(total).toBeGreaterThan(60);
    for (let at = 0; at < total; at++) await attempt(at);
  });
});
