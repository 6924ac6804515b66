// The terminal recordings of the documentation show what the program prints.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordScene } from '../scripts/pictures/record.ts';
import { recordingSvg } from '../scripts/pictures/recording-svg.ts';
import { SCENES } from '../scripts/pictures/scenes.ts';
import { root } from '../scripts/root.ts';

const folder = join(root, 'docs/images');

/** The text of each line of a recording. */
function linesOf(svg: string): readonly string[] {
  const lines = svg.matchAll(/<text y[^>]*>(.*?)<\/text>/g);
  return Array.from(lines, ([, line = '']) => line.replaceAll(/<[^>]*>/g, ' '));
}

test.each(SCENES)(
  'the recording "$name" is that of the program; `npm run pictures` writes it',
  async (scene) => {
    const svg = recordingSvg(scene.title, await recordScene(scene));
    const stored = readFileSync(join(folder, `${scene.name}.svg`), 'utf8');
    expect(linesOf(svg)).toEqual(linesOf(stored));
    expect(svg).toBe(stored);
  },
);

test('every picture is used in the documentation', () => {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const pages = ['README.md', ...docs.map((name) => join('docs', name))]
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('');
  for (const name of readdirSync(folder)) expect(pages).toContain(`images/${name}`);
});
