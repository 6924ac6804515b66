import { parseJson } from './json.ts';
import type { LegacyFile } from './node.ts';
import { parseNative } from './parser.ts';

/** Parses a CLI configuration file, which is HCL 1: JSON if it begins with a brace. Throws a LegacySyntaxError. */
export function parseLegacy(text: string): LegacyFile {
  const isJson = /^\s*\{/.test(text);
  return { items: isJson ? parseJson(text) : parseNative(text), isJson };
}
