import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from './both-programs.ts';

// `.ci/run` installs it.
const hasMercurial = spawnSync('hg', ['--version']).status === 0;

it.runIf(process.env['CI'] === 'true')('Mercurial is installed', () => {
  expect(hasMercurial).toBe(true);
});

describe.runIf(hasMercurial)('modules in Mercurial repositories', () => {
  let place: Place;
  let url: string;

  beforeAll(async () => {
    place = await Place.make();
    await place.write({
      'repo/main.tf': 'output "v" {\n  value = "one"\n}\n',
      'repo/sub/main.tf': 'output "v" {\n  value = "sub"\n}\n',
    });
    await place.shell(
      'repo',
      'hg init . && hg add -q . && hg commit -q -m one -u a && hg tag -u a v1 && sed -i s/one/two/ main.tf && hg commit -q -m two -u a',
    );
    url = `hg::file://${place.path('repo')}`;
  });
  afterAll(() => place.remove());

  it('are cloned, at a revision or the newest, and parts of them too', async () => {
    const { runs, tree } = await place.same({
      files: {
        'main.tf': `module "newest" {\n  source = "${url}"\n}\nmodule "old" {\n  source = "${url}?rev=v1"\n}\nmodule "part" {\n  source = "${url}//sub"\n}\n`,
      },
      steps: [
        ['init', '-no-color'],
        ['validate', '-no-color'],
      ],
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    const [newest, old] = ['newest', 'old'].map(
      (name) => tree[`.terraform/modules/${name}/main.tf`],
    );
    expect(newest).toBeDefined();
    expect(old).toBeDefined();
    expect(newest).not.toBe(old);
  });

  it.each([
    ['a revision that is not there', '?rev=nowhere'],
    ['a part that is not there', '//nowhere'],
  ])('fail with %s', async (_name, rest) => {
    const scenario = {
      files: { 'main.tf': `module "m" {\n  source = "${url}${rest}"\n}\n` },
      steps: [['init', '-no-color']],
    };
    const { runs } = await place.same(scenario);
    expect(runs[0]?.code).toBe(1);
    expect(runs[0]?.output).toMatch(/Failed to download module|subdir "nowhere" not found/);
  });
});
