// Edits that accompany an undone change: references to a removed block become invalid, and a restored block may need
// others that were removed since.
import { dirname, join, normalize } from 'node:path';

type Files = Readonly<Record<string, string>>;

/** A block at the top of a file. */
interface Block {
  readonly file: string;
  /** its first line, without the brace */
  readonly header: string;
  /** the first line, from 0, and the one after the last */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Files in which something is undone, made to go together again, and the first lines of what was taken out for that. */
export interface Repaired {
  readonly files: Files;
  readonly removed: readonly string[];
}

const NATIVE = /\.(tf|tofu)$/;

/** The blocks at the top of a file. */
function blocksOf(file: string, text: string): readonly Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  for (let start = 0; start < lines.length; start++) {
    const line = (lines[start] ?? '').trimEnd();
    const header = /^(\w[^{]*?)\s*\{/.exec(line)?.[1];
    if (header === undefined) continue;
    const closing = lines.findIndex((candidate, at) => at > start && candidate.trimEnd() === '}');
    const end = line.endsWith('}') || closing < 0 ? start + 1 : closing + 1;
    blocks.push({ file, header, start, end, text: lines.slice(start, end).join('\n') });
    start = end - 1;
  }
  return blocks;
}

function allBlocks(files: Files): readonly Block[] {
  return Object.entries(files).flatMap(([file, text]) =>
    NATIVE.test(file) ? blocksOf(file, text) : [],
  );
}

/** Returns the reference that other blocks use; undefined for blocks that cannot be referred to. */
function referenceTo(header: string): string | undefined {
  const [kind, first, second] = header.match(/\w[\w-]*/g) ?? [];
  switch (kind) {
    case 'resource':
      return `${first}.${second}`;
    case 'data':
    case 'ephemeral':
    case 'action':
      return `${kind}.${first}.${second}`;
    case 'module':
      return `module.${first}`;
    case 'variable':
      return `var.${first}`;
    default:
      return undefined;
  }
}

/** The files with something else in the place of references to blocks that are there no more. */
export function withoutReferences(before: Files, after: Files): Files {
  const kept = new Set(allBlocks(after).map(({ file, header }) => `${dirname(file)} ${header}`));
  const result = { ...after };
  for (const { file, header } of allBlocks(before)) {
    const reference = referenceTo(header);
    if (reference === undefined || kept.has(`${dirname(file)} ${header}`)) continue;
    for (const [name, text] of Object.entries(result))
      if (NATIVE.test(name) && dirname(name) === dirname(file))
        result[name] = withoutReference(text, reference);
  }
  return result;
}

const LISTS =
  /((?:depends_on|replace_triggered_by|actions)\s*=\s*\[)([^\]]*(?:\[[^\]]*\][^\]]*)*)\]/g;

