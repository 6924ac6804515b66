// Modules in Git repositories behind a real SSH server of this machine.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasServer, OpenSsh } from '../ssh/openssh.ts';
import type { Server } from '../ssh/openssh.ts';
import { Place, TERRAFORM } from './both-programs.ts';

it.runIf(process.env['CI'] === 'true')('there is an SSH server', () => {
  expect(hasServer).toBe(true);
});

describe.runIf(hasServer)('modules in Git repositories behind SSH', () => {
  let place: Place;
  let ssh: OpenSsh;
  let server: Server;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    place = await Place.make();
    await place.write({
      'scratch/empty': '',
      'repo/main.tf': 'output "v" {\n  value = 1\n}\n',
      'repo/sub/main.tf': 'output "v" {\n  value = 2\n}\n',
    });
    const init = 'git init -q -b main . && git add -A && git commit -qm one && git tag v1';
    await place.shell('repo', init);
    ssh = new OpenSsh();
    ssh.key('known');
    ssh.key('stranger');
    server = await ssh.server('modules', ['known']);
    // Nobody types anything, no key of the user's is offered, and the host is not known before.
    const known = ssh.folder;
    env = {
      GIT_SSH_COMMAND: `ssh -F none -o BatchMode=yes -o IdentitiesOnly=yes -o IdentityAgent=none -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile=${known}/known-hosts -o LogLevel=ERROR`,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
    };
  });
  afterAll(async () => {
    ssh.end();
    await place.remove();
  });

  const source = (key: string, more = ''): string => {
    const encoded = encodeURIComponent(Buffer.from(key).toString('base64'));
    return `git::ssh://${ssh.user}@127.0.0.1:${server.port}${place.path('repo')}${more}${more.includes('?') ? '&' : '?'}sshkey=${encoded}`;
  };
  const keyOf = (name: string): string => readFileSync(ssh.key(name), 'utf8');
  const calling = (sources: Readonly<Record<string, string>>): Record<string, string> => ({
    'main.tf': Object.entries(sources)
      .map(([name, each]) => `module "${name}" {\n  source = "${each}"\n}\n`)
      .join('\n'),
  });

  it('are fetched with the key that the source has, as by terraform, and leave no file with it', async () => {
    const scenario = {
      env: { ...env, TMPDIR: place.path('scratch') },
      files: calling({
        whole: source(keyOf('known')),
        tag: source(keyOf('known'), '?ref=v1'),
        sub: source(keyOf('known'), '//sub'),
      }),
      steps: [['get', '-no-color']],
    };
    const ours = await place.terrane(scenario);
    expect(ours.runs[0]).toMatchObject({ code: 0 });
    expect(ours.runs[0]?.output).toContain('sshkey=redacted');
    expect(Object.keys(ours.tree)).toContain('.terraform/modules/sub/sub/main.tf');
    const { status } = spawnSync('grep', ['-rqF', 'OPENSSH PRIVATE KEY', place.directory]);
    expect(status).toBe(1);
    if (!TERRAFORM) return;
    const theirs = await place.terraform(scenario);
    expect(theirs.runs[0]?.code).toBe(0);
    expect(ours.manifest).toBe(theirs.manifest);
    expect(ours.tree).toEqual(theirs.tree);
  });

  it('are refused with another key, which is not shown', async () => {
    for (const [key, reason] of [
      [keyOf('stranger'), 'Permission denied'],
      ['this is no key', 'Permission denied'],
    ] as const) {
      const { runs } = await place.terrane({
        env,
        files: calling({ m: source(key) }),
        steps: [['get', '-no-color']],
      });
      expect(runs[0]?.code).toBe(1);
      expect(runs[0]?.output).toContain(reason);
      expect(runs[0]?.output).not.toContain(Buffer.from(key).toString('base64').slice(0, 12));
    }
  });
});
