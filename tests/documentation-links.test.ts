// Links in the documentation lead to files and headings that are there.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));

function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8').replace(/```.*?```/gs, '');
}

/** Returns the anchor of a heading, as GitHub derives it. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** The anchors of a page; equal headings are numbered. */
function anchorsIn(page: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const headings = textOf(page).matchAll(/^#+ (.*)$/gm);
  const anchors = Array.from(headings, ([, text = '']) => {
    const anchor = anchorOf(text);
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set(anchors);
}

function problemOf(page: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return `${page}: ${link} leads to nothing`;
  if (anchor === undefined || !target.endsWith('.md') || anchorsIn(target).has(anchor))
    return undefined;
  return `${page}: ${link} leads to no heading`;
}

test('links lead somewhere', () => {
  const links = pages.flatMap((page) =>
    Array.from(textOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => ({ page, link })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.map(({ page, link }) => problemOf(page, link)).filter(Boolean)).toEqual([]);
});

test('docs/README.md lists every page of the folder', () => {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const listed = pages.filter(
    (page) => /^docs\/[\w-]+\.md$/.test(page) && page !== 'docs/README.md',
  );
  expect(listed.length).toBeGreaterThan(15);
  expect(listed.filter((page) => !index.includes(`](${page.slice('docs/'.length)})`))).toEqual([]);
});

test('docs/evidence/README.md lists every page of the folder', () => {
  const index = readFileSync(join(root, 'docs/evidence/README.md'), 'utf8');
  const listed = pages.filter((page) => /^docs\/evidence\/(?!README)[\w-]+\.md$/.test(page));
  expect(listed.length).toBeGreaterThan(8);
  expect(
    listed.filter((page) => !index.includes(`(${page.slice('docs/evidence/'.length)}`)),
  ).toEqual([]);
});
