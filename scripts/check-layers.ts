/** Prints what breaks the layers of ARCHITECTURE.md and fails where anything does. */
import { findProblems } from './layers/rules.ts';
import { readTree } from './layers/tree.ts';
import { root } from './root.ts';

const { files, packages, shared } = readTree(root);
const problems = findProblems(files, packages, shared);
for (const { path, line, message } of problems) console.error(`${path}:${line}: ${message}`);
console.log(`${files.length} files, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
