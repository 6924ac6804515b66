import { expect, test } from 'vitest';
import { judge, measure, type Metafile } from './bundle-size.ts';

const meta: Metafile = {
  outputs: {
    'dist/main.js': {
      bytes: 1_000,
      entryPoint: 'src/main.ts',
      imports: [
        { path: 'dist/shared.js', kind: 'import-statement' },
        { path: 'dist/rare.js', kind: 'dynamic-import' },
        { path: 'node:fs', kind: 'import-statement' },
      ],
    },
    'dist/shared.js': {
      bytes: 2_000,
      imports: [{ path: 'dist/main.js', kind: 'import-statement' }],
    },
    'dist/rare.js': {
      bytes: 9_000,
      imports: [{ path: 'dist/shared.js', kind: 'import-statement' }],
    },
  },
};

test('start-up counts the static imports of the entry, each once', () => {
  expect(measure(meta, 'src/main.ts', 12_000, 5_000)).toEqual({
    startup: 3_000,
    largest: 9_000,
    total: 12_000,
    libraries: 5_000,
  });
});

test('an entry that is not there is an error, not a size of nothing', () => {
  expect(() => measure(meta, 'src/other.ts', 0, 0)).toThrow('no entry src/other.ts');
});

test('a size over its limit is named and fails', () => {
  const limits = (startup: number) => ({
    startup: { limit: startup, what: 'a' },
    largest: { limit: 9, what: 'b' },
    total: { limit: 12, what: 'c' },
    libraries: { limit: 5, what: 'd' },
  });
  const sizes = measure(meta, 'src/main.ts', 12_000, 5_000);
  expect(judge(sizes, limits(3)).over).toBe(false);
  const { lines, over } = judge(sizes, limits(2.9));
  expect(over).toBe(true);
  expect(lines[0]).toBe('OVER startup        3.0 of 2.9 kB: a');
});
