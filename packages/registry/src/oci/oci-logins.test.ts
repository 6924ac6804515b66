import type { Host, SpawnOptions } from '@terrane/host';
import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { type OciDefaults, type OciLogin, ociLogins } from './oci-logins.ts';

const AMBIENT: OciDefaults = {
  discoverAmbient: true,
  dockerStyleConfigFiles: undefined,
  dockerCredentialsHelper: undefined,
};

const login = (repositoryPrefix: string, username = repositoryPrefix): OciLogin => ({
  repositoryPrefix,
  credentials: { kind: 'basic', username, password: 'p' },
});

async function hostWith(
  files: Readonly<Record<string, unknown>>,
  answers: Readonly<Record<string, { code?: number; stdout: string }>> = {},
): Promise<Pick<Host, 'files' | 'environment' | 'spawn'>> {
  const memory = memoryHost();
  for (const [path, content] of Object.entries(files)) {
    await memory.files.makeDirectory(path.slice(0, path.lastIndexOf('/')));
    await memory.files.writeFile(
      path,
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  }
  return {
    ...memory,
    spawn: {
      ...memory.spawn,
      run: async (command: string, args: readonly string[], { stdin }: SpawnOptions) => {
        await Promise.resolve();
        const answer = answers[`${command} ${args.join(' ')} ${stdin ?? ''}`];
        if (answer === undefined) throw new Error(`no ${command}`);
        return { code: answer.code ?? 0, stdout: answer.stdout, stderr: '' };
      },
    },
  };
}

it('the login with the longest matching address is returned', async () => {
  const of = ociLogins(
    await hostWith({}),
    [
      login('example.com'),
      login('example.com/a'),
      login('example.com/a/b'),
      login('example.com/ax'),
    ],
    AMBIENT,
  );
  expect(await of('example.com', 'z')).toMatchObject({ username: 'example.com' });
  expect(await of('example.com', 'a/c')).toMatchObject({ username: 'example.com/a' });
  expect(await of('example.com', 'a/b/c')).toMatchObject({ username: 'example.com/a/b' });
  expect(await of('example.com:5000', 'a')).toBeUndefined();
});

it('logins of container tools are used if more specific, unless disabled', async () => {
  const auth = (text: string) => ({ auth: Buffer.from(text).toString('base64') });
  const host = await hostWith({
    '/home/tester/.docker/config.json': {
      auths: { 'example.com/a': auth('docker:s:3'), 'bad.com': auth('nothing'), 'empty.com': {} },
    },
    '/home/tester/.config/containers/auth.json': 'no json',
  });
  const of = ociLogins(host, [login('example.com')], AMBIENT);
  expect(await of('example.com', 'a')).toEqual({ username: 'docker', password: 's:3' });
  expect(await of('example.com', 'b')).toMatchObject({ username: 'example.com' });
  expect(await of('empty.com', 'a')).toBeUndefined();
  await expect(of('bad.com', 'a')).rejects.toThrow('base64-encoded username:password pair');
  const off = ociLogins(host, [], { ...AMBIENT, discoverAmbient: false });
  expect(await off('example.com', 'a')).toBeUndefined();
});

it('credential helpers are queried per server, and may have no credentials', async () => {
  const host = await hostWith(
    { '/auth.json': { credHelpers: { 'one.com': 'one' }, credsStore: 'all' } },
    {
      'docker-credential-one get https://one.com': {
        stdout: '{"Username":"<token>","Secret":"t"}',
      },
      'docker-credential-all get https://two.com': { stdout: '{"Username":"u","Secret":"s"}' },
      'docker-credential-all get https://none.com': {
        code: 1,
        stdout: 'credentials not found in native keychain',
      },
      'docker-credential-all get https://broken.com': { code: 1, stdout: 'secret' },
    },
  );
  const of = ociLogins(host, [], { ...AMBIENT, dockerStyleConfigFiles: ['/auth.json'] });
  expect(await of('one.com', 'a')).toEqual({ token: 't' });
  expect(await of('two.com', 'a')).toEqual({ username: 'u', password: 's' });
  expect(await of('none.com', 'a')).toBeUndefined();
  await expect(of('broken.com', 'a')).rejects.toThrow('docker-credential-all ended with code 1');
});

it('a file that is named has to be there, and readable', async () => {
  const host = await hostWith({ '/bad.json': '{' });
  const named = (path: string) =>
    ociLogins(host, [], { ...AMBIENT, dockerStyleConfigFiles: [path] })('example.com', 'a');
  await expect(named('/bad.json')).rejects.toThrow('/bad.json: it is no JSON');
  await expect(named('/none.json')).rejects.toThrow(
    'failed to read Docker-style config file /none.json',
  );
});
