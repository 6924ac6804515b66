import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseInstanceAddr, ProviderSource } from '@terrane/addresses';
import { describe, expect, it } from 'vitest';
import { stateFileText } from '../next-state-file.ts';
import type { State, StateFile } from '../model.ts';
import { EMPTY_STATE } from '../snapshot.ts';
import { readStateFile } from '../statefile-read.ts';
import { moveInState } from './move.ts';
import { checkPush, pushedFile } from './push.ts';
import { removeFromState } from './remove.ts';
import { parseProviderReplacement, replaceProvider } from './replace-provider.ts';
import { legacyObjectId, selectInstances } from './select.ts';
import { taint, untaint } from './taint.ts';

const bytes = readFileSync(join(import.meta.dirname, '../fixtures/everything.tfstate'));
const file = readStateFile(new Uint8Array(bytes)).file!;
const { state } = file;

const list = (of: State, ...addresses: string[]) =>
  selectInstances(of, addresses).instances.map(({ text }) => text);
const at = (text: string) => parseInstanceAddr(text).address!;

describe('state list', () => {
  it('returns all instances in the order of Terraform', () => {
    const listed = readFileSync(
      join(import.meta.dirname, '../fixtures/everything.list.txt'),
      'utf8',
    );
    expect(list(state)).toEqual(listed.trimEnd().split('\n'));
  });

  it.each([
    ['terraform_data.counted[3]', ['terraform_data.counted[3]']],
    ['terraform_data.plain', ['terraform_data.plain']],
    [
      'module.child["x"]',
      [
        'module.child["x"].terraform_data.r[0]',
        'module.child["x"].terraform_data.r[1]',
        'module.child["x"].module.deep.terraform_data.leaf',
      ],
    ],
    ['module.one.module.deep', ['module.one.module.deep.terraform_data.leaf']],
  ])('selects by %s', (address, expected) => {
    expect(list(state, address)).toEqual(expected);
  });

  it('takes a module without its key for all of them', () => {
    expect(list(state, 'module.child').length).toBe(6);
  });

  it.each([
    ['module.nope', 'Unknown module', 'The current state contains no module at module.nope.'],
    ['a.b', 'Unknown resource', 'The current state contains no resource a.b.'],
    [
      'terraform_data.counted[99]',
      'Unknown resource instance',
      'The current state contains no resource instance terraform_data.counted[99].',
    ],
    ['a', 'Invalid address', 'Resource specification must include a resource type and name.'],
  ])('refuses %s', (address, summary, detail) => {
    const { diagnostics } = selectInstances(state, [address]);
    expect(diagnostics[0]?.summary).toBe(summary);
    expect(diagnostics[0]?.detail).toContain(detail);
  });

  it('compares ids as old versions did', () => {
    const object = state.instance(at('terraform_data.plain'))!.current!;
    expect(legacyObjectId(object)).toMatch(/^[0-9a-f-]{36}$/);
    expect(legacyObjectId({ ...object, attributesJson: '{"a":1}' })).toBe('');
    expect(legacyObjectId({ ...object, attributesJson: '{"id":1}' })).toBe('<none>');
    expect(legacyObjectId(undefined)).toBe('<not created>');
  });
});

