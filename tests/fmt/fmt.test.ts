import { readFileSync } from 'node:fs';
import { formatSource, hasErrors, parseHcl, parseNative, printHcl, Source } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { Chance } from '../fuzz/chance.ts';
import { FileMaker } from './generate.ts';

interface Recorded {
  readonly terraform: string;
  readonly files: readonly { readonly source: string; readonly formatted: string }[];
}

const recorded = JSON.parse(
  readFileSync(new URL('recorded.json', import.meta.url), 'utf8'),
) as Recorded;

/** Files without syntax errors that have nothing that a formatter rewrites. */
function* plainFiles(count: number): Iterable<string> {
  for (let seed = 0; count > 0; seed++) {
    const text = new FileMaker(new Chance(seed), false).file();
    if (hasErrors(parseNative(new Source('made.tf', text)).diagnostics)) continue;
    yield text;
    count--;
  }
}

function canonical(text: string): string | undefined {
  try {
    return printHcl(parseHcl(text).body);
  } catch {
    // Some odd files have what cannot be printed.
    return undefined;
  }
}

describe('fmt of unusual files', () => {
  it('returns the result of terraform', () => {
    expect(recorded.files.length).toBeGreaterThan(40);
    for (const { source, formatted } of recorded.files)
      expect(formatSource(source)).toBe(formatted);
  });

  it('changes space and byte order marks only', () => {
    const solid = (text: string): string => text.replaceAll(/[ \t\uFEFF]/g, '');
    for (const text of plainFiles(150)) expect(solid(formatSource(text))).toBe(solid(text));
  });

  it('does not change the meaning', () => {
    let compared = 0;
    for (const text of plainFiles(150)) {
      const meaning = canonical(text);
      if (meaning === undefined) continue;
      expect(canonical(formatSource(text))).toBe(meaning);
      compared++;
    }
    expect(compared).toBeGreaterThan(100);
  });

  it('changes nothing when it is done again', () => {
    for (const text of plainFiles(150)) {
      const once = formatSource(text);
      expect(formatSource(once)).toBe(once);
    }
  });
});
