// The page on policies: its files, its commands, and their output.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Workbench } from 'terrane/testing';
import { expect, test } from 'vitest';
import { root } from '../scripts/root.ts';

test('each command of the page on policies prints what the page shows', async () => {
  const page = readFileSync(join(root, 'docs/policies.md'), 'utf8');
  const work = new Workbench();
  let commands = 0;
  for (const [, kind, title, text = ''] of page.matchAll(
    /^```(hcl|console)(?: title="([\w./]+)")?\n([\s\S]*?)^```$/gm,
  )) {
    if (kind === 'hcl') {
      if (title !== undefined) await work.write(title, text);
      continue;
    }
    const [first = '', ...expected] = text.trimEnd().split('\n');
    expect(first).toMatch(/^\$ terrane /);
    const words = [...first.slice('$ terrane '.length).matchAll(/(?:'[^']*'|\S)+/g)];
    const { stdout, stderr, code } = await work.run(
      words.map(([word]) => word.replaceAll("'", '')),
    );
    // The page shows some of the lines, in their order.
    let rest = `${stdout}${stderr}`;
    for (const line of expected) {
      expect(rest, first).toContain(line);
      rest = rest.slice(rest.indexOf(line) + line.length);
    }
    const isFailure = expected.some((line) => line.startsWith('Error: '));
    expect({ first, code }).toEqual({ first, code: isFailure ? 1 : 0 });
    commands += 1;
  }
  expect(commands).toBe(5);
});
