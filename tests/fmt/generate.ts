// Files of the native syntax that are laid out as nobody would, for comparisons of formatters.
import type { Chance } from '../fuzz/chance.ts';

const NAMES = [
  'a',
  'bb',
  'for',
  'in',
  'if',
  'type',
  'null',
  'x-y',
  '名前',
  'e\u0301t\u00e9',
  'e1',
  '_',
];
const NUMBERS = ['0', '12', '1.5', '2e3', '4E-2'];
const TEXTS = [
  '',
  'x',
  ' two words ',
  '\\n',
  '\\"',
  '$${no}',
  '%%{no}',
  '\\u00e9',
  '👩‍👩‍👧',
  '宽字',
  '$',
  '%',
  '# no',
  '//',
];
const BINARY = ['+', '-', '*', '/', '%', '&&', '||', '==', '!=', '<', '<=', '>', '>='];
const COMMENTS = ['/* c */', '/**/', '/* 宽 */', '/* two\n   lines */'];
const LINE_COMMENTS = ['# c', '// c', '#', '//', '#c # d', '// 宽字', '  # after two'];
const TYPES = [
  ...['string', 'list', 'map', 'set', 'any', '"string"', '"list"', '"map"', '"set"', '"any"'],
  ...['list(string)', 'map(list(any))', 'object({a=string,b=optional(number,1)})', 'tuple([a,b])'],
  ...['list /* c */', '(list)', '"${list}"', '"${"string"}"', 'list(\nstring\n)', '"str\\u0069ng"'],
];

/** A generator of a file; equal choices generate equal files. */
export class FileMaker {
  readonly #chance: Chance;
  readonly #rewritten: boolean;
  /** The depth of brackets in which line breaks are insignificant. */
  #brackets = 0;
  #end = '\n';
  #heredocs = 0;

  /** `rewritten`: whether it may have what a formatter changes beside space. */
  constructor(chance: Chance, rewritten = true) {
    this.#chance = chance;
    this.#rewritten = rewritten;
  }

  file(): string {
    const chance = this.#chance;
    this.#end = chance.once(12) ? '\r\n' : '\n';
    const start = chance.once(30) ? '\uFEFF' : '';
    const text = start + this.#items(2 + chance.below(8), 0);
    const cut = chance.once(6) ? text.trimEnd() : text;
    return this.#end === '\n' ? cut : cut.replaceAll(/\r?\n/g, '\r\n');
  }

  #items(count: number, depth: number): string {
    let text = '';
    for (let i = 0; i < count; i++) {
      const blank = this.#chance.once(4) ? this.#blankLine() : '';
      text +=
        blank + (this.#chance.once(depth < 3 ? 3 : 9) ? this.#block(depth) : this.#attribute(i));
    }
    return text + (this.#chance.once(5) ? this.#blankLine() : '');
  }

  #attribute(index: number): string {
    const name = this.#chance.pick(NAMES) + (this.#chance.once(3) ? 'x'.repeat(index) : `${index}`);
    const value = this.#chance.once(9) ? this.#heredoc() : this.#value();
    return `${this.#space()}${name}${this.#space()}=${this.#space()}${value}${value.endsWith('\n') ? '' : this.#lineEnd()}`;
  }

