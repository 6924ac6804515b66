import {
  BOOL,
  DYNAMIC,
  listType,
  mapType,
  NUMBER,
  objectType,
  setType,
  STRING,
  tupleType,
} from '@terrane/cty';
import { expect, it } from 'vitest';
import { typeText } from './type-text.ts';

it.each([
  [STRING, 'string'],
  [DYNAMIC, 'dynamic'],
  [listType(NUMBER), 'list(number)'],
  [mapType(setType(BOOL)), 'map(set(bool))'],
  [objectType({}), 'object({})'],
  [tupleType([]), 'tuple([])'],
  [objectType({ b: NUMBER, a: STRING }), 'object({\n    a: string,\n    b: number,\n})'],
  [tupleType([STRING, BOOL]), 'tuple([\n    string,\n    bool,\n])'],
  [listType(objectType({ a: STRING })), 'list(\n    object({\n        a: string,\n    }),\n)'],
])('a type is shown over lines', (type, text) => {
  expect(typeText(type)).toBe(text);
});
