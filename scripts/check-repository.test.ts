import { describe, expect, test } from 'vitest';
import {
  conflictMarkers,
  enumerationProblems,
  lockFileProblems,
  longSubjects,
  parenthesizedNames,
  tableNames,
  unionKinds,
} from './repository-rules.ts';

describe('conflict markers', () => {
  test('are reported by line', () => {
    const text = ['a', `${'<'.repeat(7)} HEAD`, 'b', '='.repeat(7), 'c', `${'>'.repeat(7)} 9e63`];
    expect(conflictMarkers(text.join('\n'))).toEqual([2, 6]);
  });

  test('of diff3 are reported too', () => {
    expect(conflictMarkers(`${'|'.repeat(7)} base`)).toEqual([1]);
  });

  test('are not confused with underlined headings, heredocs and longer lines', () => {
    expect(conflictMarkers(`Heading\n${'='.repeat(7)}\n<<EOT\n${'>'.repeat(8)}`)).toEqual([]);
  });
});

test('subjects are limited to 72 characters, not bytes or code units', () => {
  expect(longSubjects(['x'.repeat(72), 'é'.repeat(72), '😀'.repeat(72)])).toEqual([]);
  expect(longSubjects(['x'.repeat(73)])).toEqual(['x'.repeat(73)]);
});

describe('enumerations', () => {
  const source = [
    'export type Other = { readonly kind: `z` };',
    '',
    'export type Work =',
    "  | { readonly kind: 'read' | 'update'; readonly addr: string }",
    '  | {',
    "      readonly kind: 'delete';",
    '    }',
    "  | { readonly kind: 'join' };",
    '',
    "export type Later = { readonly kind: 'later' };",
  ].join('\n');

  test('of a union are its kinds', () => {
    expect([...unionKinds(source, 'Work')]).toEqual(['read', 'update', 'delete', 'join']);
  });

  test('of a page are read from a table column and from parentheses', () => {
    const page = [
      'Events (`put`, `drop`) change a draft.',
      '| kind | does |',
      '|---|---|',
      '| `create`, `update` | calls `apply` |',
      '',
      '| `else` | another table |',
    ].join('\n');
    expect([...tableNames(page, '| kind | does |')]).toEqual(['create', 'update']);
    expect([...tableNames(page, '| kind | does |', 1)]).toEqual(['apply']);
    expect([...parenthesizedNames(page, 'Events')]).toEqual(['put', 'drop']);
  });

  test('that differ are reported on both sides', () => {
    const documented = new Set(['a', 'b']);
    expect(enumerationProblems('kinds', documented, new Set(['a', 'b']))).toEqual([]);
    expect(enumerationProblems('kinds', documented, new Set(['b', 'c']))).toEqual([
      'kinds: "c" is not documented',
      'kinds: "a" does not exist',
    ]);
  });

  test('that are missing are errors, so that a renamed heading or type cannot disable a check', () => {
    expect(() => unionKinds(source, 'Gone')).toThrow('no type Gone');
    expect(() => tableNames('', '| kind | does |')).toThrow('no table');
    expect(() => parenthesizedNames('', 'Events')).toThrow('no enumeration after "Events"');
  });
});

test('packages of a lock file have an integrity and no download address', () => {
  const packages = {
    '': { name: 'root' },
    'packages/a': { version: '1.0.0' },
    'node_modules/a': { resolved: 'packages/a', link: true },
    'node_modules/good': { version: '1.0.0', integrity: 'sha512-abc==' },
    'node_modules/none': { version: '1.0.0' },
    'node_modules/weak': { version: '1.0.0', integrity: 'sha1-abc=' },
    'packages/a/node_modules/nested': { version: '1.0.0' },
    'node_modules/address': {
      version: '1.0.0',
      integrity: 'sha512-abc==',
      resolved: 'https://registry.example/address.tgz',
    },
  };
  expect(lockFileProblems(JSON.stringify({ packages }))).toEqual([
    'node_modules/none: no sha512 integrity',
    'node_modules/weak: no sha512 integrity',
    'packages/a/node_modules/nested: no sha512 integrity',
    'node_modules/address: has a download address',
  ]);
});
