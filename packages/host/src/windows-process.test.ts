import { describe, expect, it } from 'vitest';
import { foldVariables, programCall, systemProgram, variableOf } from './windows-process.ts';

describe('variables of Windows', () => {
  it('are the same in any case, and the last one counts', () => {
    const env = { Path: 'C:\\old', HOME: 'C:\\me', path: 'C:\\new' };
    expect(variableOf(env, 'PATH', 'win32')).toBe('C:\\new');
    expect(foldVariables(env, 'win32')).toEqual({ HOME: 'C:\\me', path: 'C:\\new' });
  });

  it('are different variables elsewhere', () => {
    const env = { Path: 'a', PATH: 'b' };
    expect(variableOf(env, 'PATH', 'linux')).toBe('b');
    expect(variableOf(env, 'path', 'linux')).toBeUndefined();
    expect(foldVariables(env, 'linux')).toBe(env);
  });
});

describe('a batch file', () => {
  const run = (program: string, ...args: string[]) =>
    programCall(program, args, { systemroot: 'D:\\Win' }, 'win32');

  it('is run by cmd.exe of the system, its arguments quoted', () => {
    expect(run('C:\\az cli\\az.CMD', 'account', 'a & b', 'C:\\dir\\')).toEqual({
      program: 'D:\\Win\\System32\\cmd.exe',
      args: ['/d', '/s', '/c', String.raw`""C:\az cli\az.CMD" "account" "a & b" "C:\dir\\""`],
      isVerbatim: true,
    });
  });

  it.each(['%PATH%', 'a" & calc & "', 'a\nb'])('does not receive the argument %j', (argument) => {
    expect(() => run('x.bat', argument)).toThrow(
      expect.objectContaining({
        code: 'EINVAL',
        message: expect.stringContaining('cannot be passed to a batch file') as string,
      }),
    );
  });

  it('is a file like others elsewhere, and other programs are started directly', () => {
    const args = ['%A%'];
    expect(programCall('/x.bat', args, {}, 'linux')).toEqual({
      program: '/x.bat',
      args,
      isVerbatim: false,
    });
    expect(run('C:\\x.exe', '%A%')).toEqual({ program: 'C:\\x.exe', args, isVerbatim: false });
  });
});

it('programs of the system are not searched for', () => {
  expect(systemProgram('taskkill.exe', {})).toBe('C:\\Windows\\System32\\taskkill.exe');
});
