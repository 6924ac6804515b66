import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure, median } from './measure.ts';
import { APPLY } from './commands.ts';

/** The limit for the cost of a further change in a large state, relative to a small one. */
const GOAL = 1.5;
const ROUNDS = 5;
const CHANGES = 1_000;
const INIT = ['init', '-input=false'];

/**
 * Measures a single change, with its intent and its result on disk, in a small and in a large state: the difference between an apply that makes 1,001 of them and one that makes one, by rounds of both in turn.
 */
export async function changeCost(
  sizes: readonly [number, number],
  scratch: string,
  terrane: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<boolean> {
  const folders = sizes.map((size) => {
    const folder = join(scratch, `change-cost-${size}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'main.tf'), configuration(size));
    return folder;
  });
  for (const folder of folders) {
    await measure([...terrane, ...INIT], folder, environment);
    await measure([...terrane, ...APPLY], folder, environment);
  }
  const costs: number[][] = folders.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, folder] of folders.entries()) {
      const took = async (changed: number): Promise<number> => {
        const copy = `${folder}-copy`;
        cpSync(folder, copy, { recursive: true });
        const command = [...APPLY, '-refresh=false', `-var=changed=${changed}`];
        const { seconds } = await measure([...terrane, ...command], copy, environment);
        rmSync(copy, { recursive: true });
        return seconds;
      };
      const few = await took(1);
      costs[index]?.push((1000 * ((await took(1 + CHANGES)) - few)) / CHANGES);
    }
  }
  const [small = Number.NaN, large = Number.NaN] = costs.map(median);
  const ratio = large / small;
  const met = ratio <= GOAL;
  const each = sizes.map((size, index) => {
    const all = costs[index] ?? [];
    const spread = `${Math.min(...all).toFixed(2)}–${Math.max(...all).toFixed(2)}`;
    return `among ${size} ${median(all).toFixed(2)} ms (${spread})`;
  });
  process.stdout.write(
    `${'change-cost'.padEnd(20)} one more change: ${each.join(' · ')} · ${ratio.toFixed(2)} times · goal ${GOAL}: ${met ? 'met' : 'MISSED'}\n`,
  );
  return met;
}

function configuration(size: number): string {
  return `variable "changed" {
  default = 0
}

resource "terraform_data" "one" {
  count = ${size}
  input = "value \${count.index}"
}

resource "local_file" "changing" {
  count    = var.changed
  filename = "\${path.module}/made/\${count.index}"
  content  = "x"
}
`;
}
