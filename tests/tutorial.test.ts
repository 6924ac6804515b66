// The tutorial: its files, its commands, and their output.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../scripts/root.ts';

test('each command of the tutorial prints its documented output', () => {
  const work = mkdtempSync(join(tmpdir(), 'terrane-tutorial-'));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');
  const env = { PATH: `${join(root, 'bin')}:${process.env['PATH']}`, HOME: work };
  let commands = 0;
  for (const [, kind, title = '', text = ''] of page.matchAll(
    /^```(hcl|console)(?: title="([\w.]+)")?\n([\s\S]*?)^```$/gm,
  )) {
    if (kind === 'hcl') {
      writeFileSync(join(work, title), text);
      continue;
    }
    const [first = '', ...expected] = text.trimEnd().split('\n');
    expect(first).toMatch(/^\$ /);
    const ran = spawnSync('sh', ['-c', first.slice(2)], { cwd: work, env, encoding: 'utf8' });
    expect({ first, code: ran.status, stderr: ran.stderr }).toEqual({ first, code: 0, stderr: '' });
    // The page shows some of the lines, in their order.
    let rest = ran.stdout;
    for (const line of expected) {
      expect(rest, first).toContain(line);
      rest = rest.slice(rest.indexOf(line) + line.length);
    }
    commands += 1;
  }
  expect(commands).toBe(10);
});
