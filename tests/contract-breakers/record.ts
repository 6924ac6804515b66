// Records what Terraform does with each case: `npm run ts -- tests/contract-breakers/record.ts [CASE…]`
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPlugin } from './build-plugin.ts';
import { CASES } from './cases.ts';
import { type Outcome, runCase } from './run-case.ts';

const path = join(import.meta.dirname, 'recorded/terraform.json');
const source = 'terraform 1.11.4, recorded by tests/contract-breakers/record.ts';
const named = process.argv.slice(2);
const recorded = existsSync(path)
  ? (JSON.parse(readFileSync(path, 'utf8')) as { outcomes: Record<string, Outcome> }).outcomes
  : {};
const outcomes: Record<string, Outcome> = {};
const plugin = await buildPlugin();
try {
  for (const each of CASES) {
    // Those that are named, or else those that are new.
    const known = named.includes(each.name) ? undefined : recorded[each.name];
    outcomes[each.name] = known ?? runCase({ command: 'terraform', plugin }, each);
    writeFileSync(path, `${JSON.stringify({ source, outcomes }, undefined, 1)}\n`);
  }
} finally {
  rmSync(plugin, { recursive: true });
}
console.log(`${Object.keys(outcomes).length} cases recorded`);
