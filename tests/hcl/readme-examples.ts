import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';

/** An example of the README: a module, and what it prints. */
export interface Example {
  readonly heading: string;
  readonly code: string;
  readonly output: string;
}

/** The examples in the README of packages/hcl; `// → …` says what a line prints. */
export function readmeExamples(): readonly Example[] {
  const text = readFileSync(join(root, 'packages/hcl/README.md'), 'utf8');
  const examples: Example[] = [];
  let heading = '';
  for (const part of text.matchAll(/^## (.*)$|^```ts\n([^]*?)^```$/gm)) {
    heading = part[1] ?? heading;
    const code = part[2];
    if (code === undefined) continue;
    const output = [...code.matchAll(/\/\/ →(?: (.*))?$/gm)]
      .map((line) => line[1] ?? '')
      .join('\n');
    examples.push({ heading, code, output });
  }
  return examples;
}

/** Returns the output without the empty lines that trailing newlines of a text cause. */
export function comparable(printed: string): string {
  return printed.replace(/\n+$/gm, '\n').trim();
}
