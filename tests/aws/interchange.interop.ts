// Configurations for AWS, run by Terrane with the provider in its process and as a plugin, and by the real terraform with
// it: the same is planned, and the states are the same.
import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Moto, MOTO, startMoto } from '../backends/moto.ts';
import { findTerraform } from '../differential/program.ts';
import { type Built, buildPlugins } from '../served/build-plugins.ts';
import { comparable } from './comparable.ts';
import { asPlugin, inProcess, type Way } from './run-ways.ts';

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

describe.runIf(MOTO)('a configuration for AWS', () => {
  let moto: Moto;
  let built: Built;
  beforeAll(async () => {
    const entry = resolve(import.meta.dirname, '../../scripts/provider-aws.ts');
    const address = 'registry.terraform.io/hashicorp/aws';
    [moto, built] = await Promise.all([
      startMoto(),
      buildPlugins([{ entry, address, version: '6.25.0' }]),
    ]);
  }, 120_000);
  afterAll(async () => {
    built.dispose();
    await moto.stop();
  });

  const run = async (way: Way, folder: string): Promise<unknown> => {
    await fetch(`${moto.endpoint}/moto-api/reset`, { method: 'POST' });
    const keys = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
    const programs = { ...keys, AWS_ENDPOINT_URL: moto.endpoint };
    const ofBuckets = basename(folder) === 'aws-bucket' && { path_style: 'true' };
    const variables = { region: 'eu-central-1', ...ofBuckets };
    return comparable(await way(folder, { programs, variables }));
  };

  it.each(folders.map((folder) => [basename(folder), folder] as const))(
    'comes to the same in the process, as a plugin and under terraform: %s',
    { timeout: 600_000 },
    async (_, example) => {
      const inProcessRun = await run(inProcess(built), example);
      expect(await run(asPlugin(TERRANE, built), example)).toEqual(inProcessRun);
      if (terraform === undefined) return;
      expect(await run(asPlugin(terraform.command, built), example)).toEqual(inProcessRun);
    },
  );
});
