import { describe, expect, it } from 'vitest';
import { liveLines } from './live-lines.ts';
import { TaskProgress } from './task-progress.ts';

describe('the progress of tasks', () => {
  it('contains running tasks with their duration, and the completed ones', () => {
    let now = 0;
    const progress = new TaskProgress(() => now);
    const lines = (): readonly string[] =>
      liveLines(progress, { columns: 80, rows: 24, color: false, nowMs: now });
    expect(lines()).toStrictEqual([]);
    progress.begin('a', 'hashicorp/a', 'looking for a version');
    progress.begin('b', 'module.b', 'downloading');
    now = 2000;
    progress.begin('a', 'hashicorp/a v1.0.0', 'installing');
    progress.detail('a', '0.5 of 2.0 MB');
    progress.detail('unknown', 'nothing');
    progress.end('b');
    progress.end('b');
    progress.end('unknown');
    now = 5000;
    expect(lines()).toStrictEqual([
      '  ⠋ hashicorp/a v1.0.0: installing (0.5 of 2.0 MB), 3s',
      '  1 done, 1 in progress, 5s elapsed',
    ]);
    progress.total = 3;
    progress.isStopping = true;
    progress.end('a', false);
    progress.begin('c', 'c', 'running');
    expect(lines().at(-1)).toBe('  1 of 3 done, 1 in progress, 5s elapsed, stopping');
    progress.clear();
    expect(lines()).toStrictEqual([]);
  });
});
