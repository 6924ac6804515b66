import { expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { askEverything } from './ask-everything.ts';
import { sampledFiles, seededNumbers, suiteFiles } from './sample-files.ts';

const PREFIXES = 40;

it('answers at every prefix of files without an exception', () => {
  const next = seededNumbers(20);
  const files = sampledFiles(60, 3, '.tf', '.tftest.hcl', '.tfvars', '.tf.json', '.tofu');
  for (const { path, text } of files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (let i = 0; i < PREFIXES; i++) {
      askEverything(text.slice(0, next(text.length + 1)), name);
    }
  }
  expect(files.length).toBeGreaterThan(30);
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
