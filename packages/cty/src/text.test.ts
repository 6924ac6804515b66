import { expect, it } from 'vitest';
import { trimSpace, trimSpaceRight } from './text.ts';

it('white space is that of Go', () => {
  expect(trimSpace('\t\u0085\u3000 a \u00a0b\u2029\r\n')).toBe('a \u00a0b');
  expect(trimSpace('\ufeffa\ufeff ')).toBe('\ufeffa\ufeff');
  expect(trimSpace(' \n ')).toBe('');
  expect(trimSpaceRight(' a \n')).toBe(' a');
});
