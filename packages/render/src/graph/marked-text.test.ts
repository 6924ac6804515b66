import { describe, expect, it } from 'vitest';
import { colorize } from '../text/style.ts';
import { markedText } from './marked-text.ts';

const marked = (text: string) => markedText(colorize(text, true));

describe('lines of a plan on a page', () => {
  it.each([
    ['  [green]+[reset] input = 1', '  + input = 1', '+'],
    ['[red]  -[reset] input = 1', '  - input = 1', '-'],
    ['  [yellow]~[reset] input = 1', '  ~ input = 1', '~'],
    ['[red]-[reset]/[green]+[reset] resource "a" "b" {', '-/+ resource "a" "b" {', '~'],
    ['[green]+[reset]/[red]-[reset] resource "a" "b" {', '+/- resource "a" "b" {', '~'],
    ['    [reset]- an item of an unchanged list', '    - an item of an unchanged list', ' '],
    ['[red]red words[reset]', 'red words', ' '],
    ['', '', ' '],
  ])('are marked by the colour of their sign: %j', (text, plain, mark) => {
    expect(marked(text)).toEqual({ text: plain, marks: mark });
  });

  it('have a mark each', () => {
    expect(marked('a\n[green]+[reset] b\n- c').marks).toBe(' + ');
  });
});
