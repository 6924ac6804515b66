// Published programs that run Terraform, or read the JSON that it prints, unchanged: with Terrane they come to
// the same results.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInstalled, PROVIDERS } from '../../scripts/oracle/install-providers.mjs';
import { findTerraform } from '../differential/program.ts';
import { installShim, Workplace } from './drive.ts';

const here = import.meta.dirname;
const terraform = findTerraform();
const hasPython = spawnSync('python3', ['-m', 'venv', '--help'], { stdio: 'ignore' }).status === 0;
const missing = [
  ...(hasPython ? [] : ['python3 with venv']),
  ...(terraform === undefined ? ['terraform on PATH'] : []),
  ...(isInstalled({ type: 'time', version: PROVIDERS['time']?.version ?? '' })
    ? []
    : ['provider time (scripts/oracle/install-providers.mjs)']),
];

it.runIf(process.env['CI'] === 'true')('nothing is missing that these tests need', () => {
  expect(missing).toEqual([]);
});

describe.skipIf(missing.length > 0)('published programs', () => {
  let consumers: string;
  let shims: string;
  const places: Workplace[] = [];

  beforeAll(async () => {
    shims = mkdtempSync(join(tmpdir(), 'terrane-shim-'));
    const installed = spawnSync(join(here, '../../scripts/install-consumers.sh'), {
      encoding: 'utf8',
    });
    expect(installed.stderr).toBe('');
    consumers = join(installed.stdout.trim(), 'bin');
    for (const program of [installShim(shims), terraform?.command ?? '']) {
      const place = new Workplace('whole');
      places.push(place);
      await place.run(program, ['init']);
      await place.run(program, ['apply', '-auto-approve', '-var=name=first']);
      await place.run(program, ['plan', '-out=saved', '-var=name=second']);
      place.write('plan.json', await place.run(program, ['show', '-json', 'saved']));
    }
  }, 300_000);

  afterAll(() => {
    for (const place of places) place.remove();
    rmSync(shims, { recursive: true, force: true });
  });

  it.each([
    [
      'tfsumpy',
      'markdown',
      ['plan.json', '--detailed', '--output=markdown'],
      /offset_days\*\*: 5 → 6/,
    ],
    ['tfsumpy', 'JSON', ['plan.json', '--output=json'], /"total_resources": 7/],
    ['terraplanfeed', 'text', ['-t', 'plan.json'], /terraform_data\.one/],
    [
      'terraform-compliance',
      'policies',
      ['--no-failure', `--features=${join(here, 'consumers/features')}`, '--planfile=plan.json'],
      /[1-9]\d* passed.*\n.*steps/,
    ],
  ])('%s makes the same of a plan as %s', async (program, _, args, expected) => {
    const [ours, theirs] = await Promise.all(
      places.map(async (place) => {
        const printed = await place.run(join(consumers, program), args);
        return printed.replace(/Run <id \d+> finished within.*|\d{4}-\d\d-\d\d[T ][\d:.]+/g, '');
      }),
    );
    expect(ours).toBe(theirs);
    expect(ours).toMatch(expected);
  });

  it('tftest and python-terraform get the same from the shim as from terraform', async () => {
    const results: unknown[] = [];
    for (const program of [join(shims, 'terraform'), terraform?.command ?? '']) {
      const place = new Workplace('whole');
      try {
        const script = join(here, 'consumers/drive.py');
        const python = join(consumers, 'python');
        results.push(JSON.parse(await place.run(python, [script, program, place.directory])));
      } finally {
        place.remove();
      }
    }
    expect(results[0]).toEqual(results[1]);
    expect(results[0]).toMatchObject({ 'plan with changes': [2, ''], 'plan without': [0, ''] });
  });
});
