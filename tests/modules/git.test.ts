import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from './both-programs.ts';

let place: Place;
let commit: string;
let url: string;

beforeAll(async () => {
  place = await Place.make();
  await place.write({
    'lib/main.tf': 'output "v" {\n  value = "lib"\n}\n',
    'lib/run.sh': '#!/bin/sh\n',
    'repo/main.tf': 'output "v" {\n  value = 1\n}\n',
    'repo/sub/main.tf': 'module "inner" {\n  source = "./inner"\n}\n',
    'repo/sub/inner/main.tf': 'output "v" {\n  value = 2\n}\n',
    'repo/sub/up/main.tf': 'module "outside" {\n  source = "../../../elsewhere"\n}\n',
    'repo/sub2/main.tf': '',
    'repo/version/main.tf': 'terraform {\n  required_version = "< 0.1"\n}\n',
    'repo/broken/main.tf': 'output "v" {\n',
  });
  const init = 'git init -q -b main . && git add -A && git commit -qm one';
  await place.shell('lib', `chmod +x run.sh && ${init}`);
  await place.shell('repo', `${init} && git tag v1`);
  await place.shell(
    'repo',
    `git -c protocol.file.allow=always submodule add -q ${place.path('lib')} lib && git commit -qm two && git tag v2 && git checkout -qb dev && echo '# dev' >> main.tf && git commit -qam three && git checkout -q main`,
  );
  commit = await place.shell('repo', 'git rev-parse v1');
  url = `git::file://${place.path('repo')}`;
});
afterAll(() => place.remove());

// Submodules of this machine are refused by default.
const env = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'protocol.file.allow',
  GIT_CONFIG_VALUE_0: 'always',
};

const calling = (sources: Readonly<Record<string, string>>): Record<string, string> => ({
  'main.tf': Object.entries(sources)
    .map(([name, source]) => `module "${name}" {\n  source = "${source}"\n}\n`)
    .join('\n'),
});

const init = ['init', '-no-color'] as const;

const UNREADABLE = 'Error: Unreadable module directory\n\n';
const CALL = '  on main.tf line 1:\n   1: module "m" {\n\n';

