// Programs that somebody planted in the working directory, and directories whose names are shell commands.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PROGRAM, Work } from './fixture.ts';

/** Writes programs that leave a file `ran-NAME` when they run. */
function plant(work: Work, directory: string, ...names: readonly string[]): void {
  for (const name of names) {
    work.write(`${directory}/${name}`, `#!/bin/sh\n: > '${work.at(`ran-${name}`)}'\nexit 1\n`);
    chmodSync(work.at(directory, name), 0o755);
  }
}

const encryption = (program: string): string => `terraform {
  encryption {
    key_provider "external" "k" {
      command = ["${program}"]
    }
    method "aes_gcm" "m" {
      keys = key_provider.external.k
    }
    state {
      method = method.aes_gcm.m
    }
  }
}
`;

const CASES: readonly (readonly [what: string, program: string, configuration: string])[] = [
  ['git', 'git', 'module "m" {\n  source = "git::https://127.0.0.1:1/r.git"\n}\n'],
  ['Mercurial', 'hg', 'module "m" {\n  source = "hg::http://127.0.0.1:1/r"\n}\n'],
  ['an external key provider', 'keys', encryption('keys')],
];

it.each(
  CASES.flatMap(([what, ...rest]) =>
    ['', '.', 'bin', './bin'].map((entry) => [what, entry, ...rest] as const),
  ),
)(
  '%s of the working directory is not run by its name with the PATH entry %j',
  async (_, entry, program, configuration) => {
    const work = new Work({ 'main.tf': configuration });
    plant(work, '.', program);
    plant(work, 'bin', program);
    // Node, and the shell that the launcher is written for, have to be found.
    const node = process.execPath.slice(0, process.execPath.lastIndexOf('/'));
    const command = [
      process.execPath,
      PROGRAM.replace('bin/terrane', 'packages/cli/dist/terrane.js'),
    ];
    const ended = await work.run(['init', '-no-color'], {
      command,
      env: { PATH: `${entry}:${node === '/usr/bin' ? '' : node}` },
    });
    expect(ended.code).toBe(1);
    expect(existsSync(work.at(`ran-${program}`))).toBe(false);
  },
);

it
  .runIf(spawnSync('git', ['version']).status === 0)
  .each(['w $(touch ran-it)', 'w`touch ran-it`', "w';touch ran-it;'", 'w"; touch ran-it; "'])(
  'a key of a Git source does not run the name of the directory %j',
  async (name) => {
    const key = Buffer.from('key').toString('base64');
    const source = `git::ssh://nobody@127.0.0.1:1/r.git?sshkey=${encodeURIComponent(key)}`;
    const work = new Work({ [`${name}/main.tf`]: `module "m" {\n  source = "${source}"\n}\n` });
    const ended = await work.run(['init', '-no-color'], { cwd: work.at(name) });
    expect(ended.code).toBe(1);
    for (const directory of [work.path, work.at(name)]) {
      expect(existsSync(`${directory}/ran-it`)).toBe(false);
    }
  },
);

it.each([
  ['an option as a ref', 'git::https://127.0.0.1:1/r.git?ref=--upload-pack=touch%20ran-it'],
  ['a command as a remote helper', 'git::ext::sh%20-c%20touch%20ran-it'],
  ['a command as a remote helper, written plainly', 'git::ext::sh -c touch% ran-it'],
  ['an option as a repository', 'git::--upload-pack=touch ran-it'],
  ['an option as an SSH host', 'git::ssh://-oProxyCommand=touch%20ran-it/r.git'],
  ['an option as a Mercurial repository', 'hg::--config=alias.clone=!touch ran-it'],
  [
    'an option as a Mercurial revision',
    'hg::http://127.0.0.1:1/r?rev=--config=alias.update=!touch%20ran-it',
  ],
])('a source with %s runs no command', async (_, source) => {
  const work = new Work({ 'main.tf': `module "m" {\n  source = ${JSON.stringify(source)}\n}\n` });
  const ended = await work.run(['init', '-no-color']);
  expect(ended.code).toBe(1);
  expect(existsSync(work.at('ran-it'))).toBe(false);
});