describe('state mv', () => {
  const problem = (from: string, to: string): string => {
    const move = moveInState(state, from, to);
    expect(move.moved).toEqual([]);
    expect(move.from).toBe(state);
    return move.problem ?? move.diagnostics.map((d) => `${d.summary}: ${d.detail}`).join('\n');
  };

  it('moves an instance and clears the dependencies of those that depend on it', () => {
    const { to, moved, diagnostics } = moveInState(
      state,
      'terraform_data.plain',
      'module.new.terraform_data.other[0]',
    );
    expect(diagnostics).toEqual([]);
    expect(moved).toEqual([
      { from: 'terraform_data.plain', to: 'module.new.terraform_data.other[0]' },
    ]);
    expect(to.instance(at('terraform_data.plain'))).toBeUndefined();
    expect(to.instance(at('module.new.terraform_data.other[0]'))).toEqual(
      state.instance(at('terraform_data.plain')),
    );
    expect(to.instance(at('terraform_data.each["a"]'))?.current?.dependencies).toEqual([]);
    expect(to.instance(at('terraform_data.dep'))?.current?.dependencies).toEqual([
      'terraform_data.sens',
    ]);
    expect(state.instance(at('terraform_data.plain'))).toBeDefined();
  });

  it('moves a resource with all instances, and a module with its submodules', () => {
    const renamed = moveInState(state, 'terraform_data.counted', 'terraform_data.many');
    expect(list(renamed.to, 'terraform_data.many').length).toBe(12);
    const { to, moved } = moveInState(state, 'module.child["x"]', 'module.other');
    expect(moved).toEqual([
      { from: 'module.child["x"]', to: 'module.other' },
      { from: 'module.child["x"].module.deep', to: 'module.other.module.deep' },
    ]);
    expect(list(to, 'module.other').length).toBe(3);
    expect(list(to, 'module.child').length).toBe(3);
  });

  it('moves to another state', () => {
    const { from, to } = moveInState(state, 'module.one', 'module.two', EMPTY_STATE);
    expect(list(to)).toEqual([
      'module.two.terraform_data.r[0]',
      'module.two.module.deep.terraform_data.leaf',
    ]);
    expect(from.instanceCount).toBe(state.instanceCount - 2);
  });

  it.each([
    [
      'terraform_data.nope',
      'terraform_data.x',
      'Invalid source address: Cannot move terraform_data.nope: does not match anything in the current state.',
    ],
    [
      'terraform_data.counted[99]',
      'terraform_data.x',
      'Invalid source address: The current state does not contain terraform_data.counted[99].',
    ],
    [
      'terraform_data.plain',
      'terraform_data.dep',
      'Invalid target address: Cannot move to terraform_data.dep: there is already a resource instance at that address in the current state.',
    ],
    [
      'terraform_data.counted',
      'terraform_data.each',
      'Invalid target address: Cannot move to terraform_data.each: there is already a resource at that address in the current state.',
    ],
    [
      'terraform_data.counted',
      'terraform_data.x[0]',
      'Invalid target address: Cannot move terraform_data.counted to terraform_data.x[0]: the source is a whole resource (not a resource instance) so the target must also be a whole resource.',
    ],
    [
      'terraform_data.plain',
      'null_resource.plain',
      "Invalid state move request: Cannot move terraform_data.plain to null_resource.plain: resource types don't match.",
    ],
    [
      'terraform_data.plain',
      'data.terraform_data.plain',
      'Invalid state move request: Cannot move terraform_data.plain to data.terraform_data.plain: a managed resource can be moved only to another managed resource address.',
    ],
    [
      'terraform_data.plain',
      'module.x',
      'Invalid target address: Cannot move terraform_data.plain to module.x: the target must also be a resource instance.',
    ],
    [
      'module.one',
      'terraform_data.x',
      'Invalid target address: Cannot move module.one to terraform_data.x: the target must also be a module.',
    ],
    [
      'module.one',
      'module.child["y"]',
      'Error moving state: destination module already exists\n\nPlease ensure your addresses and state paths are valid. No\nstate was persisted. Your existing states are untouched.',
    ],
  ])('%s to %s is refused', (from, to, message) => {
    expect(problem(from, to)).toBe(message);
  });
});

describe('state rm', () => {
  it('forgets the selected objects', () => {
    const { state: rest, removed } = removeFromState(state, [
      'module.child',
      'terraform_data.sens',
    ]);
    expect(removed.length).toBe(7);
    expect(rest.instanceCount).toBe(state.instanceCount - 7);
    expect(stateFileText({ ...file, state: rest })).not.toContain('module.child[');
  });

  it('reports that nothing matches, and changes nothing', () => {
    const { state: rest, diagnostics } = removeFromState(state, ['terraform_data.nope']);
    expect(rest).toBe(state);
    expect(diagnostics.map((d) => d.summary)).toEqual(['Invalid target address']);
  });
});

