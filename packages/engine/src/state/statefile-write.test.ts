import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StateDraft } from './draft.ts';
import { sameState } from './equal.ts';
import type { StateFile } from './model.ts';
import { readStateFile } from './statefile-read.ts';
import { stateFileBytes, writeStateFile } from './statefile-write.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const files = readdirSync(FIXTURES).filter((name) => name.endsWith('.tfstate'));

function read(name: string): { readonly text: string; readonly file: StateFile } {
  const bytes = new Uint8Array(readFileSync(join(FIXTURES, name)));
  const { file, diagnostics } = readStateFile(bytes);
  expect(diagnostics).toEqual([]);
  if (file === undefined) throw new Error('no file');
  return { text: new TextDecoder().decode(bytes), file };
}

function written(file: StateFile): string {
  return new TextDecoder().decode(stateFileBytes(file));
}

describe('a statefile that Terraform wrote', () => {
  it('exists', () => {
    expect(files.length).toBeGreaterThan(2);
  });

  it.each(files)('comes out byte for byte: %s', (name) => {
    const { text, file } = read(name);
    expect(written(file)).toBe(text);
  });

  it.each(files)('comes out the same when every object was parsed and put back: %s', (name) => {
    const { text, file } = read(name);
    const draft = new StateDraft(file.state);
    for (const addr of file.state.instances()) {
      const instance = file.state.instance(addr);
      if (instance?.current !== undefined) {
        draft.apply({ kind: 'put', addr, object: instance.current });
      }
      for (const [deposed, object] of instance?.deposed ?? []) {
        draft.apply({ kind: 'put', addr, deposed, object });
      }
    }
    const state = draft.freeze();
    expect(written({ ...file, state })).toBe(text);
    expect(sameState(state, file.state)).toBe(true);
  });

  it.each(files)('comes out the same whatever the order of its objects: %s', (name) => {
    const { text, file } = read(name);
    const addresses = [...file.state.instances()];
    const [first] = addresses;
    for (const order of [addresses, addresses.toReversed(), [...addresses.slice(1), first]]) {
      const draft = new StateDraft(file.state);
      // Only objects that are removed first are added at the end of the entries.
      for (const addr of addresses.slice(1)) {
        const { current } = file.state.instance(addr) ?? {};
        if (current === undefined) continue;
        draft.apply({ kind: 'drop', addr });
        draft.freeze();
      }
      for (const addr of order) {
        const object = addr && file.state.instance(addr)?.current;
        if (addr !== undefined && object !== undefined) draft.apply({ kind: 'put', addr, object });
      }
      expect(written({ ...file, state: draft.freeze() })).toBe(text);
    }
  });

  it.each(files)('comes out the same from compact JSON: %s', (name) => {
    const { text } = read(name);
    // Numbers longer than a double would be cut by JSON.parse.
    const compact = text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    const { file } = readStateFile(new TextEncoder().encode(compact));
    expect(file === undefined ? '' : written(file)).toBe(text);
  });
});

describe('the writer', () => {
  it('makes chunks of limited size, also of one large object', () => {
    const { file } = read('everything.tfstate');
    const addr = [...file.state.instances()][3];
    const object = addr === undefined ? undefined : file.state.instance(addr)?.current;
    if (addr === undefined || object === undefined) throw new Error('no object');
    const large = 'é'.repeat(1_000_000);
    const draft = new StateDraft(file.state);
    draft.apply({ kind: 'put', addr, object: { ...object, attributesJson: `{"a":"${large}"}` } });
    const chunks = [...writeStateFile({ ...file, state: draft.freeze() })];
    expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(256 * 1024);
    const again = readStateFile(stateFileBytes({ ...file, state: draft.freeze() })).file;
    expect(again?.state.instance(addr)?.current?.attributesJson).toContain(large);
  });
});
