// A sample of go-tfe's integration tests; `npm run test:go-tfe` runs all of them.
import { expect, it } from 'vitest';
import { findGoTfe, GO_TFE_VERSIONS } from '../../../scripts/oracle/install-go-tfe.mjs';
import { postgresqlProgram } from '../../interop/postgresql.ts';
import { runGoTfe } from './go-tfe.ts';

const canRun =
  process.env['CI'] === 'true' ||
  (findGoTfe() !== undefined && postgresqlProgram('initdb') !== undefined);

/** Tests of each resource, none of which waits for a run. */
const SAMPLE = [
  'TestTeamsRead',
  'TestTeamsDelete',
  'TestVariablesDelete',
  'TestVariableSetsCreate',
  'TestVariableSetsList',
  'TestVariableSetVariablesRead',
  'TestSSHKeysCreate',
  'TestSSHKeysUpdate',
  'TestGPGKeyRead',
  'TestAgentTokensCreate',
];

it.skipIf(!canRun)(
  'passes a sample of the tests of go-tfe',
  async () => {
    const { tests } = await runGoTfe({
      version: GO_TFE_VERSIONS[0] ?? '',
      pattern: `^(${SAMPLE.join('|')})$`,
      timeout: '240s',
    });
    const failures = tests.filter(({ result }) => result !== 'pass');
    expect(failures.map(({ name, output }) => `${name}\n${output}`)).toEqual([]);
    expect(tests).toHaveLength(SAMPLE.length);
  },
  600_000,
);
