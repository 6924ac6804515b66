// Plays the scenarios with the real terraform and writes down what it says and asks:
//   npm run ts -- tests/backends/remote-runs/record.ts [material | NAME…]
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTerraform } from '../../differential/program.ts';
import type { Material } from './material.ts';
import type { Played } from './scenario.ts';
import { terraformRun } from './terraform-run.ts';

const folder = new URL('recorded/', import.meta.url).pathname;
const terraform = findTerraform();
if (terraform === undefined) throw new Error('there is no terraform on PATH');
const { command } = terraform;
mkdirSync(folder, { recursive: true });

if (process.argv[2] === 'material') {
  writeFileSync(join(folder, 'material.json'), `${JSON.stringify(material(), undefined, 1)}\n`);
} else {
  const [{ SCENARIOS }, { play }] = await Promise.all([
    import('./scenarios.ts'),
    import('./scenario.ts'),
  ]);
  const asked = process.argv.slice(2);
  const chosen = SCENARIOS.filter(({ name }) => asked.length === 0 || asked.includes(name));
  // Most of the time is spent waiting.
  const queue = [...chosen];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const played: Played = await play(next, terraformRun);
      writeFileSync(join(folder, `${next.name}.json`), `${JSON.stringify(played, undefined, 1)}\n`);
      console.log(next.name, played.steps.map(({ exit }) => exit).join(' '));
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
}

function material(): Material {
  const directory = mkdtempSync(join(tmpdir(), 'terrane-material-'));
  const env = { PATH: process.env['PATH'], HOME: directory, CHECKPOINT_DISABLE: '1' };
  const tf = (...args: string[]): string => {
    try {
      return execFileSync(command, args, { cwd: directory, env, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  };
  const write = (text: string): void => writeFileSync(join(directory, 'main.tf'), text);
  try {
    const body = `resource "terraform_data" "x" {
  input = "first"
}

resource "terraform_data" "secret" {
  input = sensitive("hidden")

  provisioner "local-exec" {
    command = "echo told"
  }
}

output "list" {
  value = ["a", { b = 1 }, null]
}

output "secret" {
  value     = terraform_data.secret.output
  sensitive = true
}

output "value" {
  value = terraform_data.x.output
}
`;
    write(body);
    tf('init', '-no-color');
    const header = 'Terraform v1.11.4\non linux_amd64\nInitializing plugins and modules...\n';
    const planLog = header + tf('plan', '-no-color');
    const planJsonLog = tf('plan', '-json', '-out=p');
    const json = tf('show', '-json', 'p');
    const schemas = JSON.parse(tf('providers', 'schema', '-json')) as Record<string, unknown>;
    const of = JSON.parse(json) as Record<string, unknown>;
    const redacted = JSON.stringify({
      plan_format_version: of['format_version'],
      resource_changes: of['resource_changes'],
      resource_drift: of['resource_drift'],
      output_changes: of['output_changes'],
      relevant_attributes: of['relevant_attributes'],
      provider_format_version: schemas['format_version'],
      provider_schemas: schemas['provider_schemas'],
    });
    const applyJsonLog = `${versionLine(planJsonLog)}\n`.repeat(3) + tf('apply', '-json', 'p');
    write(body.replace('"first"', '"second"'));
    const applyLog = header + tf('apply', '-no-color', '-auto-approve');
    const noChangesLog = header + tf('plan', '-no-color');
    write(
      `${body}\noutput "bad" {\n  value = length(1, join(",", [true]))\n}\n\nlocals {\n  x = tonumber(terraform_data.x.output)\n}\noutput "y" {\n  value = local.x\n}\n`,
    );
    const failedPlanJsonLog = tf('plan', '-json');
    write(
      `${body}\nlocals {\n  x = tonumber(terraform_data.x.output)\n}\noutput "y" {\n  value = local.x\n}\n`,
    );
    return {
      planLog,
      planJsonLog,
      applyLog,
      applyJsonLog,
      failedPlanJsonLog: failedPlanJsonLog + tf('plan', '-json'),
      redacted,
      json,
      noChangesLog,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function versionLine(log: string): string {
  return log.split('\n')[0] ?? '';
}
