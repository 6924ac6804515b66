import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { installCompletion, removeCompletion } from './install-completion.ts';

const PLACES = { home: '/home/me', config: undefined };

async function homeWith(present: Readonly<Record<string, string>>) {
  const { files } = memoryHost({ cwd: '/home/me' });
  await files.makeDirectory('/home/me/.config/fish');
  for (const [name, text] of Object.entries(present)) await files.writeFile(name, text);
  return files;
}

it('adds to what is there, once, and takes back only what it added', async () => {
  const before = { '.bashrc': 'alias x=y', '.zshrc': '# mine\n', '.profile': 'umask 22\n' };
  const files = await homeWith(before);
  const first = await installCompletion(files, PLACES);
  expect(first).toEqual({
    changed: [
      '/home/me/.bashrc',
      '/home/me/.zshrc',
      '/home/me/.config/fish/completions/terrane.fish',
    ],
  });
  expect(await files.readText('.bashrc')).toBe(
    'alias x=y\ncomplete -o nospace -C terrane terrane\n',
  );
  expect(await files.readText('.profile')).toBe(before['.profile']);
  expect(await installCompletion(files, PLACES)).toEqual({
    changed: [],
    problem: 'It is installed already.',
  });
  expect((await removeCompletion(files, PLACES)).changed).toHaveLength(3);
  expect(await files.readText('.bashrc')).toBe('alias x=y\n');
  expect(await files.readText('.zshrc')).toBe(
    '# mine\nautoload -U +X bashcompinit && bashcompinit\n',
  );
  expect(await removeCompletion(files, PLACES)).toEqual({
    changed: [],
    problem: 'It is not installed.',
  });
});

it('says so where no shell is set up', async () => {
  const { files } = memoryHost({ cwd: '/home/me' });
  const { changed, problem } = await installCompletion(files, PLACES);
  expect(changed).toEqual([]);
  expect(problem).toMatch(/Did not find any shells/);
});
