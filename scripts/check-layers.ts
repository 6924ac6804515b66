/** Prints violations of the layers of ARCHITECTURE.md and catches that hide internal errors; fails if there are any. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProblems } from './layers/rules.ts';
import { readTree } from './layers/tree.ts';
import { root } from './root.ts';
import { isCounted } from './style/counted-files.ts';
import { catchProblems } from './style/untyped-catches.ts';

const { files, packages, shared } = readTree(root);
const sources = files
  .filter(({ path }) => isCounted(path))
  .map(({ path }) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
const problems = [...findProblems(files, packages, shared), ...catchProblems(sources)];
for (const { path, line, message } of problems) console.error(`${path}:${line}: ${message}`);
console.log(`${files.length} files, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
