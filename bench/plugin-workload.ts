import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Workload } from './workload.ts';

// Work with published providers, run by both programs over the plugin protocol. `dev_overrides` make either
// program run the same executables, without an installation.

const PLAN = ['plan', '-input=false', '-no-color', '-lock=false'];
const RANDOM = '3.9.0';

/** The folder of the published `random`, which scripts/oracle/install-providers.mjs builds. */
function publishedRandom(): string | undefined {
  const cache = process.env['TERRANE_ORACLE_CACHE'] ?? join(homedir(), '.cache', 'terrane-oracle');
  const folder = join(
    cache,
    'mirror/registry.terraform.io/hashicorp/random',
    RANDOM,
    `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`,
  );
  return existsSync(folder) ? folder : undefined;
}

/** A CLI configuration with which a provider is run from a folder. */
function overrideOf(provider: string, folder: string): string {
  return `provider_installation {\n  dev_overrides {\n    ${JSON.stringify(provider)} = ${JSON.stringify(folder)}\n  }\n  direct {}\n}\n`;
}

function pets(count: number): Readonly<Record<string, string>> {
  return {
    'main.tf': `resource "random_pet" "one" {\n  count  = ${count}\n  length = 2\n  prefix = "value-\${count.index}"\n}\n`,
  };
}

/** What an apply of `pets` leaves, without the time that it takes: the same for both programs. */
function petsState(count: number): string {
  const instances = Array.from({ length: count }, (_, i) => ({
    index_key: i,
    schema_version: 0,
    attributes: {
      id: `value-${i}-fit-cat`,
      keepers: null,
      length: 2,
      prefix: `value-${i}`,
      separator: '-',
    },
    sensitive_attributes: [],
  }));
  return JSON.stringify({
    version: 4,
    terraform_version: '1.11.4',
    serial: 1,
    lineage: '9ccd8e51-39a9-4b9c-8f0e-2c8b2a6ba3c4',
    outputs: {},
    resources: [
      {
        mode: 'managed',
        type: 'random_pet',
        name: 'one',
        provider: 'provider["registry.terraform.io/hashicorp/random"]',
        instances,
      },
    ],
    check_results: null,
  });
}

const LARGE_FILES = {
  'main.tf': `terraform {
  required_providers {
    large = { source = "bench/large" }
  }
}

resource "large_type_0007" "one" {
  attribute_0001 = 5
}
`,
};

/** Builds the provider with the large schema; undefined where that can't be done. */
function largeProvider(scratch: string, source: string): string | undefined {
  const folder = join(scratch, 'large-schema');
  mkdirSync(folder, { recursive: true });
  const executable = join(folder, 'terraform-provider-large');
  const built = spawnSync('go', ['build', '-o', executable, '.'], {
    cwd: source,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return built.status === 0 ? folder : undefined;
}

/**
 * The workloads over the plugin protocol; those whose provider is not there are left out, and said to be.
 *
 * @param scratch where executables and CLI configurations are put
 */
export function pluginWorkloads(
  scratch: string,
  root: string,
  sized: (count: number) => number,
  wanted: (name: string) => boolean,
): readonly Workload[] {
  const list: Workload[] = [];
  const add = (
    workload: Pick<Workload, 'name' | 'title' | 'files' | 'command'> & Partial<Workload>,
    provider: string,
    folder: () => string | undefined,
    missing: string,
  ): void => {
    if (!wanted(workload.name)) return;
    const place = folder();
    if (place === undefined) {
      process.stdout.write(`${workload.name.padEnd(20)} left out: ${missing}\n`);
      return;
    }
    const configuration = join(scratch, `${workload.name}.tfrc`);
    writeFileSync(configuration, overrideOf(provider, place));
    list.push({
      prepare: [],
      fresh: false,
      referenceRounds: 3,
      rounds: 5,
      environment: { TF_CLI_CONFIG_FILE: configuration },
      ...workload,
    });
  };
  const count = sized(10_000);
  const noRandom = 'run `node scripts/oracle/install-providers.mjs` first';
  add(
    {
      name: 'plugin-plan-10000',
      title: `plan ${count} new instances of a published provider`,
      files: pets(count),
      command: PLAN,
      goal: 1,
    },
    'hashicorp/random',
    publishedRandom,
    noRandom,
  );
  add(
    {
      name: 'plugin-noop-10000',
      title: `refresh and plan ${count} unchanged instances of a published provider`,
      files: { ...pets(count), 'terraform.tfstate': petsState(count) },
      command: PLAN,
      goal: 1,
    },
    'hashicorp/random',
    publishedRandom,
    noRandom,
  );
  add(
    {
      name: 'plugin-open-large-schema',
      title: 'validate one resource of a provider with 100,000 attributes, the second time',
      files: LARGE_FILES,
      prepare: [['validate']],
      command: ['validate'],
      rounds: 9,
      referenceRounds: 9,
      goal: 5,
    },
    'bench/large',
    () => largeProvider(scratch, join(root, 'bench', 'large-schema')),
    'it takes Go to build the provider',
  );
  return list;
}
