// HashiCorp's own library for programs that drive the CLI, unchanged, finds in the shim what it finds in terraform.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isInstalled, PROVIDERS } from '../../scripts/oracle/install-providers.mjs';
import { findTerraform } from '../differential/program.ts';
import { builtProgram, drive, hasGo, installShim } from './drive.ts';

const terraform = findTerraform();
const hasProvider = isInstalled({ type: 'time', version: PROVIDERS['time']?.version ?? '' });
const missing = [
  ...(hasGo() ? [] : ['go']),
  ...(terraform === undefined ? ['terraform on PATH'] : []),
  ...(hasProvider ? [] : ['provider time (scripts/oracle/install-providers.mjs)']),
];

it.runIf(process.env['CI'] === 'true')('nothing is missing that these tests need', () => {
  expect(missing).toEqual([]);
});

it.skipIf(missing.length > 0)(
  'terraform-exec gets the same results from the shim as from terraform, from init to destroy',
  async () => {
    const program = builtProgram('terraform-exec');
    const directory = mkdtempSync(join(tmpdir(), 'terrane-shim-'));
    try {
      const ours = await drive(program, installShim(directory), 'whole');
      const theirs = await drive(program, terraform?.command ?? '', 'whole');
      const [actual, expected] = [byCall(ours), byCall(theirs)];
      expect([...actual.keys()]).toEqual([...expected.keys()]);
      for (const [call, result] of expected) {
        // Those of OpenTofu are there besides.
        if (call === 'metadata functions') expect(actual.get(call)).toEqual(expect.anything());
        else expect(withoutSuggestion(actual.get(call)), call).toEqual(result);
      }
      const functions = named(actual.get('metadata functions'));
      expect(
        named(expected.get('metadata functions')).filter((each) => !functions.includes(each)),
      ).toEqual([]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
);

function byCall(lines: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map(
    lines.map((line) => {
      const call: unknown =
        typeof line === 'object' && line !== null && 'call' in line && line.call;
      return [String(call), line];
    }),
  );
}

function named(line: unknown): readonly unknown[] {
  if (typeof line !== 'object' || line === null || !('result' in line)) return [];
  return Array.isArray(line.result) ? line.result : [];
}

/** Removes the suggestion that Terrane adds to errors about names that the state lacks. */
function withoutSuggestion(result: unknown): unknown {
  if (result === undefined) return undefined;
  const text = JSON.stringify(result).replaceAll(/ Did you mean \\"[^"\\]*\\"\?/g, '');
  return JSON.parse(text) as unknown;
}
