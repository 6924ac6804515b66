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

const onWindows = (path: string, endings: string | undefined, ...executables: string[]) => ({
  ...search(path, ...executables),
  platform: 'win32',
  endings,
});

it('finds programs on Windows by the extensions of PATHEXT, on any platform of this process', async () => {
  const path = String.raw`C:\tools;"D:\more tools"`;
  const az = String.raw`D:\more tools\az.CMD`;
  expect(await findOnPath('az', onWindows(path, '.EXE;.CMD', az))).toBe(az);
  expect(await findOnPath('az', onWindows(path, '.EXE', az))).toBeUndefined();
  const git = String.raw`C:\tools\git.EXE`;
  // Beside programs there are scripts for other systems, without an extension.
  const script = String.raw`C:\tools\git`;
  expect(await findOnPath('git', onWindows(path, undefined, script, git))).toBe(git);
  const exact = String.raw`C:\tools\git.exe`;
  expect(await findOnPath('git.exe', onWindows(path, '', exact))).toBe(exact);
});

it.each(['', ';', '.', 'bin', '.\\bin', 'C:bin', '\\bin', '/bin', 'C:'])(
  'does not look into the working directory or drive of Windows with the PATH %j',
  async (path) => {
    const everywhere = { ...onWindows(path, '.EXE'), isExecutable: () => Promise.resolve(true) };
    expect(await findOnPath('git', everywhere)).toBeUndefined();
    expect(absolutePathEntries(path, 'win32')).toBe('');
    const more = String.raw`C:\a;\\server\b`;
    expect(absolutePathEntries(`${path};${more}`, 'win32')).toBe(more);
  },
);
