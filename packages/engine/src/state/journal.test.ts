import { AbsResource, ResourceAddr, ROOT_INSTANCE } from '@terrane/addresses';
import { describe, expect, it, vi } from 'vitest';
import { MemoryFiles } from '@terrane/testkit';
import type { StateEvent } from './event.ts';
import { StateJournal } from './journal.ts';
import { decodeJournal, type JournalHeader } from './journal-record.ts';

const HEADER: JournalHeader = {
  base: { lineage: 'l', serial: 4, digest: 'd' },
  created: '2024-01-02T03:04:05Z',
  host: 'h',
  pid: 1,
  process: 'p',
};
const PATH = '/project/.terraform.tfstate.journal';
const RESOURCE = AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('managed', 't', 'n'));

function drop(i: number): StateEvent {
  return { kind: 'drop', addr: RESOURCE.instance(i) };
}

function content(bytes: Uint8Array) {
  const journal = decodeJournal(bytes);
  if (journal === undefined || 'error' in journal) throw new Error('no journal');
  return journal;
}

function syncs(files: MemoryFiles): number {
  return files.steps.filter(({ kind, path }) => kind === 'sync' && path === PATH).length;
}

describe('a journal', () => {
  it('is made with its first event, for its owner only, and can be read back', async () => {
    const files = new MemoryFiles();
    const journal = new StateJournal(files, PATH, HEADER);
    expect(files.statSync(PATH)).toBeUndefined();
    await journal.append(drop(1));
    expect(files.statSync(PATH)?.mode).toBe(0o600);
    await journal.append(drop(2));
    const read = content(files.readFileSync(PATH));
    expect(read.header).toEqual(HEADER);
    expect(read.events.map(({ event }) => event)).toEqual([drop(1), drop(2)]);
    expect(read.events[1]?.end).toBe(journal.bytes);
    expect(read.torn).toBe(false);
  });

  it('serves all that wait with one sync', async () => {
    const files = new MemoryFiles();
    const journal = new StateJournal(files, PATH, HEADER);
    await journal.append(drop(0));
    const before = syncs(files);
    await Promise.all(Array.from({ length: 100 }, (_, i) => journal.append(drop(i))));
    expect(syncs(files) - before).toBeLessThanOrEqual(2);
    expect(content(files.readFileSync(PATH)).events.length).toBe(101);
  });

  it('copies few times the records of a batch that grows', async () => {
    const files = new MemoryFiles();
    const journal = new StateJournal(files, PATH, HEADER);
    await journal.append(drop(0));
    const allocate = vi.spyOn(Buffer, 'allocUnsafeSlow');
    const appended = Array.from({ length: 2000 }, (_, i) => journal.append(drop(i)));
    expect(allocate.mock.calls.length).toBeLessThan(20);
    allocate.mockRestore();
    await Promise.all(appended);
    const { events } = content(files.readFileSync(PATH));
    expect(events.slice(1).map(({ event }) => event)).toEqual(
      Array.from({ length: 2000 }, (_, i) => drop(i)),
    );
  });

  it('does not sync for events that need none, but keeps their place', async () => {
    const files = new MemoryFiles();
    const journal = new StateJournal(files, PATH, HEADER);
    await journal.append(drop(0));
    const before = syncs(files);
    await journal.write(drop(1));
    expect(syncs(files)).toBe(before);
    // It is in the file, so that the end of the process does it no harm.
    expect(content(files.disk.survive('everything').names.get(PATH)!.content).events.length).toBe(
      2,
    );
    await journal.append(drop(2));
    expect(syncs(files)).toBe(before + 1);
    const durable = files.disk.survive('nothing').names.get(PATH)!.content;
    expect(content(durable).events.map(({ event }) => event)).toEqual([drop(0), drop(1), drop(2)]);
  });

  it('accepts no events after a failure, since they could not be read', async () => {
    const files = new MemoryFiles();
    const journal = new StateJournal(files, PATH, HEADER);
    await journal.append(drop(0));
    files.fault = ({ kind }) => (kind === 'sync' ? 'EIO' : undefined);
    await expect(journal.append(drop(1))).rejects.toThrow('input/output error');
    files.fault = undefined;
    await expect(journal.append(drop(2))).rejects.toThrow('input/output error');
  });

  it('restarts with the events since the cut', async () => {
    const files = new MemoryFiles();
    const journal = new StateJournal(files, PATH, HEADER);
    await journal.append(drop(0));
    const upTo = journal.cut();
    const name = { lineage: 'l', serial: 5, digest: 'e' };
    await Promise.all([journal.append(drop(1)), journal.mark(name, upTo)]);
    const before = content(files.readFileSync(PATH));
    expect(before.marks).toEqual([{ snapshot: name, upTo }]);
    expect(before.events.filter(({ end }) => end > upTo).length).toBe(1);
    await Promise.all([
      journal.append(drop(2)),
      journal.restart({ ...HEADER, base: name }, []),
      journal.append(drop(3)),
    ]);
    await journal.append(drop(4));
    const after = content(files.readFileSync(PATH));
    expect(after.header.base).toEqual(name);
    expect(after.events.map(({ event }) => event)).toEqual([drop(1), drop(2), drop(3), drop(4)]);
    expect(journal.bytes).toBe(files.statSync(PATH)?.size);
  });

  it('does not restart after a failure, and rejects for its callers', async () => {
    const files = new MemoryFiles();
    const journal = new StateJournal(files, PATH, HEADER);
    await journal.append(drop(0));
    files.fault = ({ kind }) => (kind === 'sync' ? 'EIO' : undefined);
    const failing = journal.append(drop(1));
    const early = journal.restart(HEADER, []);
    await expect(failing).rejects.toThrow('input/output error');
    await expect(early).rejects.toThrow('input/output error');
    await expect(journal.restart(HEADER, [])).rejects.toThrow('input/output error');
  });

  it('drops a torn tail of every length, and never a complete record', async () => {
    const files = new MemoryFiles();
    const journal = new StateJournal(files, PATH, HEADER);
    for (const i of [0, 1, 2]) await journal.append(drop(i));
    const bytes = files.readFileSync(PATH);
    const ends = content(bytes).events.map(({ end }) => end);
    for (let length = 0; length <= bytes.length; length++) {
      const cut = decodeJournal(bytes.subarray(0, length));
      const complete = ends.filter((end) => end <= length).length;
      if (cut === undefined) expect(complete).toBe(0);
      else if ('error' in cut) expect(cut.error).toBe('');
      else expect(cut.events.length).toBe(complete);
    }
  });

  it('distinguishes a flipped bit in the middle from one at the end', async () => {
    const files = new MemoryFiles();
    const journal = new StateJournal(files, PATH, HEADER);
    for (const i of [0, 1, 2]) await journal.append(drop(i));
    const bytes = files.readFileSync(PATH);
    const ends = content(bytes).events.map(({ end }) => end);
    const flipped = (at: number): ReturnType<typeof decodeJournal> => {
      const copy = bytes.slice();
      copy[at] = (copy[at] ?? 0) ^ 0x10;
      return decodeJournal(copy);
    };
    expect(flipped(ends[1]! - 1)).toEqual({ error: `its record at byte ${ends[0]} is damaged` });
    const last = flipped(ends[2]! - 1);
    expect(last !== undefined && 'torn' in last ? [last.torn, last.events.length] : last).toEqual([
      true,
      2,
    ]);
  });

  it('is refused when it is of a newer version, and is nothing when it is empty space', () => {
    expect(decodeJournal(new TextEncoder().encode('terrane state journal 2\nxxxx'))).toEqual({
      error: 'it is no journal, or one of a newer version',
    });
    expect(decodeJournal(new Uint8Array(100))).toBeUndefined();
  });
});
