// Arguments of a size at which quadratic cost takes longer than the limit of a test, and linear cost seconds.
import {
  callFunction,
  list,
  map,
  NUMBER,
  number,
  object,
  objectType,
  STRING,
  set,
  str,
  tuple,
  type Value,
} from '@terrane/cty';
import { diagnosticSnippet, errorDiagnostic, Range, Source } from '@terrane/hcl';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadFunctionLibraries } from './libraries.ts';
import { functionTable } from './table.ts';
import { ORACLE_PORTS } from './testing/oracle-scope.ts';

beforeAll(() => loadFunctionLibraries());

const range = (size: number): number[] => Array.from({ length: size }, (_, i) => i);

const OBJECT = objectType({ a: NUMBER });
const objectOf = (i: number): Value => object({ a: number(i) });

const CASES: readonly (readonly [string, string, () => readonly Value[], number])[] = [
  ['chomp', 'newlines in the middle', () => [str(`a${'\n'.repeat(2_000_000)}b`)], 2_000_002],
  ['trimspace', 'spaces in the middle', () => [str(`a${' '.repeat(2_000_000)}b`)], 2_000_002],
  [
    'setunion',
    'many sets',
    () => range(300_000).map((i) => set(STRING, [str(`a${i}`), str(`b${i}`)])),
    600_000,
  ],
  [
    'distinct',
    'many texts',
    () => [
      list(
        STRING,
        range(400_000).map((i) => str(`a${i}`)),
      ),
    ],
    400_000,
  ],
  ['distinct', 'many objects', () => [list(OBJECT, range(300_000).map(objectOf))], 300_000],
  [
    'distinct',
    'many long numbers',
    () => [
      list(
        NUMBER,
        range(400_000).map((i) => number(1_700_000_000_000_000 + i)),
      ),
    ],
    400_000,
  ],
  [
    'matchkeys',
    'many objects',
    () => {
      const objects = list(OBJECT, range(300_000).map(objectOf));
      return [objects, objects, objects];
    },
    300_000,
  ],
  [
    'yamlencode',
    'many objects',
    () => [tuple(range(250_000).map((i) => map(STRING, [['a', str(`words ${i}`)]])))],
    5_388_890,
  ],
  [
    'concat',
    'more elements than a call can have arguments',
    () => [tuple(range(300_000).map(() => str('a'))), list(STRING, [str('b')])],
    300_001,
  ],
];

describe('a call ends with large arguments', () => {
  const table = functionTable(ORACLE_PORTS, { baseDir: '.', pure: false });
  it.each(CASES)('%s of %s', (name, _, argumentsOf, length) => {
    const spec = table.get(name);
    if (spec === undefined) throw new Error(`there is no function ${name}`);
    const result = callFunction(spec, argumentsOf());
    expect(result.type === STRING ? result.asString().length : result.length).toBe(length);
  });
});

it('marks are applied to many elements', () => {
  const secret = (name: string): Value => str(name).mark('sensitive');
  const v = tuple([
    tuple(range(100_000).map((i) => secret(`a${i}`))),
    map(
      STRING,
      range(100_000).map((i) => [`k${i}`, secret(`a${i}`)]),
    ),
  ]);
  const { value, paths } = v.unmarkDeepWithPaths();
  expect(value.markWithPaths(paths).rawEquals(v)).toBe(true);
});

it.each([
  ['main.tf', 'check "a" {\n}\n', (text: string) => text, 'check "a"'],
  ['main.tf.json', '{\n"b": 1}\n,', (text: string) => `[${text.slice(0, -1)}]`, undefined],
])('the contexts of many errors in %s are found', (name, part, wrap, context) => {
  const size = 200_000;
  const source = new Source(name, wrap(part.repeat(size)));
  const start = source.text.indexOf(part);
  for (const i of range(size)) {
    const subject = new Range(source, start + i * part.length + 3, start + i * part.length + 5);
    const found = diagnosticSnippet(errorDiagnostic('a', 'b', subject))?.context;
    if (found !== (context ?? `[${i}]`)) expect(found).toBe(context ?? `[${i}]`);
  }
});
