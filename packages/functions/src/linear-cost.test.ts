import { callFunction, list, map, STRING, set, str, tuple, type Value } from '@terrane/cty';
import { diagnosticSnippet, errorDiagnostic, Range, Source } from '@terrane/hcl';
import { cpuMilliseconds } from '@terrane/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadFunctionLibraries } from './libraries.ts';
import { functionTable } from './table.ts';
import { ORACLE_PORTS } from './testing/oracle-scope.ts';

beforeAll(() => loadFunctionLibraries());

const range = (size: number): number[] => Array.from({ length: size }, (_, i) => i);

/** Arguments for a size at which quadratic cost exceeds the limit of the test many times. */
const CASES: readonly (readonly [string, string, number, (size: number) => readonly Value[]])[] = [
  ['chomp', 'newlines in the middle', 40_000, (n) => [str(`a${'\n'.repeat(n)}b`)]],
  ['trimspace', 'spaces in the middle', 40_000, (n) => [str(`a${' '.repeat(n)}b`)]],
  [
    'setunion',
    'many sets',
    8000,
    (n) => range(n).map((i) => set(STRING, [str(`a${i}`), str(`b${i}`)])),
  ],
  [
    'distinct',
    'many texts',
    2000,
    (n) => [
      list(
        STRING,
        range(n).map((i) => str(`a${i}`)),
      ),
    ],
  ],
  [
    'yamlencode',
    'many objects',
    4000,
    (n) => [tuple(range(n).map((i) => map(STRING, [['a', str(`some words ${i}`)]])))],
  ],
];

describe('the cost of a call is not quadratic in the size of its arguments', () => {
  const table = functionTable(ORACLE_PORTS, { baseDir: '.', pure: false });
  it.each(CASES)('%s of %s', (name, _, size, argumentsOf) => {
    const spec = table.get(name);
    if (spec === undefined) throw new Error(`there is no function ${name}`);
    const cost = (n: number): number => {
      const args = argumentsOf(n);
      return cpuMilliseconds(() => callFunction(spec, args));
    };
    cost(size);
    const small = Math.min(cost(size), cost(size));
    // Four times the size takes four times the time, and sixteen times if the cost is quadratic; 30 ms for collections.
    expect(cost(4 * size)).toBeLessThan(9 * small + 30);
  });
});

it('concat takes tuples with more elements than a call can have arguments', () => {
  const table = functionTable(ORACLE_PORTS, { baseDir: '.', pure: false });
  const concat = table.get('concat');
  if (concat === undefined) throw new Error('there is no function concat');
  const large = tuple(range(300_000).map(() => str('a')));
  const result = callFunction(concat, [large, list(STRING, [str('b')])]);
  expect(result.length).toBe(300_001);
});

it('marks are applied to many elements in linear time', () => {
  const secret = (name: string): Value => str(name).mark('sensitive');
  const cost = (n: number): number => {
    const v = tuple([
      tuple(range(n).map((i) => secret(`a${i}`))),
      map(
        STRING,
        range(n).map((i) => [`k${i}`, secret(`a${i}`)]),
      ),
    ]);
    const { value, paths } = v.unmarkDeepWithPaths();
    return cpuMilliseconds(() => {
      expect(value.markWithPaths(paths).rawEquals(v)).toBe(true);
    });
  };
  cost(4000);
  const small = Math.min(cost(4000), cost(4000));
  expect(cost(16_000)).toBeLessThan(9 * small + 30);
});

it('the context of many errors in one file costs linear time', () => {
  const cost = (n: number): number => {
    const block = 'check "a" {\n}\n';
    const source = new Source('main.tf', block.repeat(n));
    const subject = (i: number): Range =>
      new Range(source, i * block.length + 1, i * block.length + 5);
    return cpuMilliseconds(() => {
      for (const i of range(n)) {
        const diagnostic = errorDiagnostic('a', 'b', subject(i));
        expect(diagnosticSnippet(diagnostic)?.context).toBe('check "a"');
      }
    });
  };
  cost(500);
  const small = Math.min(cost(500), cost(500));
  expect(cost(2000)).toBeLessThan(9 * small + 30);
});
