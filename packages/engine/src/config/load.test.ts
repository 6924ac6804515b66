import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { loadConfiguration } from './load.ts';

it.each([
  [
    './absent/inner',
    [
      'main.tf:2:1: Unable to evaluate directory symlink: lstat absent: no such file or directory',
      'main.tf:2:1: The directory absent/inner could not be read for module "m" at main.tf:2.',
    ],
  ],
  [
    './plain.txt',
    ['main.tf:2:1: The directory plain.txt could not be read for module "m" at main.tf:2.'],
  ],
])(
  'points to the call of a module whose directory cannot be read: %s',
  async (source, expected) => {
    const { files } = memoryHost();
    await files.writeFile('main.tf', `\nmodule "m" {\n  source = "${source}"\n}\n`);
    await files.writeFile('plain.txt', '');
    const { diagnostics } = loadConfiguration(files, '.');
    const shown = diagnostics.map(({ subject, detail }) => {
      const { filename, from } = subject ?? {};
      return `${filename}:${from?.line}:${from?.column}: ${detail}`;
    });
    expect(shown).toEqual(expected);
  },
);

it('points to the second definition of a local value, not to an override file', async () => {
  const { files } = memoryHost();
  await files.writeFile('a.tf', 'locals {\n  x = 1\n}\n');
  await files.writeFile('b.tf', '\nlocals {\n  x = 2\n}\n');
  await files.writeFile('override.tf', 'locals {\n  x = 3\n}\n');
  const { diagnostics } = loadConfiguration(files, '.');
  expect(diagnostics.map(({ subject }) => `${subject?.filename}:${subject?.from.line}`)).toEqual([
    'b.tf:3',
  ]);
  expect(diagnostics[0]?.detail).toContain('already defined at a.tf:2');
});

it('loads imports in linear time: quadratic cost does not end within the limit of a test', async () => {
  const count = 50_000;
  const { files } = memoryHost();
  const blocks = Array.from(
    { length: count },
    (_, i) => `import {\n  to = test_thing.a${i}\n  id = "${i}"\n}\n`,
  );
  await files.writeFile('main.tf', blocks.join(''));
  const { configuration, diagnostics } = loadConfiguration(files, '.');
  expect(diagnostics).toEqual([]);
  expect(configuration?.modules.get('')?.imports.length).toBe(count);
});
