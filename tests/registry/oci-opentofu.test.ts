// Terrane installs from OCI registries what OpenTofu was recorded to install, and refuses what it refuses.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findTerrane } from '../differential/program.ts';
import { installFromOci, OCI_SCENARIOS } from './oci-scenarios.ts';
import type { OciOutcome } from './oci-scenarios.ts';
import { RegistryServer } from './registry-server.ts';

const { outcomes } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded/opentofu-oci.json'), 'utf8'),
) as { readonly outcomes: Readonly<Record<string, OciOutcome>> };

let server: RegistryServer;
beforeAll(async () => {
  server = await RegistryServer.start();
});
afterAll(() => server.close());

it.each(OCI_SCENARIOS)('$name', async (scenario) => {
  const { output, ...outcome } = await installFromOci(findTerrane().command, server, scenario);
  expect(outcome, output).toEqual(outcomes[scenario.name]);
});