describe('modules in Git repositories', () => {
  it('are fetched with branches, tags, commits, depths, directories and submodules', async () => {
    const { runs, tree } = await place.same({
      env,
      files: calling({
        whole: url,
        again: url,
        tag: `${url}?ref=v1`,
        branch: `${url}?ref=dev`,
        commit: `${url}?ref=${commit}`,
        short: `${url}?ref=${commit.slice(0, 8)}`,
        shallow: `${url}?ref=dev&depth=1`,
        default: `${url}?depth=1`,
        inside: `${url}//sub?ref=v1`,
        wild: `${url}//sub/in*`,
        plain: `git::${place.path('repo')}//sub`,
      }),
      steps: [
        init,
        init,
        ['get', '-no-color'],
        ['get', '-update', '-no-color'],
        ['validate', '-no-color'],
      ],
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(tree['.terraform/modules/whole/lib/run.sh']).toMatch(/^755 /);
  });

  it.each([
    ['a ref that is none', (at: string) => `${at}?ref=nope`],
    ['a shallow commit', (at: string) => `${at}?ref=0123456789&depth=1`],
    ['a shallow ref that is none', (at: string) => `${at}?ref=nope&depth=1`],
    ['no repository', () => 'git::file:///does/not/exist'],
    ['no such directory', (at: string) => `${at}//nowhere`],
    ['a directory that is a file', (at: string) => `${at}//main.tf`],
    ['several directories', (at: string) => `${at}//sub*`],
    ['a module that leaves its package', (at: string) => `${at}//sub/up`],
    ['a module for other versions', (at: string) => `${at}//version`],
    ['a module with faults', (at: string) => `${at}//broken`],
    ['a checksum', (at: string) => `${at}?checksum=sha256:00`],
    ['an unknown getter', () => 'foo::https://example.com/a'],
  ])('fail with %s', async (_name, source) => {
    const { runs } = await place.same({
      env,
      files: calling({ good: `${url}?ref=v1`, m: source(url) }),
      steps: [init],
    });
    expect(runs[0]?.code).toBe(1);
  });

  it('may not have a version', async () => {
    const { runs } = await place.same({
      files: { 'main.tf': `module "m" {\n  source  = "${url}"\n  version = "1.0.0"\n}\n` },
      steps: [init],
    });
    expect(runs[0]?.code).toBe(1);
  });

  it('never take a ref for an option of the program', async () => {
    const { runs } = await place.terrane({
      files: calling({ m: `${url}?ref=--orphan=x` }),
      steps: [init],
    });
    expect(runs[0]?.output).toContain('invalid ref: "--orphan=x"');
  });

  it('keep secrets to themselves', async () => {
    const { runs } = await place.terrane({
      files: calling({ m: 'git::https://user:hunter2@localhost:1/a.git?sshkey=aHVudGVyMw' }),
      steps: [init],
    });
    expect(runs[0]?.code).toBe(1);
    expect(runs[0]?.output).not.toMatch(/hunter|aHVudGVy/);
  });
});

describe('the installed module', () => {
  it('is kept while source and version match, and reported otherwise', async () => {
    const { runs } = await place.same({
      files: {
        ...calling({ m: `${url}?ref=v1`, n: './n' }),
        'n/main.tf': `module "deep" {\n  source = "${url}//sub"\n}\n`,
      },
      steps: [
        ['validate', '-no-color'],
        init,
        ['validate', '-no-color'],
        ['validate', '-no-color'],
        init,
        init,
        ['validate', '-no-color'],
        init,
      ],
      changes: {
        0: calling({ m: `${url}?ref=v1` }),
        1: calling({ m: `${url}?ref=v1`, n: './n' }),
        3: calling({ m: `${url}?ref=v2`, n: './n' }),
        5: { '.terraform/modules/m': undefined },
        6: { '.terraform/modules/m': undefined },
        7: calling({ n: './n' }),
      },
      env,
    });
    expect(runs.map(({ code }) => code)).toEqual([1, 0, 0, 1, 0, 0, 1, 0]);
  });

  it('is part of a saved plan', async () => {
    const { runs } = await place.terrane({
      files: {
        ...calling({ m: `${url}//sub?ref=v1`, n: './link' }),
        'n/main.tf': 'output "v" {\n  value = 1\n}\n',
        'more.tf': 'resource "terraform_data" "x" {\n  input = 1\n}\n',
      },
      steps: [init, ['plan', '-no-color', '-out=p'], ['apply', '-no-color', 'p']],
      changes: {
        0: { 'link/main.tf': '' },
        2: { '.terraform/modules': undefined, link: undefined },
      },
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it('is accepted from either program', async () => {
    const files = calling({ m: `${url}//sub?ref=v1` });
    const { manifest } = await place.terrane({ files, steps: [init] });
    const { runs } = await place.same({
      files: { ...files, '.terraform/modules/modules.json': manifest ?? '' },
      steps: [['validate', '-no-color']],
    });
    expect(runs[0]?.output).toContain('local cache directory');
  });

  it('is not complete where the manifest is damaged', async () => {
    for (const damaged of [
      '{',
      '{"Modules":[{"Key":"a"},{"Key":"a"}]}',
      '{"Modules":[{"Key":"a","Version":"x"}]}',
      '',
    ]) {
      await place.terrane({
        files: {
          ...calling({ m: './m' }),
          'm/main.tf': '',
          '.terraform/modules/modules.json': damaged,
        },
        steps: [init],
      });
    }
  });
});

describe('modules on this machine', () => {
  it('are linked to by absolute paths, and followed through links', async () => {
    await place.write({
      'shared/main.tf': 'module "x" {\n  source = "./x"\n}\n',
      'shared/x/main.tf': '',
    });
    await place.same({
      files: {
        ...calling({
          abs: place.path('shared'),
          twice: place.path('shared'),
          part: `${place.path('shared')}//x`,
          file: `file://${place.path('shared')}`,
          local: './a/../b',
        }),
        'b/main.tf': '',
      },
      steps: [init, init, ['validate', '-no-color']],
    });
  });

  it.each([
    ['an absolute path to nothing', '/does/not/exist'],
    ['an absolute path to a file', '/etc/passwd'],
    ['a local path to nothing', './nowhere'],
    ['a local path to a file', './main.tf'],
    ['a path without a dot', 'nowhere'],
  ])('fail with %s', async (_name, source) => {
    await place.same({
      files: calling({ m: source }),
      steps: [init, ['get', '-no-color']],
      // Terraform omits the name of a directory that does not exist, and the call of a local module.
      expectedOutput: (output) =>
        output
          .replaceAll('The directory  could not', 'The directory nowhere could not')
          .replaceAll(UNREADABLE, (summary) =>
            source.startsWith('./') ? summary + CALL : summary,
          ),
    });
  });

  it('leave faults of the configuration to others in get', async () => {
    await place.same({
      files: {
        ...calling({ m: './m' }),
        'm/main.tf': 'output "v" {\n',
        'more.tf': 'variable "x" {\n  default = y\n}\n',
      },
      steps: [['get', '-no-color'], init],
    });
  });
});
