import { expect, it } from 'vitest';
import { parsePlainJson } from './plain-json.ts';

it('returns the parsed value', () => {
  expect(parsePlainJson(' {"a": [1, null, "\\u00e9"]} ')).toEqual({ a: [1, null, 'é'] });
});

// Messages of Go 1.24.
it.each([
  ['', 'unexpected end of JSON input'],
  [' \n', 'unexpected end of JSON input'],
  ['{', 'unexpected end of JSON input'],
  ['{"a": "b', 'unexpected end of JSON input'],
  ['[1,', 'unexpected end of JSON input'],
  ['tru', "invalid character ' ' in literal true (expecting 'e')"],
  ['-', "invalid character ' ' in numeric literal"],
  ['hello', "invalid character 'h' looking for beginning of value"],
  ['nul!', "invalid character '!' in literal null (expecting 'l')"],
  ['{a}', "invalid character 'a' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
  ['{"a":01}', "invalid character '1' after object key:value pair"],
  ['[1 2]', "invalid character '2' after array element"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['{}}', "invalid character '}' after top-level value"],
  ['"a\nb"', String.raw`invalid character '\n' in string literal`],
  [String.raw`"\q"`, "invalid character 'q' in string escape code"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
])('reports the error of Go for %j: %s', (text, problem) => {
  expect(() => parsePlainJson(text)).toThrow(problem);
});
