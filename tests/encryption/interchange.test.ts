import { describe, expect, it } from 'vitest';
import { CASES } from './cases.ts';
import { recordedOf } from './recorded.ts';
import { outputOf, placeFor, terrane } from './run.ts';

describe('states that OpenTofu encrypted', () => {
  it.each(CASES)('are read and written as $name', async (each) => {
    const { state, ours, read } = recordedOf(each.name);
    await using place = await placeFor(each);
    await place.write('terraform.tfstate', state);
    expect(outputOf(terrane(place, ['output', '-json']))).toBe('marker-first');

    // The format that OpenTofu reads is the one that Terrane writes now.
    terrane(place, ['apply', '-auto-approve', '-input=false', '-var=text=marker-second']);
    const written = await place.read('terraform.tfstate');
    expect(formOf(written)).toEqual(formOf(ours));
    for (const text of [written, await place.read('terraform.tfstate.backup')]) {
      expect(text).toContain('"encrypted_data"');
      expect(text).not.toContain('marker');
    }
    await place.write('terraform.tfstate', ours);
    expect(outputOf(terrane(place, ['output', '-json']))).toBe('marker-second');
    expect(read).toBe('marker-second');
  });
});

/** Returns the unencrypted part of a file, without random values. */
function formOf(text: string): unknown {
  const file: {
    readonly serial: number;
    readonly lineage: string;
    readonly meta: Readonly<Record<string, string>>;
    readonly encryption_version: string;
    readonly encrypted_data: string;
  } = JSON.parse(text);
  expect(file.encrypted_data).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
  const meta = Object.entries(file.meta).map(([name, kept]) => {
    const parsed: Readonly<Record<string, unknown>> = JSON.parse(
      Buffer.from(kept, 'base64').toString(),
    );
    return [name, { ...parsed, ...('salt' in parsed ? { salt: lengthOf(parsed['salt']) } : {}) }];
  });
  return {
    members: Object.keys(file),
    serial: file.serial,
    lineage: file.lineage,
    meta,
    version: file.encryption_version,
  };
}

const lengthOf = (base64: unknown): number => Buffer.from(String(base64), 'base64').length;
