import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { goDeflate } from './go-deflate.ts';
import { sampleText } from './recorded/deflate-samples.ts';

// Recorded from Go's compress/gzip by recorded/deflate.mjs: the compressed samples, without the frame.
const recorded = JSON.parse(
  readFileSync(new URL('recorded/deflate.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, { readonly length: number; readonly sha256: string }>>;

test.each(Object.entries(recorded))('compresses as Go does: %s', (name, { length, sha256 }) => {
  const text = sampleText(name);
  const made = goDeflate(text);
  expect(made.length).toBe(length);
  expect(createHash('sha256').update(made).digest('hex')).toBe(sha256);
  expect(inflateRawSync(made).equals(text)).toBe(true);
});
