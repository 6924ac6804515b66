/**
 * Records what OpenTofu does with the cases: the states that it writes, and that it reads those of Terrane. Needs the
 * program that scripts/oracle/install-programs.mjs builds, and the built program of Terrane.
 *
 *     npm run ts -- tests/encryption/record.ts [NAME…]
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { CASES } from './cases.ts';
import { recordedPath, type Recorded } from './recorded.ts';
import { outputOf, placeFor, terrane, tofu, tofuVersion } from './run.ts';

const wanted = process.argv.slice(2);
await mkdir(recordedPath(''), { recursive: true });
const version = tofuVersion();
for (const each of CASES) {
  if (wanted.length > 0 && !wanted.includes(each.name)) continue;
  await using place = await placeFor(each);
  tofu(place, ['init', '-input=false']);
  tofu(place, ['apply', '-auto-approve', '-input=false']);
  const state = await place.read('terraform.tfstate');
  // As OpenTofu reads what Terrane makes of it.
  terrane(place, ['init', '-input=false']);
  terrane(place, ['apply', '-auto-approve', '-input=false', '-var=text=marker-second']);
  const ours = await place.read('terraform.tfstate');
  const read = outputOf(tofu(place, ['output', '-json']));
  tofu(place, ['plan', '-detailed-exitcode', '-input=false', '-var=text=marker-second']);
  const recorded: Recorded = { by: `OpenTofu ${version}`, state, ours, read };
  await writeFile(recordedPath(each.name), `${JSON.stringify(recorded, null, 2)}\n`);
  console.log(`recorded ${each.name}`);
}
