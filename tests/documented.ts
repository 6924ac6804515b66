// Pages whose examples are outputs: a test compares them, or writes them with UPDATE_DOCS=1.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect } from 'vitest';

const BLOCK = /```console\n(.*?)```/gs;

/** Expects that the `console` blocks of a page in `docs` are these, in this order. */
export async function expectDocumented(name: string, blocks: readonly string[]): Promise<void> {
  const path = resolve(import.meta.dirname, '../docs', name);
  const page = await readFile(path, 'utf8');
  const shown = [...page.matchAll(BLOCK)].map(([, text]) => text);
  if (process.env['UPDATE_DOCS'] === '1') {
    expect(shown).toHaveLength(blocks.length);
    let index = 0;
    const updated = page.replaceAll(BLOCK, () => `\`\`\`console\n${blocks[index++] ?? ''}\`\`\``);
    await writeFile(path, updated);
    return;
  }
  expect(shown).toEqual(blocks);
}
