#!/usr/bin/env node
// Records the plans of a published provider for the scenarios of the bundled one:
//
//   TF_CLI_CONFIG_FILE=… node packages/provider/recorder/record-plans.mjs providers/random
//
// reads recorded/scenarios.json, writes recorded/plans.json. Needs `terraform` on PATH and a way for it to
// install the published provider.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const folder = process.argv[2];
const type = basename(folder);
const scenarios = JSON.parse(readFileSync(join(folder, 'recorded/scenarios.json'), 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'record-plans-'));
const env = { ...process.env, CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' };
const builtin = type === 'terraform';
const source = builtin ? 'terraform.io/builtin/terraform' : `hashicorp/${type}`;
const address = builtin ? source : `registry.terraform.io/${source}`;
const plugins = join(work, 'plugins');
mkdirSync(plugins);

function terraform(cwd, ...args) {
  const options = {
    cwd,
    env: { ...env, TF_PLUGIN_CACHE_DIR: plugins },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  };
  try {
    return execFileSync('terraform', args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    if (args.includes('-json')) return error.stdout;
    throw new Error(`terraform ${args.join(' ')} in ${cwd}: ${error.stdout}${error.stderr}`);
  }
}

function writeProject(cwd, chosen) {
  mkdirSync(cwd, { recursive: true });
  const resource = { terraform_data: { unknown: {} } };
  for (const { name, type: kind, config } of chosen) {
    resource[kind] ??= {};
    resource[kind][name] = config;
  }
  const required_providers = { [type]: { source } };
  writeFileSync(
    join(cwd, 'main.tf.json'),
    JSON.stringify({ terraform: { required_providers }, resource }),
  );
  const resources = chosen
    .filter(({ prior }) => prior)
    .map(({ name, type: kind, prior, version }) => ({
      mode: 'managed',
      type: kind,
      name,
      provider: `provider["${address}"]`,
      instances: [
        {
          schema_version: version ?? versions[kind] ?? 0,
          attributes: prior,
          sensitive_attributes: (sensitive[kind] ?? []).map((attribute) => [
            { type: 'get_attr', value: attribute },
          ]),
        },
      ],
    }));
  const state = {
    version: 4,
    terraform_version: '1.11.4',
    serial: 1,
    lineage: 'recorded',
    outputs: {},
    resources,
  };
  writeFileSync(join(cwd, 'terraform.tfstate'), JSON.stringify(state));
  terraform(cwd, 'init', '-no-color');
}

const sorted = (paths) =>
  paths
    .map((path) => JSON.stringify(path))
    .toSorted()
    .map((text) => JSON.parse(text));
const versions = {};
const sensitive = {};
const schemaDirectory = join(work, 'schema');
writeProject(schemaDirectory, []);
const schemas = JSON.parse(
  terraform(schemaDirectory, 'providers', 'schema', '-json'),
).provider_schemas;
for (const [kind, schema] of Object.entries(schemas[address]?.resource_schemas ?? {})) {
  versions[kind] = schema.version;
  sensitive[kind] = Object.entries(schema.block.attributes)
    .filter(([, attribute]) => attribute.sensitive)
    .map(([name]) => name);
}

const plain = (found) =>
  found
    .map(({ severity, summary, detail }) => ({ severity, summary, detail }))
    .toSorted((a, b) => (a.summary + a.detail < b.summary + b.detail ? -1 : 1));

// One at a time tells whose diagnostic is whose; those without any are then planned together.
const results = {};
const sound = [];
for (const [i, scenario] of scenarios.entries()) {
  if (!scenario.fails && !scenario.warns) {
    sound.push(scenario);
    continue;
  }
  const cwd = join(work, `one${i}`);
  writeProject(cwd, [scenario]);
  const lines = terraform(cwd, 'plan', '-json', '-refresh=false', '-out=plan').trim().split('\n');
  const seen = new Map();
  for (const { diagnostic } of lines.map((line) => JSON.parse(line))) {
    if (diagnostic) seen.set(JSON.stringify([diagnostic.summary, diagnostic.detail]), diagnostic);
  }
  results[scenario.name] = { diagnostics: plain([...seen.values()]) };
  if (!scenario.fails) Object.assign(results[scenario.name], planned(cwd)[scenario.name]);
}

function planned(cwd) {
  const plan = JSON.parse(terraform(cwd, 'show', '-json', 'plan'));
  const found = {};
  for (const { name, type: kind, change } of plan.resource_changes) {
    if (kind === 'terraform_data' && name === 'unknown') continue;
    found[name] = {
      actions: change.actions,
      after: change.after,
      afterUnknown: change.after_unknown,
      ...(change.replace_paths && { replacePaths: sorted(change.replace_paths) }),
    };
  }
  return found;
}

const together = join(work, 'together');
writeProject(together, sound);
terraform(together, 'plan', '-no-color', '-refresh=false', '-out=plan');
Object.assign(results, planned(together));
const ordered = Object.fromEntries(scenarios.map(({ name }) => [name, results[name]]));
writeFileSync(join(folder, 'recorded/plans.json'), `${JSON.stringify(ordered, null, 2)}\n`);
rmSync(work, { recursive: true, force: true });
process.stdout.write(`${Object.keys(ordered).length} plans recorded\n`);
