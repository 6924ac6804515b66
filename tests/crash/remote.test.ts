// A storage elsewhere that fails, is slow, or answers with a failure after it has done what it was asked.
import { createStateManager, type StateFile, type StateManager } from '@terrane/engine';
import type { Diagnostic } from '@terrane/hcl';
import type { Storage } from '@terrane/host';
import { END_WITHIN, memoryHost, type MemoryHost, ProcessEnded } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { errorsOf, TestProject } from '../engine/harness.ts';

/** The outcome of a request: success, failure without effect, or failure with effect. */
type Mood = 'well' | 'fails' | 'fails when it is done';

/** A bucket somewhere. */
class Bucket {
  content: Uint8Array | undefined;
  writes = 0;
  mood: (write: number) => Mood = () => 'well';
  /** whether the process that writes still lives */
  isAlive: () => boolean = () => true;
  /** called while a write is on its way */
  slowly: () => Promise<void> = () => Promise.resolve();

  storage(): Storage {
    return {
      read: () => Promise.resolve(this.content),
      write: async (data, beforeCommit) => {
        const bytes = Buffer.concat([...data]);
        await beforeCommit?.();
        if (!this.isAlive()) throw new ProcessEnded();
        const mood = this.mood(this.writes++);
        await this.slowly();
        if (mood === 'fails') throw new Error('503 Slow Down');
        this.content = bytes;
        if (mood !== 'well') throw new Error('connection reset');
      },
    };
  }
}

const thing = (name: string, body: string): string =>
  `resource "test_thing" "${name}" {\n  name = "${name}"\n  ${body}\n}\n`;
const FIRST = 'lifecycle {\n    create_before_destroy = true\n  }';
const BEFORE = `${thing('updated', 'size = 1')}${thing('replaced', 'kind = "1"')}${thing('first', `kind = "1"\n  ${FIRST}`)}${thing('removed', '')}`;
const AFTER = `${thing('updated', 'size = 2')}${thing('replaced', 'kind = "2"')}${thing('first', `kind = "2"\n  ${FIRST}`)}${thing('many', 'count = 6')}`;

let lastPid = 2000;

/** One machine after the other, with the same bucket and world; a machine keeps its files. */
class Setting {
  readonly project: TestProject = new TestProject();
  readonly bucket: Bucket = new Bucket();
  host: MemoryHost = memoryHost({ pid: ++lastPid });

  constructor() {
    this.project.world.delay = () => Promise.resolve();
  }

  nextProcess(): void {
    this.host = memoryHost({ disk: this.host.files.disk.survive('everything'), pid: ++lastPid });
  }

  manager(smallJournal?: number): StateManager {
    return createStateManager({
      storage: this.bucket.storage(),
      host: this.host,
      journalPath: '/project/.terraform/journals/x.journal',
      erroredPath: '/project/errored.tfstate',
      smallJournal,
    });
  }

  /** Plans with what the manager reads, applies, and gives what was said. */
  async apply(text: string, smallJournal?: number): Promise<readonly Diagnostic[]> {
    const manager = this.manager(smallJournal);
    const read = await manager.withoutLock().read();
    if (read.state === undefined) return read.diagnostics;
    this.project.write(text);
    const empty = new TestProject().state;
    this.project.state = read.state.file?.state ?? empty;
    const { plan, diagnostics } = await this.project.plan();
    if (plan === undefined) return diagnostics;
    const recorder = await read.state.begin();
    const followed = await this.project.applyWith(plan, recorder);
    const finished = await recorder.finish();
    return [...read.diagnostics, ...diagnostics, ...followed, ...finished.diagnostics];
  }

  /** Returns the objects that are only in the world or only in the state. */
  async problems(): Promise<readonly string[]> {
    const { file, diagnostics } = await this.manager().read();
    const known = idsOf(file);
    const real = new Set(this.project.world.objects.keys());
    return [
      ...errorsOf(diagnostics),
      ...[...real].filter((id) => !known.has(id)).map((id) => `${id} is forgotten`),
      ...[...known].filter((id) => !real.has(id)).map((id) => `${id} does not exist`),
    ];
  }
}

function idsOf(file: StateFile | undefined): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const addr of file?.state.instances() ?? []) {
    const { current, deposed } = file?.state.instance(addr) ?? {};
    for (const object of [current, ...(deposed?.values() ?? [])]) {
      if (object === undefined) continue;
      const { id } = JSON.parse(object.attributesJson ?? '{}') as { readonly id: string };
      ids.add(id);
    }
  }
  return ids;
}