function withoutReference(text: string, reference: string): string {
  const pattern = `(?<![\\w.-])${reference.replaceAll('.', '\\.')}(?![\\w-])((?:\\.[\\w*-]+|\\[[^\\]\\n]*\\])*)`;
  // In a list that permits only references, one reference is removed.
  const listed = text.replaceAll(LISTS, (_, head: string, items: string) => {
    const kept = items.split(',').filter((item) => !new RegExp(`^\\s*${pattern}\\s*$`).test(item));
    return `${head}${kept.join(',')}]`;
  });
  return listed
    .split('\n')
    .map((line) => {
      if (/^\s*(from|to|target|provider)\s*=/.test(line) || /^\w+ "/.test(line)) return line;
      const isKeyed = /^\s*for_each\s*=/.test(line);
      return line.replaceAll(new RegExp(pattern, 'g'), (_, rest: string) => {
        if (rest.includes('[*]') || rest.includes('.*')) return '[]';
        return rest === '' && isKeyed
          ? '{}'
          : rest === '' && /\b(for|values|length)\b/.test(line)
            ? '{}'
            : '"gone"';
      });
    })
    .join('\n');
}

/**
 * The files with what errors are about repaired: what is not declared any more is put back as it was, and blocks that cannot
 * stand are taken out. Undefined where nothing can be done about them.
 */
export function repaired(files: Files, earlier: Files, errors: string): Repaired | undefined {
  const back = putBack(files, earlier, errors);
  if (back !== undefined) return { files: back, removed: [] };
  const blocks = allBlocks(files);
  const chosen = new Set<Block>();
  for (const [, statement = ''] of errors.matchAll(/declares that (\S+) was removed/g)) {
    const from = new RegExp(`from\\s*=\\s*${statement.replaceAll(/[.[\]]/g, '\\$&')}\\s`);
    for (const block of blocks)
      if (block.header === 'removed' && from.test(block.text)) chosen.add(block);
  }
  if (chosen.size === 0) {
    for (const [, path = '', line = ''] of errors.matchAll(/\bon (\S+) line (\d+)/g)) {
      const at = Number(line) - 1;
      for (const block of blocks)
        if (block.file === normalize(path) && block.start <= at && at < block.end)
          chosen.add(block);
    }
  }
  if (chosen.size === 0) return undefined;
  const result = { ...files };
  for (const { file, start, end } of [...chosen].sort((a, b) => b.start - a.start)) {
    const lines = (result[file] ?? '').split('\n');
    lines.splice(start, end - start);
    result[file] = lines.join('\n');
  }
  return { files: result, removed: [...chosen].map(({ header }) => header) };
}

/** The files with the blocks of an earlier configuration that errors miss; undefined where there are none. */
function putBack(files: Files, earlier: Files, errors: string): Files | undefined {
  const wanted = new Set<string>();
  const miss = (pattern: RegExp, kind: string): void => {
    for (const [, first = '', second] of errors.matchAll(pattern))
      wanted.add(second === undefined ? `${kind} "${first}"` : `${kind} "${first}" "${second}"`);
  };
  miss(/An input variable with the name "([^"]+)"/g, 'variable');
  miss(/No module call named "([^"]+)"/g, 'module');
  miss(/A managed resource "([^"]+)" "([^"]+)" has not/g, 'resource');
  miss(/A data resource "([^"]+)" "([^"]+)" has not/g, 'data');
  const locals = [...errors.matchAll(/A local value with the name "([^"]+)"/g)].map(
    ([, name = '']) => new RegExp(`^\\s*${name}\\s*=`, 'm'),
  );
  const there = new Set(allBlocks(files).map(({ file, header }) => `${dirname(file)} ${header}`));
  const missing = allBlocks(earlier).filter(
    ({ file, header, text }) =>
      (wanted.has(header) && !there.has(`${dirname(file)} ${header}`)) ||
      (header === 'locals' && locals.some((local) => local.test(text))),
  );
  if (missing.length === 0) return undefined;
  const result = { ...files };
  for (const { file, text } of missing) {
    const name = NATIVE.test(file) ? join(dirname(file), 'put-back.tf') : file;
    result[name] = `${result[name] ?? ''}\n${text}\n`;
  }
  return result;
}

/** Returns true if one of the removed blocks contains an address, or calls its module. */
export function holds(removed: readonly string[], address: string): boolean {
  const plain = address.replaceAll(/\[[^\]]*\]/g, '');
  return removed.some((header) => {
    if (/^(locals|variable|import|moved|removed|check)\b/.test(header)) return false;
    const output = /^output "([^"]+)"/.exec(header)?.[1];
    const reference = output === undefined ? referenceTo(header) : `output.${output}`;
    return reference !== undefined && `.${plain}.`.includes(`.${reference}.`);
  });
}

/** The text of a JSON file without a block, or an argument of that name, at a path; undefined where there is none. */
export function withoutJsonBlock(text: string, path: readonly string[]): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  const kept = without(parsed, path);
  return kept === parsed ? undefined : JSON.stringify(kept, undefined, 2);
}

/** A value without what is at a path in it, through lists; the same value where there is nothing. */
function without(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const kept = value.map((element: unknown) => without(element, [name, ...rest]));
    return kept.every((element, at) => element === value[at]) ? value : kept;
  }
  const entries = Object.entries(value);
  const inner = entries.find(([key]) => key === name);
  if (inner === undefined) return value;
  if (rest.length === 0) return Object.fromEntries(entries.filter(([key]) => key !== name));
  const changed = without(inner[1], rest);
  if (changed === inner[1]) return value;
  return Object.fromEntries(entries.map(([key, member]) => [key, key === name ? changed : member]));
}
