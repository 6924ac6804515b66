import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { largeProvider, LARGE_REQUIRED, overrideOf } from './large-provider.ts';
import type { Workload } from './workload.ts';
import { PLAN } from './commands.ts';

// Work with published providers, run by both programs over the plugin protocol. `dev_overrides` make either
// program run the same executables, without an installation.

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

function pets(count: number): Readonly<Record<string, string>> {
  return {
    'main.tf': `resource "random_pet" "one" {\n  count  = ${count}\n  length = 2\n  prefix = "value-\${count.index}"\n}\n`,
  };
}

/** As many aliased configurations, each with a resource and another one that is built on it. */
function aliases(count: number): Readonly<Record<string, string>> {
  const texts = Array.from({ length: count }, (_, n) => {
    const resource = (name: string, prefix: string): string =>
      `resource "random_pet" "${name}${n}" {\n  provider = random.a${n}\n${prefix}}\n`;
    return `provider "random" {\n  alias = "a${n}"\n}\n${resource('a', '')}${resource('b', `  prefix = random_pet.a${n}.id\n`)}`;
  });
  return { 'main.tf': texts.join('') };
}

/** Returns the state after an apply of `pets`, without times: equal for both programs. */
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

const LARGE_RESOURCE = `
resource "large_type_0007" "one" {
  attribute_0001 = 5
}
`;
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
  const withRandom = (name: string, what: string, files: Workload['files']): void => {
    add(
      { name, title: `${what} of a published provider`, files, command: PLAN, goal: 1 },
      'hashicorp/random',
      publishedRandom,
      'run `node scripts/oracle/install-providers.mjs` first',
    );
  };
  withRandom('plugin-plan-10000', `plan ${count} new instances`, pets(count));
  withRandom('plugin-noop-10000', `refresh and plan ${count} unchanged instances`, {
    ...pets(count),
    'terraform.tfstate': petsState(count),
  });
  const configurations = sized(300);
  withRandom(
    'plugin-aliases-300',
    `plan two instances with each of ${configurations} configurations`,
    aliases(configurations),
  );
  add(
    {
      name: 'plugin-open-large-schema',
      title: 'validate one resource of a provider with 100,000 attributes',
      files: { 'main.tf': `${LARGE_REQUIRED}${LARGE_RESOURCE}` },
      prepare: [['validate']],
      command: ['validate'],
      rounds: 9,
      referenceRounds: 9,
      goal: 1,
    },
    'bench/large',
    () => largeProvider(scratch, root, 1_000),
    'it takes Go to build the provider',
  );
  return list;
}