async function setting(): Promise<Setting> {
  const made = new Setting();
  await made.host.files.makeDirectory('/project/.terraform/journals');
  expect(errorsOf(await made.apply(BEFORE))).toEqual([]);
  made.nextProcess();
  made.bucket.writes = 0;
  return made;
}

describe('a storage elsewhere', () => {
  it.each(['fails', 'fails when it is done'] as const)(
    'that %s, at once and from then on or once, loses nothing',
    async (mood) => {
      for (const once of [true, false]) {
        // Checkpoints are made on the way, so there are several writes.
        for (let at = 0; at < 4; at++) {
          const here = await setting();
          here.bucket.mood = (write) => (write === at || (!once && write > at) ? mood : 'well');
          const diagnostics = await here.apply(AFTER, 300);
          const label = `${mood} at ${at}, ${once ? 'once' : 'from then on'}`;
          expect(await here.problems(), label).toEqual([]);
          here.nextProcess();
          expect(await here.problems(), label).toEqual([]);
          const isSaved = errorsOf(diagnostics).length === 0;
          // Content that could not be stored is in a file beside the configuration, and in the journal.
          if (!isSaved) {
            expect(errorsOf(diagnostics).join(), label).toContain(
              'Failed to persist state to backend',
            );
            expect(here.host.files.statSync('/project/errored.tfstate'), label).toBeDefined();
          }
          here.bucket.mood = () => 'well';
          expect(errorsOf(await here.apply(AFTER)), label).toEqual([]);
          expect(await here.problems(), label).toEqual([]);
          expect((await here.project.plan()).plan?.applyable, label).toBe(false);
          expect(here.host.files.statSync('/project/.terraform/journals/x.journal')).toBe(
            undefined,
          );
        }
      }
    },
  );

  it.each([
    ['before', false],
    ['after', true],
  ])('that is slow, while the process ends %s it is done, loses nothing', async (_, isDone) => {
    for (let at = 0; at < 4; at++) {
      const here = await setting();
      let writes = 0;
      here.bucket.mood = (write) => (write === at && !isDone ? 'fails' : 'well');
      here.bucket.slowly = async () => {
        // Others go on in the meantime.
        for (let turn = 0; turn < 50; turn++) await Promise.resolve();
        if (writes++ === at) here.host.files.end();
      };
      here.bucket.isAlive = () => !here.host.files.ended;
      await here.apply(AFTER, 300).catch((error: unknown) => {
        const why = error instanceof Error ? (error.cause ?? error) : error;
        expect(why).toBeInstanceOf(ProcessEnded);
      });
      here.nextProcess();
      here.bucket.isAlive = () => true;
      here.bucket.mood = () => 'well';
      here.bucket.slowly = () => Promise.resolve();
      const { diagnostics } = await here.manager().read();
      const open = diagnostics.filter(({ summary }) => summary === 'Interrupted operation').length;
      const lost = await here.problems();
      // Calls that were under way when the process ended are reported, each of them.
      expect(lost.length, `${at}: ${lost.join()}`).toBeLessThanOrEqual(open);
      expect(errorsOf(await here.apply(AFTER))).toEqual([]);
      expect((await here.project.plan()).plan?.applyable).toBe(false);
    }
  });

  it('finds the local journal until everything is stored, after an end at any write', async () => {
    const complete = await setting();
    const first = complete.host.files.steps.length;
    await complete.apply(AFTER);
    const total = complete.host.files.steps.length - first;
    expect(total).toBeGreaterThan(8);
    for (let at = 0; at < total; at += 2) {
      const here = await setting();
      const start = here.host.files.steps.length;
      here.host.files.fault = (_step, index) => (index === start + at ? END_WITHIN : undefined);
      here.bucket.isAlive = () => !here.host.files.ended;
      await here.apply(AFTER).catch(() => undefined);
      here.nextProcess();
      here.bucket.isAlive = () => true;
      const { diagnostics } = await here.manager().read();
      const open = diagnostics.filter(({ summary }) => summary === 'Interrupted operation').length;
      const lost = await here.problems();
      expect(lost.length, `${at}: ${lost.join()}`).toBeLessThanOrEqual(open);
    }
  });
});
