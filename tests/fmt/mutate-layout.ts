import type { Chance } from '../fuzz/chance.ts';

const GAPS = [
  ...[' ', '   ', '\t', '\n', '\n\n', '\r\n', '  \n', ''],
  ...[
    '# c\n',
    ' // c\n',
    '/* c */',
    '/* c\n d */',
    ' /**/ ',
    '#\n',
    '# 宽字 \u{1F468}\u200D\u{1F469}\n',
  ],
];
const VALUES = [
  ...['"${x}"', '"${ x.y["z"] }"', '"${\n x\n}"', '"${x}${y}"', '"${"${x}"}"', '"${(\nx\n)}"'],
  ...[
    '[for x in [1]: x]',
    '{for k,v in m:k=>v...if v}',
    'a?b:c',
    '(a\n?b\n:c)',
    '-1',
    '!a',
    'a-1',
    'a- -b',
  ],
  ...[
    '<<E\n  x ${y}\n  E\n',
    '<<-E\n  x\n    %{if a}y%{endif}\n  E\n',
    'f(<<E\nx\nE\n, 1)',
    'x[*].y',
    'x.*.y',
  ],
  ...[
    '[\n1,\n2]',
    '{a=1\nbbb=2 # c\n}',
    '{ a : 1, b : 2 }',
    '[{\na=1\n},{\nb=2\n}]',
    'f([{\na=1\n}])',
    '{}',
    '{\n}',
  ],
];
const GAP = /[ \t]+|\n+|\b/g;
const VALUE = /(?<==[ \t]*)[^\s=>][^\n]*(?=\n)/g;

/** Changes a text in one place that a formatter looks at: space, comments, line ends, values of attributes. */
export function mutateLayout(chance: Chance, text: string): string {
  switch (chance.below(12)) {
    case 0:
      return replaceOne(chance, text, VALUE, () => chance.pick(VALUES));
    case 1:
      return replaceOne(chance, text, VALUE, (value) => `"\${${value}}"`);
    case 2:
      return replaceOne(chance, text, /[\w-]+/g, () =>
        chance.pick(['宽', 'e\u0301', 'very_long_name_indeed', 'x']),
      );
    case 3:
      return replaceOne(chance, text, /\n/g, () =>
        chance.pick(['', ' ', '\n\n', '\r\n', ' # c\n', '\n# c\n']),
      );
    case 4:
      switch (chance.below(4)) {
        case 0:
          return text.replaceAll(/\r?\n/g, '\r\n');
        case 1:
          return `\uFEFF${text}`;
        case 2:
          return text.trimEnd();
        default:
          return text.replaceAll(/^ +/gm, (spaces) => '\t'.repeat(spaces.length / 2));
      }
    case 5:
      return replaceOne(chance, text, /[{[(]/g, (open) => `${open}\n`);
    case 6:
      return replaceOne(chance, text, /[}\])]/g, (close) => `\n${close}`);
    case 7:
      return replaceOne(chance, text, /"(\w+)"/g, (quoted) => quoted.slice(1, -1));
    case 8:
      return replaceOne(chance, text, / +/g, () => '');
    default:
      return replaceOne(chance, text, GAP, () => chance.pick(GAPS));
  }
}

function replaceOne(
  chance: Chance,
  text: string,
  pattern: RegExp,
  by: (match: string) => string,
): string {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return text;
  const match = chance.pick(matches);
  return text.slice(0, match.index) + by(match[0]) + text.slice(match.index + match[0].length);
}
