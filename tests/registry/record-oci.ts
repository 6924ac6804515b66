// Records what OpenTofu installs from an OCI registry, into recorded/opentofu-oci.json: npm run ts -- tests/registry/record-oci.ts
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceProgram } from '../differential/program.ts';
import { installFromOci, OCI_SCENARIOS } from './oci-scenarios.ts';
import { RegistryServer } from './registry-server.ts';

const tofu = referenceProgram('tofu-1.12');
if (tofu === undefined)
  throw new Error('no tofu-1.12; run scripts/oracle/install-programs.mjs tofu-1.12');
const [version = ''] = execFileSync(tofu.command, ['version'], { encoding: 'utf8' }).split('\n');
const server = await RegistryServer.start();
const outcomes: Record<string, object> = {};
for (const scenario of OCI_SCENARIOS) {
  const { output, ...outcome } = await installFromOci(tofu.command, server, scenario);
  outcomes[scenario.name] = outcome;
  console.log(`== ${scenario.name}: ${outcome.code}\n${output}`);
}
await server.close();
const folder = join(import.meta.dirname, 'recorded');
mkdirSync(folder, { recursive: true });
const source = `${version}, by tests/registry/record-oci.ts`;
writeFileSync(
  join(folder, 'opentofu-oci.json'),
  `${JSON.stringify({ source, outcomes }, undefined, 2)}\n`,
);
