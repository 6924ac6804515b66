import { cpuMilliseconds } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { askEverything } from './ask-everything.ts';
import { sampledFiles, seededNumbers, suiteFiles } from './sample-files.ts';

/** The time that all queries for one prefix may take, of the processor. */
const LIMIT_MS = 50;
const ATTEMPTS = 6;
const PREFIXES = 40;

it('answers at every prefix of files without an exception, and fast', () => {
  const next = seededNumbers(20);
  const slow: string[] = [];
  const files = sampledFiles(60, 3, '.tf', '.tftest.hcl', '.tfvars', '.tf.json', '.tofu');
  for (const { path, text } of files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (let i = 0; i < PREFIXES; i++) {
      const prefix = text.slice(0, next(text.length + 1));
      const measure = (): number => cpuMilliseconds(() => askEverything(prefix, name));
      // A measurement may include compilation, and garbage of others.
      if (Array.from({ length: ATTEMPTS }).every(() => measure() > LIMIT_MS))
        slow.push(`${path} at ${prefix.length}`);
    }
  }
  expect(files.length).toBeGreaterThan(30);
  expect(slow).toEqual([]);
});

it('answers at a prefix of every file without an exception', () => {
  const next = seededNumbers(21);
  const files = suiteFiles('.tf', '.hcl', '.tfvars', '.tf.json', '.tofu', '.tftpl', '.tfvars.json');
  for (const path of files) {
    const text = readFileSync(path, 'utf8');
    askEverything(text.slice(0, next(text.length + 1)), path.slice(path.lastIndexOf('/') + 1));
  }
  expect(files.length).toBeGreaterThan(1000);
});
