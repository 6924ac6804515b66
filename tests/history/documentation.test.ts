// Every command that docs/history.md shows is run here, in this order, and must print what the page shows.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Workbench } from 'terrane/testing';

const PAGE = join(import.meta.dirname, '../../docs/history.md');

const FIRST = `variable "size" {
  type    = number
  default = 1
}

resource "terraform_data" "server" {
  input = { size = var.size, zone = "a" }
}
`;

const SECOND = `${FIRST}
resource "terraform_data" "disk" {
  input = "for \${terraform_data.server.id}"
}
`;

/** A file to write, a command to run, or a command whose output the page shows. */
type Step =
  | { readonly write: string }
  | { readonly run: string; readonly environment?: Readonly<Record<string, string>> }
  | { readonly shown: string; readonly input?: readonly string[] };

const STEPS: readonly Step[] = [
  { write: FIRST },
  { run: 'apply -auto-approve' },
  { write: SECOND },
  { run: 'apply -auto-approve -var size=2' },
  { run: 'taint terraform_data.disk', environment: { TERRANE_ACTOR: 'agent:reviewer' } },
  { shown: 'history' },
  { shown: 'history terraform_data.server' },
  { shown: 'history show last' },
  { shown: 'history diff FIRST last' },
  { shown: 'state restore -dry-run FIRST' },
  { shown: 'undo -plan-only' },
];

it('every command in the documentation of the history prints what the page shows', async () => {
  const bench = new Workbench();
  let first = '';
  let page = readFileSync(PAGE, 'utf8');
  expect(page.match(/^```console\n\$ terrane /gm)).toHaveLength(
    STEPS.filter((step) => 'shown' in step).length,
  );
  for (const step of STEPS) {
    if ('write' in step) {
      await bench.write('main.tf', step.write);
      continue;
    }
    const command = ('run' in step ? step.run : step.shown).replace('FIRST', first);
    const environment = 'run' in step ? (step.environment ?? {}) : {};
    const input = 'input' in step ? { input: step.input } : {};
    const { stdout, stderr } = await bench.run(`${command} -no-color`, { environment, ...input });
    expect(stderr).toBe('');
    await bench.clock.advance(60_000);
    if (first === '') first = await lastRun(bench);
    if (!('shown' in step)) continue;
    const start = page.indexOf(`\n$ terrane ${command}\n`);
    expect(start, `the page shows ${command}`).toBeGreaterThan(0);
    const shownFrom = start + `\n$ terrane ${command}\n`.length;
    const shownTo = page.indexOf('\n```', shownFrom - 1) + 1;
    // `UPDATE_HISTORY_PAGE=1 npx vitest run tests/history` writes the outputs into the page.
    if (process.env['UPDATE_HISTORY_PAGE'] === '1')
      page = page.slice(0, shownFrom) + stdout + page.slice(shownTo);
    else expect(page.slice(shownFrom, shownTo)).toBe(stdout);
  }
  if (process.env['UPDATE_HISTORY_PAGE'] === '1') writeFileSync(PAGE, page);
});

async function lastRun(bench: Workbench): Promise<string> {
  const { stdout } = await bench.run('history -json');
  const { runs } = JSON.parse(stdout) as { readonly runs: readonly { readonly id: string }[] };
  return runs[0]?.id ?? '';
}
