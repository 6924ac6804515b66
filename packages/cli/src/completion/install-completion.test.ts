import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { installCompletion, removeCompletion } from './install-completion.ts';

const PLACES = { home: '/home/me', config: undefined, shell: undefined };

async function homeWith(present: Readonly<Record<string, string>>) {
  const { files } = memoryHost({ cwd: '/home/me' });
  await files.makeDirectory('/home/me/.config/fish');
  for (const [name, text] of Object.entries(present)) await files.writeFile(name, text);
  return files;
}

it('extends the file once, and removes only its own lines', async () => {
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

it.each([
  ['/bin/bash', '/home/me/.bashrc', 'complete -o nospace -C terrane terrane\n'],
  ['/usr/bin/zsh', '/home/me/.zshrc', 'autoload -U +X bashcompinit && bashcompinit\n'],
  ['/usr/bin/fish', '/home/me/.config/fish/completions/terrane.fish', 'function __complete'],
])('creates the start file of the login shell %s if there is none', async (shell, path, begins) => {
  const { files } = memoryHost({ cwd: '/home/me' });
  await files.makeDirectory('/home/me');
  expect(await installCompletion(files, { ...PLACES, shell })).toEqual({ changed: [path] });
  expect(await files.readText(path)).toContain(begins);
  expect((await removeCompletion(files, PLACES)).changed).toEqual([path]);
});

it('explains the manual installation for an unknown shell', async () => {
  const { files } = memoryHost({ cwd: '/home/me' });
  const { changed, problem } = await installCompletion(files, PLACES);
  expect(changed).toEqual([]);
  expect(problem).toContain('with "touch ~/.bashrc", and run the command again');
  expect(problem).toContain('complete -o nospace -C terrane terrane');
});
