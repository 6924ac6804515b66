import { join } from 'node:path';
import { root } from '../../scripts/root.ts';

/** The built program, as editors start it. */
export const TERRANE_LSP: readonly [file: string, ...args: string[]] = [
  join(root, 'bin/terrane'),
  'lsp',
  '-stdio',
];
