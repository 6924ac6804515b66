// Records the migrations of the real terraform:
//   npm run ts -- tests/backends/migrations/record.ts [NAME…]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { terraformRun } from '../remote-runs/terraform-run.ts';
import { move } from './migration.ts';
import { MIGRATIONS, SERVED_MIGRATIONS } from './migrations.ts';
import { Servers } from './served.ts';

const folder = new URL('recorded/', import.meta.url).pathname;
mkdirSync(folder, { recursive: true });
const asked = process.argv.slice(2);
await using servers = new Servers();
const queue = [...MIGRATIONS, ...SERVED_MIGRATIONS].filter(
  ({ name }) => asked.length === 0 || asked.includes(name),
);
const work = async (): Promise<void> => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    await using served = await servers.for(next.name, next.from, next.to);
    const moved = await move(next, terraformRun, served);
    writeFileSync(join(folder, `${next.name}.json`), `${JSON.stringify(moved, undefined, 1)}\n`);
    console.log(next.name, moved.told.exit, JSON.stringify(moved.states), moved.selected);
  }
};
await Promise.all(Array.from({ length: 4 }, work));
