import { expect, it } from 'vitest';
import { absolutePathEntries, findOnPath } from './find-on-path.ts';

const search = (path: string | undefined, ...executables: string[]) => ({
  path,
  platform: 'linux',
  isExecutable: (each: string) => Promise.resolve(executables.includes(each)),
});

it('finds a program in the first absolute directory that has it', async () => {
  expect(await findOnPath('git', search('/a:/b:/c', '/b/git', '/c/git'))).toBe('/b/git');
  expect(await findOnPath('git', search('/a', '/b/git'))).toBeUndefined();
  expect(await findOnPath('git', search(undefined, '/b/git'))).toBeUndefined();
});

it.each(['', ':', ':/usr/bin', '.', './bin', 'bin', '/a::/b', '/a:.:/b', 'a:b'])(
  'does not look into the working directory with the PATH %j',
  async (path) => {
    const everywhere = {
      ...search(path),
      isExecutable: (each: string) => Promise.resolve(!each.startsWith('/')),
    };
    expect(await findOnPath('git', everywhere)).toBeUndefined();
    expect(
      absolutePathEntries(path, 'linux')
        .split(':')
        .every((each) => each === '' || each.startsWith('/')),
    ).toBe(true);
    expect(absolutePathEntries(path, 'linux')).not.toMatch(/^:|::|:$/);
  },
);
