import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from './both-programs.ts';

let place: Place;
const from = (source: string): readonly string[] => ['init', '-no-color', `-from-module=${source}`];

beforeAll(async () => {
  place = await Place.make();
  await place.write({
    'src/main.tf': 'module "g" {\n  source = "/nowhere"\n}\n',
    'repo/main.tf': 'output "v" {\n  value = 1\n}\n',
    'repo/sub/main.tf': 'module "child" {\n  source = "./child"\n}\n',
    'repo/sub/child/main.tf': '',
    'repo/up/main.tf': 'module "m" {\n  source = "../sub"\n}\n',
    'plain/main.tf': '',
    'plain/data.txt': 'data',
    'broken/main.tf': 'output "x" {\n',
  });
  await place.shell('repo', 'git init -q -b main . && git add -A && git commit -qm one');
  await place.write({
    'calls/main.tf': `module "g" {\n  source = "git::file://${place.path('repo')}"\n}\n`,
  });
});
afterAll(() => place.remove());

describe('init -from-module', () => {
  it('copies the module and its called modules into the directory', async () => {
    const { runs } = await place.same({
      files: {},
      steps: [from('../plain'), ['init', '-no-color'], ['validate', '-no-color']],
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    await place.same({ files: {}, steps: [from('../calls')] });
    await place.same({ files: {}, steps: [from(`git::file://${place.path('repo')}`)] });
  });

  it('finds local modules where they are now', async () => {
    const { runs, manifest, tree } = await place.terrane({
      files: {},
      steps: [from(`git::file://${place.path('repo')}//sub`)],
    });
    expect(runs[0]?.code).toBe(0);
    expect(manifest).toContain('{"Key":"child","Source":"./child","Dir":"child"}');
    expect(Object.keys(tree)).toEqual([
      '.terraform',
      '.terraform/modules',
      'child',
      'child/main.tf',
      'main.tf',
    ]);
  });

  it.each([
    ['there is a configuration', { 'main.tf': '' }, '../plain'],
    ['there are other files', { 'notes.txt': '' }, '../plain'],
  ])('reports an error if %s', async (_name, files, source) => {
    const { runs } = await place.same({ files, steps: [from(source)] });
    expect(runs[0]?.code).toBe(1);
  });

  it.each([
    [
      'the source means nothing',
      'nowhere',
      'cannot detect a supported external module source type',
    ],
    ['the module is not there', '/nowhere', 'stat /nowhere: no such file or directory'],
    ['a module that it calls is not there', '../src', 'stat /nowhere: no such file or directory'],
  ])('leaves the directory empty where %s', async (_name, source, message) => {
    const { runs, tree } = await place.terrane({ files: {}, steps: [from(source)] });
    expect(runs[0]?.code).toBe(1);
    expect(runs[0]?.output.replace(/\s+/g, ' ')).toContain(message);
    expect(Object.keys(tree).filter((name) => !name.startsWith('.terraform'))).toEqual([]);
  });

  it('explains how to write calls of modules outside of the copied one', async () => {
    const { runs } = await place.terrane({
      files: {},
      steps: [from(`git::file://${place.path('repo')}//up`)],
    });
    expect(runs[0]?.output.replace(/\s+/g, ' ')).toContain(
      `must be rewritten as a remote source address, such as "git::file://${place.path('repo')}//sub".`,
    );
  });
});
