// A sample of the differential cases by unchanged clients; `npm run test:server-clients` runs all of them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../scripts/oracle/install-programs.mjs';
import { loadCase } from '../differential/case.ts';
import { findTerraform } from '../differential/program.ts';
import { postgresqlProgram } from '../interop/postgresql.ts';
import { compareRemotely, remoteCases } from './remote-cases.ts';
import { TERRANE } from './run-server.ts';
import { startTlsServer, type TlsServer } from './tls-server.ts';

const isCi = process.env['CI'] === 'true';
const canRun = isCi || postgresqlProgram('initdb') !== undefined;

describe.skipIf(!canRun)('remote runs have the results of local ones', () => {
  let server: TlsServer;
  beforeAll(async () => {
    server = await startTlsServer();
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  it.each([
    ['terraform', 'module-gone'],
    ['terraform-1.16', 'replace-by-trigger'],
    ['tofu-1.12', 'count-to-for-each'],
    ['terrane', 'moved-and-changed-at-once'],
  ] as const)(
    'for %s with %s',
    async (name, testCase) => {
      const program = {
        terraform: () => (findTerraform() === undefined ? undefined : 'terraform'),
        terrane: () => TERRANE,
        'terraform-1.16': () => findProgram('terraform-1.16'),
        'tofu-1.12': () => findProgram('tofu-1.12'),
      }[name]();
      if (program === undefined) {
        expect(isCi, `${name} is not installed`).toBe(false);
        return;
      }
      const mismatches = await compareRemotely({ ...server, program }, loadCase(testCase));
      expect(mismatches).toEqual([]);
    },
    300_000,
  );

  it('for many cases, on request', () => {
    expect(remoteCases().length).toBeGreaterThan(100);
  });
});
