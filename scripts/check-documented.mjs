// Every export of the packages has a doc comment; overloads after the first, and what implements them, share its.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const) (\w+)/;

const sources = readdirSync(join(root, 'packages'), { recursive: true }).filter(
  (path) =>
    /^[\w-]+[\\/]src[\\/].*\.ts$/.test(path) &&
    !/\.test\.ts$|[\\/](?:fixtures|recorded)[\\/]/.test(path),
);
let missing = 0;
for (const path of sources.sort()) {
  const lines = readFileSync(join(root, 'packages', path), 'utf8').split('\n');
  const documented = new Set();
  for (const [at, line] of lines.entries()) {
    const name = EXPORT.exec(line)?.[1];
    if (name === undefined) continue;
    let above = at - 1;
    while (lines[above]?.startsWith('//')) above -= 1;
    if (lines[above]?.trimEnd().endsWith('*/')) documented.add(name);
    if (documented.has(name)) continue;
    missing += 1;
    console.error(`packages/${path}:${at + 1} ${name} has no doc comment`);
  }
}
console.log(missing === 0 ? 'every export has a doc comment' : `${missing} have none`);
process.exit(missing === 0 ? 0 : 1);