  #value(): string {
    if (!this.#rewritten || !this.#chance.once(4)) return this.#expression(this.#chance.below(4));
    // Text that the formatter may unwrap.
    const inside = this.#within(
      () => `${this.#gap()}${this.#expression(this.#chance.below(3))}${this.#gap()}`,
    );
    const strip = this.#chance.once(8) ? '~' : '';
    return `"\${${strip}${inside}${this.#chance.once(8) ? '~' : ''}}"`;
  }

  #block(depth: number): string {
    const chance = this.#chance;
    if (this.#rewritten && depth === 0 && chance.once(4)) return this.#variable();
    const type = chance.pick(['resource', 'b', 'variable', 'dynamic', 'locals', '块']);
    let text = `${this.#space()}${type}`;
    for (let i = chance.below(4); i > 0; i--) {
      if (!this.#rewritten) {
        text += ` "${chance.pick(['', 'x', 'a b', '宽', '%', 'a/b'])}"`;
        continue;
      }
      const label = chance.once(3)
        ? chance.pick(NAMES)
        : `"${chance.pick(['', 'x', 'a b', '\\n', '\\"', '宽', '\\u0301', '\\u200b', '%%{', '%', 'a/b', '\u00a0', '\u{1F600}'])}"`;
      text += `${this.#space(' ')}${label}`;
    }
    text += `${this.#space()}{`;
    if (chance.once(4)) {
      const inside = chance.once(3)
        ? ''
        : `${this.#space()}${chance.pick(NAMES)}${this.#space()}=${this.#space()}${this.#expression(1)}${this.#space()}`;
      return `${text}${inside.includes('\n') ? '' : inside}}${this.#lineEnd()}`;
    }
    return `${text}${this.#lineEnd()}${this.#items(chance.below(5), depth + 1)}${this.#space()}}${this.#lineEnd()}`;
  }

  #variable(): string {
    const type = this.#chance.pick(TYPES);
    return `variable${this.#space(' ')}"v"${this.#space()}{${this.#lineEnd()}${this.#space()}type${this.#space()}=${this.#space()}${type}${this.#lineEnd()}${this.#space()}}${this.#lineEnd()}`;
  }

  #expression(depth: number): string {
    const chance = this.#chance;
    if (depth <= 0) return this.#leaf();
    const inner = (): string => this.#expression(depth - 1 - chance.below(2));
    const gap = (): string => this.#gap();
    switch (chance.below(15)) {
      case 0:
        return `${inner()}${gap()}${chance.pick(BINARY)}${gap()}${inner()}`;
      case 1:
        return `${inner()}${gap()}?${gap()}${inner()}${gap()}:${gap()}${inner()}`;
      case 2:
        return `(${this.#within(() => gap() + inner() + gap())})`;
      case 3:
      case 4:
        return this.#tuple(depth);
      case 5:
      case 6:
        return this.#object(depth);
      case 7:
        return `${chance.pick(['f', 'provider::x::y', 'a :: b', 'in', 'for'])}(${this.#within(() => gap() + inner() + gap() + (chance.once(3) ? `,${gap()}${inner()}${gap()}` : '') + chance.pick(['', '', '...', ',']) + gap())})`;
      case 8:
        return `[${this.#within(() => `${gap()}for${this.#some()}k${chance.once(2) ? `${gap()},${gap()}v` : ''}${this.#some()}in${this.#some()}${inner()}${gap()}:${gap()}${inner()}${chance.once(3) ? `${this.#some()}if${this.#some()}${inner()}` : ''}${gap()}`)}]`;
      case 9:
        return `{${this.#within(() => `${gap()}for${this.#some()}k${chance.once(2) ? `${gap()},${gap()}v` : ''}${this.#some()}in${this.#some()}${inner()}${gap()}:${gap()}${inner()}${gap()}=>${gap()}${inner()}${gap()}${chance.once(3) ? '...' : ''}${chance.once(3) ? `${this.#some()}if${this.#some()}${inner()}` : ''}${gap()}`)}}`;
      case 10:
        return `${chance.pick(['!', '-', '- ', '! '])}${inner()}`;
      case 11:
      case 12:
        return this.#quoted(depth);
      default:
        return this.#traversal(depth);
    }
  }

  #leaf(): string {
    const chance = this.#chance;
    switch (chance.below(6)) {
      case 0:
        return chance.pick(NUMBERS);
      case 1:
        return `"${chance.pick(TEXTS)}"`;
      case 2:
        return chance.pick(['true', 'null', '[]', '{}', '[ ]', '{ }', '""']);
      default:
        return chance.pick(NAMES);
    }
  }

  #traversal(depth: number): string {
    const chance = this.#chance;
    let text = chance.once(5)
      ? `${this.#expression(depth - 1)}`
      : chance.pick(['a', 'local', 'var', 'in', 'for']);
    for (let i = 1 + chance.below(3); i > 0; i--) {
      switch (chance.below(9)) {
        case 0:
          text += `[${this.#within(() => this.#gap() + this.#expression(depth - 1) + this.#gap())}]`;
          break;
        case 1:
          text += `[${this.#within(() => `${this.#gap()}${chance.pick(['0', '1', '"k"', '"a.b"', '"]"', '"$${x}"', '""', '(1)', '-1', '1.5'])}${this.#gap()}`)}]`;
          break;
        case 2:
          text += chance.pick([
            '[*]',
            '.*',
            '[ * ]',
            '.0',
            '.1.2',
            ' . 0',
            this.#rewritten ? '.0 .1' : '.0',
            '[*][0]',
            '.*.0',
          ]);
          break;
        default:
          text += `${this.#space()}.${this.#space()}${chance.pick(NAMES)}`;
      }
    }
    return text;
  }

  #quoted(depth: number): string {
    const chance = this.#chance;
    let text = this.#rewritten ? '"' : '"x';
    for (let i = chance.below(4); i >= 0; i--) {
      if (chance.once(2)) text += chance.pick(TEXTS);
      else text += this.#sequence(depth);
    }
    return `${text}"`;
  }

  #sequence(depth: number): string {
    const chance = this.#chance;
    const inner = (): string =>
      this.#within(() => `${this.#gap()}${this.#expression(depth - 1)}${this.#gap()}`);
    const open = (): string => (chance.once(6) ? '~' : '');
    switch (chance.below(7)) {
      case 0:
        return `%{${open()}${this.#space()}if ${inner()}${open()}}${chance.pick(TEXTS)}%{${this.#space()}${chance.once(2) ? 'endif' : `else${this.#space()}${open()}}${chance.pick(TEXTS)}%{ endif`}${this.#space()}${open()}}`;
      case 1:
        return `%{for${this.#space(' ')}x in ${inner()}${open()}}${chance.pick(TEXTS)}\${ x }%{endfor${this.#space()}${open()}}`;
      default:
        return `\${${open()}${inner()}${open()}}`;
    }
  }

  #heredoc(): string {
    const chance = this.#chance;
    const mark = `E${this.#heredocs++ % 3}`;
    let text = `<<${chance.once(2) ? '-' : ''}${mark}\n`;
    for (let i = chance.below(5); i > 0; i--) {
      text += ' '.repeat(chance.below(6));
      for (let j = chance.below(3); j > 0; j--) {
        text += chance.once(2) ? chance.pick(TEXTS) : this.#sequence(1 + chance.below(2));
      }
      text += chance.pick(['\n', '\n', ' \n', '\t\n']);
    }
    return `${text}${' '.repeat(chance.below(5))}${mark}${chance.pick(['\n', '\n', '\n', '\n\n'])}`;
  }

  #tuple(depth: number): string {
    return `[${this.#within(() => {
      let text = this.#gap();
      for (let i = this.#chance.below(4); i > 0; i--) {
        const heredoc = this.#chance.once(14);
        text += `${heredoc ? this.#heredoc() : this.#expression(depth - 1)}${this.#gap()},${this.#gap()}`;
      }
      return text + (this.#chance.once(2) ? this.#expression(depth - 1) : '') + this.#gap();
    })}]`;
  }

  #object(depth: number): string {
    const chance = this.#chance;
    const before = this.#brackets;
    this.#brackets = 0;
    const multi = chance.below(3) > 0;
    let text = multi ? this.#lineEnd() : this.#space();
    const count = chance.below(4);
    for (let i = 0; i < count; i++) {
      const key = chance.pick([
        'a',
        'bb',
        '"q r"',
        '(k)',
        'in',
        '名前',
        'a.b',
        '"${x}"',
        '1',
        'longer_than_the_rest',
        'null',
      ]);
      const value = multi && chance.once(12) ? this.#heredoc() : this.#expression(depth - 1);
      text += `${this.#space()}${key}${this.#space()}${chance.once(5) ? ':' : '='}${this.#space()}${value}`;
      if (multi)
        text += value.endsWith('\n')
          ? ''
          : `${chance.once(4) ? `${this.#space()},` : ''}${this.#lineEnd()}`;
      else text += i + 1 < count ? `${this.#space()},${this.#space()}` : this.#space();
    }
    this.#brackets = before;
    return `{${text}${multi ? this.#space() : ''}}`;
  }

  #within(make: () => string): string {
    this.#brackets++;
    const text = make();
    this.#brackets--;
    return text;
  }

  /** Anything that may stand between tokens here. */
  #gap(): string {
    if (this.#brackets === 0) return this.#space();
    switch (this.#chance.below(14)) {
      case 0:
        return '\n';
      case 1:
        return `\n${this.#space()}`;
      case 2:
        return ` ${this.#chance.pick(LINE_COMMENTS)}\n`;
      default:
        return this.#space();
    }
  }

  #some(): string {
    return ` ${this.#gap()}`;
  }

  #space(least = ''): string {
    switch (this.#chance.below(16)) {
      case 0:
        return `${least}${this.#chance.pick(COMMENTS)}`;
      case 1:
        return `${least}\t`;
      case 2:
        return '   ';
      case 3:
      case 4:
      case 5:
        return ' ';
      default:
        return least;
    }
  }

  #lineEnd(): string {
    const { once, pick } = {
      once: (n: number) => this.#chance.once(n),
      pick: () => this.#chance.pick(LINE_COMMENTS),
    };
    return `${this.#space()}${once(5) ? pick() : ''}\n${once(12) ? '\n' : ''}`;
  }

  #blankLine(): string {
    return this.#chance.pick([
      '\n',
      '  \n',
      '\t\n',
      '# alone\n',
      '   // alone\n',
      '/* alone */\n',
      '/* over\n lines */\n',
      '\n\n\n',
    ]);
  }
}
