import { memoryHost, type MemoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import type { Spawn } from '@terrane/host';
import { UserCredentials } from './credentials.ts';
import { readCliConfig } from './read-cli-config.ts';

const HOME = '/home/tester';
const FILE = `${HOME}/.terraform.d/credentials.tfrc.json`;

async function userWith(
  files: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
  spawn?: Spawn,
): Promise<{ readonly host: MemoryHost; readonly user: UserCredentials }> {
  const memory = memoryHost({ variables: { HOME, ...variables } });
  for (const [path, text] of Object.entries(files)) {
    await memory.files.makeDirectory(path.slice(0, path.lastIndexOf('/')));
    await memory.files.writeFile(path, text);
  }
  const host = spawn === undefined ? memory : { ...memory, spawn };
  return { host, user: new UserCredentials(host, readCliConfig(host, '/project')) };
}

/** A helper program that keeps what it is told in a map. */
function helperProgram(kept: Map<string, string>, calls: string[]): Spawn {
  return {
    start: () => Promise.reject(new Error('not expected')),
    run: (command, args, { stdin }) => {
      calls.push([command, ...args].join(' '));
      const host = args.at(-1) ?? '';
      const verb = args.at(-2);
      if (host === 'broken.example') {
        return Promise.resolve({ code: 1, stdout: '', stderr: 'no way\n' });
      }
      if (verb === 'store') kept.set(host, stdin ?? '');
      if (verb === 'forget') kept.delete(host);
      const stdout = verb === 'get' ? (kept.get(host) ?? '{}') : '';
      return Promise.resolve({ code: 0, stdout, stderr: '' });
    },
  };
}

describe('credentials', () => {
  it('come from the environment before anything else', async () => {
    const { user } = await userWith(
      { [`${HOME}/.terraformrc`]: 'credentials "a-b.example.com" { token = "file" }' },
      { TF_TOKEN_a__b_example_com: 'environment' },
    );
    expect(await user.token('a-b.example.com')).toBe('environment');
  });

  it.each([
    ['TF_TOKEN_example_com', 'example.com'],
    ['TF_TOKEN_ex-ample.com', 'ex-ample.com'],
    ['TF_TOKEN_EXAMPLE_com', 'example.com'],
    ['TF_TOKEN_xn____caf__dma_fr', 'café.fr'],
    ['TF_TOKEN_xn--caf-dma.fr', 'café.fr'],
    ['TF_TOKEN_café_fr', 'café.fr'],
  ])('of %s are for %s', async (name, hostname) => {
    const { user } = await userWith({}, { [name]: 't' });
    expect(await user.credentials(hostname)).toEqual({ token: 't' });
  });

  it('of files count by normalised names, later files over earlier ones', async () => {
    const { user } = await userWith({
      [`${HOME}/.terraformrc`]: 'credentials "Example.COM:443" {\n  token = "first"\n}\n',
      [`${HOME}/.terraform.d/a.tfrc`]: 'credentials "other.example" { token = "second" }',
      [FILE]: '{"credentials": {"third.example": {"token": "third"}}}',
    });
    expect(await user.token('example.com')).toBe('first');
    expect(await user.token('other.example')).toBe('second');
    expect(await user.token('third.example')).toBe('third');
    expect(await user.token('fourth.example')).toBeUndefined();
    expect(await user.location('example.com')).toBe('other');
    expect(await user.location('third.example')).toBe('file');
    expect(await user.location('fourth.example')).toBe('none');
  });

  it('are stored for their owner alone, and the rest of the file stays', async () => {
    const { host, user } = await userWith({
      [FILE]: '{"x": [1], "credentials": {"Old.example": {"token": "a"}, "b.example": {}}}',
    });
    await host.files.chmod(FILE, 0o644);
    await user.store('old.example', 'new<');
    expect(await host.files.readText(FILE)).toBe(
      '{\n  "credentials": {\n    "b.example": {},\n    "old.example": {\n      "token": "new\\u003c"\n    }\n  },\n  "x": [\n    1\n  ]\n}',
    );
    expect((await host.files.stat(FILE))?.mode).toBe(0o600);
    expect(await user.token('old.example')).toBe('new<');
    await user.forget('old.example');
    expect(await user.token('old.example')).toBeUndefined();
  });

  it('that stand in other files are not changed', async () => {
    const { user } = await userWith({
      [`${HOME}/.terraformrc`]: 'credentials "a.example" { token = "x" }',
    });
    await expect(user.store('a.example', 'y')).rejects.toThrow(
      'cannot change credentials for a.example: existing manually-configured credentials in a CLI config file',
    );
  });

  it('are kept by a helper program', async () => {
    const kept = new Map<string, string>();
    const calls: string[] = [];
    const program = `${HOME}/.terraform.d/plugins/terraform-credentials-vault`;
    const { host, user } = await userWith(
      {
        [`${HOME}/.terraformrc`]:
          'credentials_helper "vault" {\n  args = ["--as", "me"]\n}\ncredentials "own.example" { token = "o" }\n',
        [program]: '',
        [`${program}_v1.10.0`]: '',
        [`${program}_v1.9.0`]: '',
      },
      {},
      helperProgram(kept, calls),
    );
    expect(await user.token('a.example')).toBeUndefined();
    await user.store('a.example', 't');
    expect(kept.get('a.example')).toBe('{"token":"t"}');
    expect(await user.token('a.example')).toBe('t');
    expect(await user.token('own.example')).toBe('o');
    expect(await user.location('a.example')).toBe('helper');
    await user.forget('a.example');
    expect(calls).toEqual([
      `${program}_v1.10.0 --as me get a.example`,
      `${program}_v1.10.0 --as me store a.example`,
      `${program}_v1.10.0 --as me get a.example`,
      `${program}_v1.10.0 --as me forget a.example`,
    ]);
    await expect(user.token('broken.example')).rejects.toThrow(
      `error in ${program}_v1.10.0: no way\n`,
    );
    expect(await host.files.stat(FILE)).toBeUndefined();
  });
});
