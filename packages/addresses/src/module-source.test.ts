import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { moduleSourceText, parseModuleSource } from './module-source.ts';

interface Recorded {
  readonly input: string;
  readonly error?: string;
  readonly kind?: string;
  readonly text?: string;
  readonly package?: string;
  readonly subdirectory?: string;
}

/** Results of Terraform's source-address parser. */
const RECORDED = JSON.parse(
  readFileSync(new URL('recorded/module-sources.json', import.meta.url), 'utf8'),
) as { readonly sources: readonly Recorded[] };

describe('a source address', () => {
  it.each(RECORDED.sources.map((source) => [source.input, source] as const))(
    'is understood as by Terraform: %j',
    (input, recorded) => {
      const parsed = parseModuleSource(input, false);
      if (recorded.error !== undefined) {
        expect(parsed).toHaveProperty('error', recorded.error);
        return;
      }
      if ('error' in parsed) throw new Error(parsed.error);
      const { source } = parsed;
      expect(source.kind).toBe(recorded.kind);
      expect(moduleSourceText(source)).toBe(recorded.text);
      if (source.kind === 'remote') {
        expect(source.package).toBe(recorded.package);
        expect(source.subdirectory).toBe(recorded.subdirectory);
      }
    },
  );
});
