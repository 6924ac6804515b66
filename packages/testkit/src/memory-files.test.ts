import { describe, expect, it } from 'vitest';
import { END_BEFORE, END_WITHIN, MemoryFiles, ProcessEnded } from './memory-files.ts';
import { memoryHost } from './memory-host.ts';
import type { Survival } from './memory-disk.ts';

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function surviving(files: MemoryFiles, survival: Survival): Record<string, string> {
  const disk = files.disk.survive(survival);
  return Object.fromEntries([...disk.names].map(([path, { content }]) => [path, decode(content)]));
}

describe('files in memory', () => {
  it('lose unsynced data when the machine crashes, not when the process ends', async () => {
    const files = new MemoryFiles();
    const file = await files.openAppend('a');
    await file.write(encode('12'));
    await file.sync();
    await file.write(encode('3456'));
    expect(surviving(files, 'everything')).toEqual({ '/project/a': '123456' });
    expect(surviving(files, 'nothing')).toEqual({ '/project/a': '12' });
    expect(surviving(files, 'torn')).toEqual({ '/project/a': '1234' });
  });

  it('lose names that the directory does not have yet', async () => {
    const files = new MemoryFiles();
    await files.writeFile('a', 'x');
    expect(surviving(files, 'everything')).toEqual({ '/project/a': 'x' });
    expect(surviving(files, 'names')).toEqual({ '/project/a': '' });
    expect(surviving(files, 'nothing')).toEqual({});
  });

  it('are replaced atomically, wherever the process ends', async () => {
    const make = async (): Promise<MemoryFiles> => {
      const files = new MemoryFiles();
      await files.replaceFile('a', 'old');
      return files;
    };
    const measured = await make();
    const first = measured.steps.length;
    await measured.replaceFile('a', [encode('n'), encode('ew')]);
    const kinds = measured.steps.slice(first).map(({ kind }) => kind);
    expect(kinds).toEqual(['create', 'write', 'write', 'sync', 'rename', 'syncDirectory']);
    for (let at = 0; at < kinds.length; at++) {
      for (const way of [END_BEFORE, END_WITHIN]) {
        const files = await make();
        files.fault = (_step, index) => (index === first + at ? way : undefined);
        await expect(files.replaceFile('a', [encode('n'), encode('ew')])).rejects.toThrow(
          ProcessEnded,
        );
        await expect(files.readFile('a')).rejects.toThrow(ProcessEnded);
        for (const survival of ['nothing', 'everything', 'names', 'torn'] as const) {
          expect(['old', 'new']).toContain(surviving(files, survival)['/project/a']);
        }
      }
    }
  });

  it('fail as injected, and continue', async () => {
    const files = new MemoryFiles();
    await files.replaceFile('a', 'old');
    files.fault = ({ kind }) => (kind === 'write' ? 'ENOSPC' : undefined);
    await expect(files.replaceFile('a', 'new')).rejects.toMatchObject({ code: 'ENOSPC' });
    files.fault = undefined;
    expect(await files.readText('a')).toBe('old');
    expect(files.readDirectorySync('.').map(({ name }) => name)).toEqual(['a']);
  });
});

describe('a memory host', () => {
  it('repeats its random numbers, and has a clock that only tests wind', async () => {
    expect(memoryHost({ seed: 3 }).random.uuid()).toBe(memoryHost({ seed: 3 }).random.uuid());
    const { clock } = memoryHost();
    const woken: string[] = [];
    const sleeping = [
      clock.sleep(20).then(() => woken.push(`b${clock.monotonicMs()}`)),
      clock.sleep(10).then(() => woken.push(`a${clock.monotonicMs()}`)),
    ];
    await clock.advance(15);
    expect(woken).toEqual(['a10']);
    await clock.advance(5);
    await Promise.all(sleeping);
    expect(woken).toEqual(['a10', 'b20']);
    expect(clock.now().toISOString()).toBe('2024-01-02T03:04:05.020Z');
  });
});
