import type { Position, TextDocument } from 'vscode';

const HEADER =
  /^(resource|data|ephemeral|module|output|action)\s+"?([\p{L}_][\p{L}\p{N}_-]*)"?(?:\s+"?([\p{L}_][\p{L}\p{N}_-]*)"?)?\s*\{/u;

/** Returns the address of the block at a position; undefined outside of blocks that have one. */
export function addressAt(document: TextDocument, { line }: Position): string | undefined {
  for (let index = line; index >= 0; index--) {
    const text = document.lineAt(index).text;
    if (index < line && text.startsWith('}')) return undefined;
    const match = HEADER.exec(text);
    if (match === null) continue;
    const [, kind = '', first = '', second = ''] = match;
    if (kind === 'module' || kind === 'output') return `${kind}.${first}`;
    return kind === 'resource' ? `${first}.${second}` : `${kind}.${first}.${second}`;
  }
  return undefined;
}

/** Returns a pattern of the header of an object's block in its module's files; undefined for an unknown address. */
export function headerPattern(address: string): RegExp | undefined {
  const parts = address
    .replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, '')
    .replace(/^(?:module\.[^.]+\.)+/, '')
    .split('.');
  const [kind] = parts;
  const isMode = kind === 'data' || kind === 'ephemeral' || kind === 'action';
  const [type, name] = isMode ? parts.slice(1) : parts;
  if (type === undefined || name === undefined) return undefined;
  const escaped = [type, name].map((part) => part.replace(/[^\p{L}\p{N}_-]/gu, ''));
  return new RegExp(
    `^[ \\t]*${isMode ? kind : 'resource'}[ \\t]+"?${escaped[0]}"?[ \\t]+"?${escaped[1]}"?[ \\t]*\\{`,
    'm',
  );
}
