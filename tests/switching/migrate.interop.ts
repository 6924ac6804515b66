// Runs the commands of docs/migrate.md block by block on a configuration with modules, a published
// provider, a lock file and two workspaces, whose states the real terraform has made.
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isInstalled, PROVIDERS } from '../../scripts/oracle/install-providers.mjs';
import { MOTO, startMoto, type Moto } from '../backends/moto.ts';
import { findTerraform } from '../differential/program.ts';
import { Workplace } from './drive.ts';

const repository = join(import.meta.dirname, '../..');
const missing = [
  ...(findTerraform() === undefined ? ['terraform on PATH'] : []),
  ...(MOTO ? [] : ['moto (scripts/install-moto.sh)']),
  ...(isInstalled({ type: 'time', version: PROVIDERS['time']?.version ?? '' })
    ? []
    : ['provider time (scripts/oracle/install-providers.mjs)']),
];

it.runIf(process.env['CI'] === 'true')('nothing is missing that these tests need', () => {
  expect(missing).toEqual([]);
});

/** The blocks of commands below a heading of the page. */
function commandsOf(heading: string): readonly string[] {
  const page = readFileSync(join(repository, 'docs/migrate.md'), 'utf8');
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`));
  const blocks = [...(section ?? '').matchAll(/^```sh\n([^]*?)^```/gm)].map(
    ([, text = '']) => text,
  );
  expect(blocks, heading).not.toEqual([]);
  return blocks;
}

let moto: Moto | undefined;
beforeAll(async () => {
  if (missing.length === 0) moto = await startMoto();
});
afterAll(() => moto?.stop());

const s3 = (): string => `terraform {
  backend "s3" {
    bucket         = "bucket"
    key            = "migrated"
    region         = "us-east-1"
    use_path_style = true
    use_lockfile   = true
    endpoints      = { s3 = "${moto?.endpoint ?? ''}", sts = "${moto?.endpoint ?? ''}" }
  }
}
`;

it.skipIf(missing.length > 0).each([
  ['here', () => ''],
  ['in S3', s3],
])('the page leads there and back, with states %s', async (_, backend) => {
  const place = new Workplace('whole');
  const more = {
    PATH: [join(repository, 'bin'), process.env['PATH']].join(delimiter),
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    // Whoever follows the page has set nothing.
    TERRANE_BUNDLED_PROVIDERS: '',
  };
  const follow = async (commands: string): Promise<string> =>
    await place.run('sh', ['-ec', commands], more);
  try {
    place.write('backend.tf', backend());
    place.write('terraform.tfvars', 'name = "first"\n');
    await follow(`terraform init
      terraform apply -auto-approve
      terraform workspace new staging
      terraform apply -auto-approve
      terraform workspace select default`);
    const [before = '', there = ''] = commandsOf('Switch to Terrane');
    expect(await follow(before)).toContain('No changes.');
    const arrived = await follow(there);
    expect(arrived.match(/No changes\./g)).toHaveLength(2);

    place.write('terraform.tfvars', 'name = "second"\n');
    for (const commands of commandsOf('Work with Terrane')) {
      expect(await follow(commands)).toMatch(/Apply complete! Resources: \d added, [1-9]/);
    }
    // The other workspace is worked on too, by the other program.
    await follow('TF_WORKSPACE=staging terraform apply -auto-approve');

    for (const commands of commandsOf('Switch back')) {
      expect((await follow(commands)).match(/No changes\./g)).toHaveLength(2);
    }
  } finally {
    place.remove();
  }
});

it('the page contains the current shim', async () => {
  const place = new Workplace('whole');
  try {
    const PATH = [join(repository, 'bin'), process.env['PATH']].join(delimiter);
    for (const commands of commandsOf('Programs that run Terraform')) {
      expect(await place.run('sh', ['-ec', commands], { PATH })).toContain('Terraform v1.11.4');
    }
  } finally {
    place.remove();
  }
});
