// Writes the content of the documentation site from docs/, the commands and the measured table.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { parseHistory } from '../../bench/history.ts';
import { TABLE } from '../../bench/table-workloads.ts';
import { COMMANDS } from '../../packages/cli/src/command-table.ts';
import release from '../../release.json' with { type: 'json' };
import { root } from '../../scripts/root.ts';
import { referencePage, sectionsOfIndex } from '../../scripts/sdk-reference/page.ts';
import { jsonFormats } from './json-formats.ts';

/** The base URL of links to files outside of the documentation. */
const SOURCES: string = `${release.repository}/blob/main/`;

const content = join(import.meta.dirname, 'src/content/docs');
const assets = join(import.meta.dirname, 'public');

/** A group of the side bar. */
interface Group {
  readonly label: string;
  readonly items: (string | { readonly label: string; readonly link: string })[];
}

/** Writes pages, side bar and public files. */
export async function prepareSite(): Promise<void> {
  rmSync(content, { recursive: true, force: true });
  rmSync(assets, { recursive: true, force: true });
  mkdirSync(assets, { recursive: true });
  const groups = groupsOf(readFileSync(join(root, 'docs/README.md'), 'utf8'));
  for (const { items } of groups) {
    for (const item of items) {
      if (typeof item === 'string') writePage(`docs/${item}.md`, item);
    }
  }
  writePage('docs/evidence/README.md', 'evidence');
  for (const name of readdirSync(join(root, 'docs/evidence'))) {
    const page = /^([a-z-]+)\.md$/.exec(name)?.[1];
    if (page !== undefined) writePage(`docs/evidence/${name}`, `evidence/${page}`);
  }
  cpSync(
    join(root, 'docs/evidence/performance-history.svg'),
    join(assets, 'performance-history.svg'),
  );
  cpSync(join(root, 'docs/images'), join(assets, 'images'), { recursive: true });
  cpSync(join(root, 'site/playground/static/icon.svg'), join(assets, 'icon.svg'));
  write('command-reference', 'Command reference', await commandReference());
  write('json-formats', 'JSON formats', await jsonFormats());
  write('library-reference', 'Library: generated reference', libraryReference());
  write('measurements', 'Measurements', measurements());
  write('comparison', titleOf('docs/comparison.md') ?? '', comparison());
  writeFileSync(
    join(assets, 'llms.txt'),
    indexForModels(readFileSync(join(root, 'docs/README.md'), 'utf8')),
  );
  writeFileSync(join(content, 'index.mdx'), overview());
  groups[0]?.items.unshift({ label: 'Open the playground', link: '/play/' });
  groups[0]?.items.push('command-reference', 'json-formats');
  groups.find(({ label }) => label.startsWith('Develop'))?.items.push('library-reference');
  groups.find(({ label }) => label.startsWith('Evaluate'))?.items.push('evidence', 'measurements');
  writeFileSync(
    join(import.meta.dirname, 'src/content/sidebar.json'),
    `${JSON.stringify(groups, undefined, 2)}\n`,
  );
}

/** The tables of the index of the documentation: a group for each heading. */
function groupsOf(index: string): Group[] {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      label: section.slice(0, section.indexOf('\n')),
      items: Array.from(
        section.matchAll(/^\| \[[^\]]*\]\(([\w-]+)\.md\)/gm),
        ([, name = '']) => name,
      ),
    }));
}

