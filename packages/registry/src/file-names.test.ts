import { expect, it } from 'vitest';
import { pathKey, pathProblem } from './file-names.ts';

it.each(['..', '../a', 'a/../b', '..\\a', 'a\\..\\b', 'a/..\\b'])(
  'the path %j leads outside everywhere',
  (path) => {
    for (const rules of ['posix', 'windows', 'macos'] as const) {
      expect(pathProblem(path, rules)).toContain("contains '..'");
    }
  },
);

it.each([
  // drives, streams, shares
  'C:',
  'C:a',
  'c:\\a',
  'C:/a',
  'a:b',
  'main.tf:hidden',
  'main.tf::$DATA',
  'a/b:c/d',
  '\\\\?\\C:\\a',
  '//?/C:/a',
  // names that lose their end
  '.. ',
  '.. /a',
  '...',
  'a.',
  'a ',
  'a./b',
  '. ',
  'main.tf. ',
  // devices
  'con',
  'NUL',
  'nul.tf',
  'Aux.tar.gz',
  'prn .txt',
  'a/com1/b',
  'COM0',
  'lpt9.log',
  'COM¹',
  'CONIN$',
  'conout$.x',
  // marks
  'a<b',
  'a>b',
  'a"b',
  'a|b',
  'a?b',
  'a*b',
  'a\u0001b',
  'a\nb',
  'a\0b',
])('Windows does not allow the path %j, POSIX does', (path) => {
  expect(pathProblem(path, 'windows')).toContain('Windows does not allow');
  expect(pathProblem(path, 'posix')).toBeUndefined();
  expect(pathProblem(path, 'macos')).toBeUndefined();
});

it.each([
  'main.tf',
  'a/b/c.tf',
  './a',
  '/a',
  'a//b',
  'a\\b',
  '.gitignore',
  '.a/..b',
  'console.tf',
  'nul_.tf',
  'com10',
  'com',
  'auxiliary/x',
  'a b.tf',
  'grüße.tf',
  'x$y',
])('the path %j is allowed everywhere', (path) => {
  expect(pathProblem(path, 'windows')).toBeUndefined();
  expect(pathProblem(path, 'posix')).toBeUndefined();
});

it.each([
  ['Main.tf', 'main.TF', ['windows', 'macos']],
  ['a/B', 'A/b', ['windows', 'macos']],
  ['a\\b', 'a/b', ['windows']],
  ['./a//b', 'a/b', ['posix', 'windows', 'macos']],
  ['\u00e9.tf', 'e\u0301.tf', ['macos']],
  ['\u00c9.tf', 'e\u0301.tf', ['macos']],
  ['stra\u00dfe', 'strasse', []],
  ['a', 'b', []],
] as const)('%j and %j are one file for %j', (first, other, rules) => {
  const same = (['posix', 'windows', 'macos'] as const).filter(
    (each) => pathKey(first, each) === pathKey(other, each),
  );
  expect(same).toEqual(rules);
});
