// Configurations for AWS, run by Terrane with the provider in its process and as a plugin, and by the real terraform with
// it: the same is planned, and the states are the same.
import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOTO, startMoto } from '../backends/moto.ts';
import { findTerraform } from '../differential/program.ts';
import { type Built, buildPlugins } from '../served/build-plugins.ts';
import { comparable } from './comparable.ts';
import { asPlugin, inProcess, type RunResult, type Way } from './run-ways.ts';

const TERRANE = resolve(import.meta.dirname, '../../bin/terrane');
const CONFIGS = resolve(import.meta.dirname, 'configs');
const EXAMPLES = resolve(import.meta.dirname, '../../examples');
const folders = [
  ...readdirSync(CONFIGS).map((name) => resolve(CONFIGS, name)),
  ...readdirSync(EXAMPLES)
    .filter((name) => name.startsWith('aws-'))
    .map((name) => resolve(EXAMPLES, name)),
];
const terraform = findTerraform();

it.runIf(process.env['CI'] === 'true')('moto and terraform are there', () => {
  expect(MOTO).toBe(true);
  expect(terraform).toBeDefined();
});

// A life waits for minutes, as long as the published provider does, and computes for seconds: all wait side by side.
describe.runIf(MOTO)('a configuration for AWS', { concurrent: true, timeout: 600_000 }, () => {
  let built: Built;
  beforeAll(async () => {
    const entry = resolve(import.meta.dirname, '../../scripts/provider-aws.ts');
    const address = 'registry.terraform.io/hashicorp/aws';
    built = await buildPlugins([{ entry, address, version: '6.25.0' }]);
  });
  afterAll(() => built.dispose());

  /** Runs a configuration with a server of its own, whose endpoint is no difference between two runs. */
  const run = async (way: Way, folder: string): Promise<unknown> => {
    const { endpoint, stop } = await startMoto();
    try {
      const keys = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
      const programs = { ...keys, AWS_ENDPOINT_URL: endpoint };
      const pathStyle = basename(folder) === 'aws-bucket' && { path_style: 'true' };
      const variables = { region: 'eu-central-1', ...pathStyle };
      const result = JSON.stringify(await way(folder, { programs, variables }));
      return comparable(JSON.parse(result.replaceAll(endpoint, 'http://endpoint')) as RunResult);
    } finally {
      await stop();
    }
  };

  it.each(folders.map((folder) => [basename(folder), folder] as const))(
    'comes to the same in the process, as a plugin and under terraform: %s',
    async (_, example) => {
      const programs = [TERRANE, ...(terraform === undefined ? [] : [terraform.command])];
      const ways = [inProcess(built), ...programs.map((program) => asPlugin(program, built))];
      const [inProcessRun, ...pluginRuns] = await Promise.all(ways.map((way) => run(way, example)));
      for (const pluginRun of pluginRuns) expect(pluginRun).toEqual(inProcessRun);
      expect(pluginRuns).toHaveLength(programs.length);
    },
  );
});
