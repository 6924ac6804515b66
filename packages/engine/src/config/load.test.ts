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
