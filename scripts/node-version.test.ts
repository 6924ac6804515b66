// The oldest Node that runs Terrane is said in many files, and has to be the same in all of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './root.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

it('every package asks for the Node that the repository asks for', () => {
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

it('the documentation names it', () => {
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