function writePage(source: string, slug: string): void {
  const text = readFileSync(join(root, source), 'utf8');
  const title = /^# (.*)$/m.exec(text)?.[1] ?? basename(slug);
  write(
    slug,
    title,
    outsideOfCode(text.replace(/^# .*\n+/, ''), (part) => withSiteLinks(part, source)),
  );
}

function write(slug: string, title: string, body: string): void {
  const path = join(content, `${slug}.md`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `---\ntitle: ${JSON.stringify(title.replaceAll('`', ''))}\n---\n\n${body}`);
}

/** Changes the parts of a page that are not in code blocks. */
function outsideOfCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');
}

/** Turns links to other pages into links of the site, and those to other files into links to the sources. */
function withSiteLinks(text: string, source: string): string {
  const titled = text.replaceAll(
    // A page that is named by its file has a title on the site.
    /\[`?([\w-]+\.md)`?\](?=\(([\w-]+\.md)(?:#[\w-]+)?\))/g,
    (whole, name: string, link: string) => {
      const title = name === link ? titleOf(join(dirname(source), link)) : undefined;
      return title === undefined ? whole : `[${title}]`;
    },
  );
  return titled.replaceAll(/(!?)\]\(([^)\s]+)\)/g, (whole, _, link: string) => {
    if (/^[a-z]+:/.test(link)) return whole;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? source : normalize(join(dirname(source), path));
    const page = /^docs\/(?:(evidence)\/README|((?:evidence\/)?[\w-]+))\.md$/.exec(target);
    // The heading of a page is not part of its content.
    const heading = titleAnchor(target);
    const suffix = anchor === undefined || anchor === heading ? '' : `#${anchor}`;
    if (target.startsWith('docs/images/')) return `](/images/${basename(target)})`;
    if (target.endsWith('.svg')) return `](/${basename(target)})`;
    if (target === 'docs/README.md') return `](/${suffix})`;
    if (page !== null && existsSync(join(root, target)))
      return `](/${page[1] ?? page[2]}/${suffix})`;
    return `](${SOURCES}${target}${suffix})`;
  });
}

/** The title of a page; undefined if the file is no page. */
function titleOf(target: string): string | undefined {
  const path = join(root, target);
  if (!target.endsWith('.md') || !existsSync(path)) return undefined;
  return /^# (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1];
}

/** The anchor of the heading of a page; undefined if the file is no page. */
function titleAnchor(target: string): string | undefined {
  return titleOf(target)
    ?.toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** A section for each command: its help, and the kind and default of each flag. */
async function commandReference(): Promise<string> {
  const sections = [
    'Generated from the help and the flag tables of the program. [Commands](/commands/) describes them by task.\n',
  ];
  for (const [name, load] of COMMANDS) {
    const { command } = await load();
    const flags = Object.entries(command.flags ?? {});
    sections.push(
      `## ${name}\n\n${command.summary}.\n\n\`\`\`text\n${command.help.trim()}\n\`\`\`\n`,
    );
    if (flags.length === 0) continue;
    const variable = `TF_CLI_ARGS_${name.replaceAll(/[ -]/g, '_')}`;
    sections.push(`Further arguments are read from \`${variable}\`.\n`);
    const rows = flags
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([flag, { kind, initial }]) => {
        const value = Array.isArray(initial) || initial === '' ? '' : `\`${String(initial)}\``;
        return `| \`-${flag}\` | ${kind === 'list' ? 'text, repeatable' : kind} | ${value} |`;
      });
    sections.push(`| flag | value | default |\n|---|---|---|\n${rows.join('\n')}\n`);
  }
  return sections.join('\n');
}

/** All exports of the library with their declarations. */
function libraryReference(): string {
  const read = (path: string): string => readFileSync(join(root, 'packages/ops/src', path), 'utf8');
  const head =
    'All exports of `@terrane/ops` with their declarations. [Terrane as a library](/library/) has examples by task.\n';
  return referencePage('index.ts', sectionsOfIndex(read('index.ts')), read, head);
}

/** The newest recorded table, and where and when it was measured. */
function newestTable(): { readonly source: string; readonly table: string } {
  const entries = parseHistory(readFileSync(join(root, 'bench/history.jsonl'), 'utf8'));
  const newest = entries.at(-1);
  if (newest === undefined) throw new Error('bench/history.jsonl is empty');
  const rows = newest.rows.map(({ name, terrane, terraform }) => {
    const title = TABLE.find((each) => each.name === name)?.title ?? name;
    const seconds = (value: number | undefined): string =>
      value === undefined ? '' : `${value.toFixed(2)} s`;
    const memory = (value: number | undefined): string =>
      value === undefined ? '' : `${value.toFixed(0)} MiB`;
    const ratio = terraform === undefined ? '' : (terraform.wall / terrane.wall).toFixed(1);
    return `| ${title} | ${seconds(terrane.wall)} | ${seconds(terraform?.wall)} | ${ratio} | ${memory(terrane.peak)} | ${memory(terraform?.peak)} |`;
  });
  const { cores, node, date, revision } = newest;
  return {
    source: `on the same work: medians of alternating runs on ${cores} cores, Node ${node}, ${date}, revision \`${revision}\`. A ratio above 1 means that Terrane is faster`,
    table: `| work | Terrane | Terraform | ratio | Terrane's memory | Terraform's memory |
|---|---|---|---|---|---|
${rows.join('\n')}
`,
  };
}

/** The page of the newest recorded table. */
function measurements(): string {
  const { source, table } = newestTable();
  return `Frequent commands of Terrane next to Terraform 1.11.4, ${source}. [Performance](/evidence/performance/) describes how they are measured, with more workloads. OpenTofu and Pulumi are not measured; [the comparison](/comparison/) lists how they differ.

${table}
![Wall times by recorded run](/performance-history.svg)
`;
}

/** The page that compares programs, with the newest recorded table. */
function comparison(): string {
  const { source, table } = newestTable();
  const text = readFileSync(join(root, 'docs/comparison.md'), 'utf8').replace(/^# .*\n+/, '');
  return `${withSiteLinks(text, 'docs/comparison.md')}
## Measured

Terrane next to Terraform 1.11.4, ${source}.

${table}`;
}

/** The index of the site for language models, in the format of llmstxt.org. */
function indexForModels(index: string): string {
  const rows = index.matchAll(/^## (.*)$|^\| \[[^\]]*\]\(([\w-]+)\.md\) \| (.*) \|$/gm);
  const lines = Array.from(rows, ([, heading, name = '', content = '']) => {
    if (heading !== undefined) return `\n## ${heading}\n`;
    return `- [${titleOf(`docs/${name}.md`) ?? name}](${release.homepage}/${name}/): ${content}`;
  });
  return `# Terrane\n\n> Plans and applies Terraform and OpenTofu configurations, on the same states.\n${lines.join('\n')}\n`;
}

function overview(): string {
  return `---
title: Terrane
description: Plans and applies Terraform and OpenTofu configurations.
template: splash
hero:
  tagline: Plans and applies Terraform and OpenTofu configurations, on the same states, and says why.
  image:
    html: >-
      <img src="/images/explain.svg" width="839" height="546" alt="A terminal: terrane plan -explain shows the changes of a plan and their causes, down to the line of a variable.">
  actions:
    - text: Tutorial
      link: /tutorial/
      icon: right-arrow
    - text: Install
      link: /installation/
      variant: secondary
    - text: Playground
      link: /play/
      variant: secondary
      icon: open-book
---

import { Card, CardGrid } from '@astrojs/starlight/components';

\`\`\`sh
npm install terrane && npx terrane plan
\`\`\`

<CardGrid>
  <Card title="Compatible" icon="approve-check">Configurations, states and lock files are Terraform's. [Switch, and switch back](/migrate/) after any run.</Card>
  <Card title="Explains" icon="magnifier">[Explain](/explain/) names the cause of every action, down to the line or variable.</Card>
  <Card title="Crash-safe" icon="seti:lock">Each change is in [a journal](/state/) before anything is touched. The next run recovers it.</Card>
  <Card title="Fast" icon="rocket">Time and memory grow linearly. [Measured](/measurements/) against Terraform.</Card>
  <Card title="Typed providers" icon="seti:typescript">[Providers in TypeScript](/provider-sdk/) run in Terrane, Terraform and OpenTofu.</Card>
  <Card title="A library" icon="puzzle">Every command is [a function](/library/) with events instead of text.</Card>
</CardGrid>

## A killed run loses nothing

<img src="/images/recovery.svg" width="839" height="546" loading="lazy" alt="A terminal: an apply is killed; terrane state recover lists the changes that its journal has; the next apply continues." />

## Plans as pages

<a href="/play/"><picture>
  <source media="(prefers-color-scheme: dark)" srcset="/images/plan-page-dark.png" />
  <img src="/images/plan-page-light.png" width="1280" height="760" loading="lazy" alt="The page of a plan: a graph of resources in module frames, a list with changed resources first, and the planned change of the selected one." />
</picture></a>

\`terrane show -html PLAN\` writes this page. It needs no server, and the [playground](/play/) has it too.
`;
}