describe('state replace-provider', () => {
  it('changes the provider of all its resources', () => {
    const { from, to } = parseProviderReplacement(
      'terraform.io/builtin/terraform',
      'acme/terraform',
    );
    const { state: changed, replaced } = replaceProvider(state, from!, to!);
    expect(replaced.map(({ text }) => text)).toContain('module.one.terraform_data.r');
    expect(stateFileText({ ...file, state: changed })).toBe(
      stateFileText(file).replaceAll(
        'terraform.io/builtin/terraform',
        'registry.terraform.io/acme/terraform',
      ),
    );
    const other = ProviderSource.of('registry.terraform.io', 'a', 'b');
    expect(replaceProvider(state, other, to!).replaced).toEqual([]);
  });

  it('rejects addresses that are no providers', () => {
    const { diagnostics } = parseProviderReplacement('a//b', 'acme/aws');
    expect(diagnostics.map((d) => d.summary)).toEqual(['Invalid "from" provider "a//b"']);
  });
});

describe('state push', () => {
  const changed = moveInState(state, 'terraform_data.plain', 'terraform_data.x').to;

  it.each([
    ['nothing there', { serial: 1 }, undefined],
    ['the same', {}, undefined],
    ['newer', { serial: file.serial + 1, state: changed }, undefined],
    ['without lineage', { serial: 1, lineage: '', state: changed }, undefined],
    [
      'older',
      { serial: 1 },
      `cannot import state with serial 1 over newer state with serial ${file.serial}`,
    ],
    [
      'another lineage',
      { lineage: 'other' },
      `cannot import state with lineage "other" over unrelated state with lineage "${file.lineage}"`,
    ],
    [
      'the same serial',
      { state: changed },
      `cannot overwrite existing state with serial ${file.serial} with a different state that has the same serial`,
    ],
  ])('%s', (name, more, expected) => {
    const existing = name === 'nothing there' ? undefined : file;
    expect(checkPush({ ...file, ...more }, existing)).toBe(expected);
  });

  it('may always replace an empty state', () => {
    const empty = { ...file, state: EMPTY_STATE, lineage: 'other', serial: 99 };
    expect(checkPush(file, empty)).toBeUndefined();
  });
});

describe('the content that a push stores', () => {
  const changed = moveInState(state, 'terraform_data.plain', 'terraform_data.x').to;
  const stored = (isLocal: boolean, more: Partial<StateFile>, existing: StateFile | undefined) => {
    const next = pushedFile({ ...file, ...more }, existing, { isLocal, newLineage: () => 'new' });
    return next === undefined ? undefined : [next.lineage, next.serial];
  };
  const { lineage, serial } = file;

  // As `terraform` 1.11.4 does with a local file, and (by its source) with what is stored elsewhere.
  it.each([
    ['the same', {}, file, [lineage, serial], undefined],
    ['another serial', { serial: 90 }, file, [lineage, 90], [lineage, 91]],
    ['another content', { serial: 90, state: changed }, file, [lineage, 91], [lineage, 91]],
    ['another lineage', { lineage: 'other' }, file, ['other', serial], ['other', serial + 1]],
    ['onto nothing', { serial: 9 }, undefined, [lineage, 9], [lineage, 9]],
    ['no lineage onto nothing', { serial: 9, lineage: '' }, undefined, ['', 9], ['new', 10]],
  ])('%s', (_what, more, existing, local, remote) => {
    expect(stored(true, more, existing)).toEqual(local);
    expect(stored(false, more, existing)).toEqual(remote);
  });
});

describe('taint and untaint', () => {
  it('set and clear the mark', () => {
    const address = at('terraform_data.plain');
    const tainted = taint(state, address).state!;
    expect(tainted.instance(address)?.current?.status).toBe('tainted');
    const clean = untaint(tainted, address).state!;
    expect(stateFileText({ ...file, state: clean })).toBe(stateFileText(file));
  });

  it.each([
    [
      taint,
      state,
      'terraform_data.nope',
      'There is no resource instance in the state with the address',
    ],
    [taint, EMPTY_STATE, 'terraform_data.x', 'The state currently contains no resource instances'],
    [untaint, state, 'terraform_data.plain', 'is not currently tainted'],
  ])('reject missing objects: %#', (run, of, text, detail) => {
    const { state: after, diagnostics } = run(of, at(text));
    expect(after).toBeUndefined();
    expect(diagnostics[0]?.severity).toBe('error');
    expect(diagnostics[0]?.detail).toContain(detail);
  });

  it('can ignore missing objects', () => {
    const { diagnostics } = taint(state, at('a.b'), { allowMissing: true });
    expect(diagnostics.map((d) => d.severity)).toEqual(['warning']);
  });
});
