import { memoryHost } from '@terrane/testkit';
import { expect, test } from 'vitest';
import { readTargetFile } from './target-files.ts';

async function read(text: string): ReturnType<typeof readTargetFile> {
  const { files } = memoryHost();
  await files.writeFile('list', text);
  return await readTargetFile(files, 'list');
}

test('a file has an address in each line, and comments', async () => {
  const { targets, texts, diagnostics } = await read(
    '# a\r\nmodule.a\r\n  x.y[0] # why\n\t#\nx.z["k"]',
  );
  expect(diagnostics).toEqual([]);
  expect(targets.map((target) => target.kind)).toEqual(['module', 'instance', 'instance']);
  expect(texts).toEqual(['module.a', 'x.y[0] # why', 'x.z["k"]']);
});

test('an error contains its line', async () => {
  const { targets, diagnostics } = await read('x.a\n\nx\nx.b[1.5]\n');
  expect(targets).toHaveLength(1);
  expect(
    diagnostics.map(
      ({ summary, subject }) => `${summary} ${subject?.filename}:${subject?.from.line}`,
    ),
  ).toEqual(['Variable name required list:2', 'Invalid address list:3', 'Invalid address list:4']);
});

test('a file that cannot be read is an error', async () => {
  const { diagnostics } = await readTargetFile(memoryHost().files, 'absent');
  expect(diagnostics.map(({ summary }) => summary)).toEqual([
    'open absent: no such file or directory',
  ]);
});
