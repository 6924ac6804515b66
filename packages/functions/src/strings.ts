import {
  ArgumentError,
  BOOL,
  CtyError,
  NUMBER,
  STRING,
  bool,
  compareText,
  list,
  str,
  trimSpace,
  unknownOf,
} from '@terrane/cty';
import type { FunctionSpec, Value } from '@terrane/cty';
import { clustersOf } from './graphemes.ts';
import { toLower, toTitle, toUpper } from './letter-case.ts';
import {
  argument,
  checkLength,
  define,
  numeric,
  parameter,
  STRINGS,
  text,
  wholeNumber,
} from './spec.ts';

/** Defines a function from strings to a string. */
function stringFunction(
  name: string,
  description: string,
  names: readonly string[],
  run: (...texts: string[]) => string,
): FunctionSpec {
  return define(name, {
    description,
    parameters: names.map(text),
    returns: STRING,
    run: (args) => str(run(...args.map((value) => value.asString()))),
  });
}

/** Returns a predicate function of two strings. */
function stringQuestion(
  name: string,
  description: string,
  names: readonly string[],
  run: (a: string, b: string) => boolean,
  nullable = false,
): FunctionSpec {
  return define(name, {
    description,
    parameters: names.map(text),
    returns: BOOL,
    nullable,
    run: (args) => bool(run(argument(args, 0).asString(), argument(args, 1).asString())),
  });
}

/** A pattern for all of the end, such as `/[\r\n]+$/`, takes quadratic time if there are many newlines in the middle. */
function chomp(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
  return text.slice(0, end);
}

function trimCharacters(input: string, cutset: string): string {
  const cutCharacters = new Set(cutset);
  const characters = [...input];
  let start = 0;
  let end = characters.length;
  while (start < end && cutCharacters.has(characters[start] ?? '')) start++;
  while (end > start && cutCharacters.has(characters[end - 1] ?? '')) end--;
  return characters.slice(start, end).join('');
}

function substring(input: string, offset: number, length: number): string {
  if (length === 0 && offset >= 0) return '';
  const clusters = clustersOf(input);
  let start = offset;
  if (start < 0) start += clusters.length;
  // Beyond the beginning, the original counts from the beginning.
  if (start < 0) start = 0;
  if (start > 0 && start >= clusters.length) return '';
  // With a length of zero and an offset from the end, the original never reaches its limit and returns the rest.
  const end = length <= 0 ? clusters.length : start + length;
  return clusters.slice(start, end).join('');
}

function joinLists(args: readonly Value[]): Value {
  const separator = argument(args, 0).asString();
  const lists = args.slice(1);
  if (lists.length === 0) throw new CtyError('at least one list is required');
  if (!lists.every((value) => value.isWhollyKnown())) return unknownOf(STRING);
  const items: string[] = [];
  lists.forEach((value, i) => {
    value.elements().forEach((element, j) => {
      if (element.isNull) {
        const location = lists.length > 1 ? `element ${j} of list ${i + 1}` : `element ${j}`;
        throw new ArgumentError(i + 1, `${location} is null; cannot concatenate null values`);
      }
      items.push(element.asString());
    });
  });
  return str(items.join(separator));
}

function sortStrings(args: readonly Value[]): Value {
  const input = argument(args, 0);
  if (!input.isWhollyKnown()) {
    const { minLength, maxLength } = input.isKnown
      ? { minLength: input.length, maxLength: input.length }
      : (input.refinement ?? {});
    return unknownOf(STRINGS, {
      ...(minLength === undefined ? {} : { minLength }),
      ...(maxLength === undefined ? {} : { maxLength }),
    });
  }
  const texts = input.elements().map((element, i) => {
    if (!element.isNull) return element.asString();
    throw new CtyError(`given list element ${i} is null; a null string cannot be sorted`);
  });
  return list(STRING, texts.sort(compareText).map(str));
}

function startsWith(args: readonly Value[]): Value {
  const input = argument(args, 0);
  const prefix = argument(args, 1).asString();
  if (input.isKnown) return bool(input.asString().startsWith(prefix));
  if (prefix === '') return bool(true);
  const knownPrefix = input.refinement?.prefix ?? '';
  if (knownPrefix === '') return unknownOf(BOOL);
  if (knownPrefix.startsWith(prefix)) return bool(true);
  return knownPrefix.length >= prefix.length ? bool(false) : unknownOf(BOOL);
}

/** Functions on strings. */
export const STRING_FUNCTIONS: readonly FunctionSpec[] = [
  stringFunction('chomp', 'The text without newlines at its end.', ['str'], chomp),
  stringQuestion('endswith', 'Whether a text ends with another.', ['str', 'suffix'], (s, suffix) =>
    s.endsWith(suffix),
  ),
  define('indent', {
    description: 'The text with spaces put in front of all lines but the first.',
    parameters: [numeric('spaces'), text('str')],
    returns: STRING,
    run: (args) => {
      const spaces = wholeNumber(argument(args, 0));
      if (spaces < 0) throw new CtyError('the number of spaces must not be negative');
      const lines = argument(args, 1).asString().split('\n');
      checkLength(spaces * (lines.length - 1));
      return str(lines.length === 1 ? (lines[0] ?? '') : lines.join(`\n${' '.repeat(spaces)}`));
    },
  }),
  define('join', {
    description: 'The strings of one or more lists, with a separator between them.',
    parameters: [text('separator')],
    variadic: parameter('lists', STRINGS),
    returns: STRING,
    run: joinLists,
  }),
  define('lower', {
    description: 'The text with all letters in lower case.',
    parameters: [parameter('str', STRING, 'dynamic')],
    returns: STRING,
    run: (args) => str(toLower(argument(args, 0).asString())),
  }),
  define('sort', {
    description: 'A list of strings in the order of their code points.',
    parameters: [parameter('list', STRINGS, 'unknown')],
    returns: STRINGS,
    run: sortStrings,
  }),
  define('split', {
    description: 'The parts of a text between the places where a separator stands.',
    parameters: [text('separator'), text('str')],
    returns: STRINGS,
    run: (args) => {
      const separator = argument(args, 0).asString();
      const input = argument(args, 1).asString();
      const parts = separator === '' ? [...input] : input.split(separator);
      return list(STRING, parts.map(str));
    },
  }),
  define('startswith', {
    description: 'Whether a text begins with another.',
    parameters: [parameter('str', STRING, 'unknown'), text('prefix')],
    returns: BOOL,
    run: startsWith,
  }),
  stringQuestion(
    'strcontains',
    'Whether a text has another in it.',
    ['str', 'substr'],
    (s, part) => s.includes(part),
    true,
  ),
  define('strrev', {
    description: 'The text with its characters in reverse order.',
    parameters: [parameter('str', STRING, 'dynamic')],
    returns: STRING,
    run: (args) => str([...clustersOf(argument(args, 0).asString())].reverse().join('')),
  }),
  define('substr', {
    description: 'Some characters of a text, from an offset on.',
    parameters: [
      parameter('str', STRING, 'dynamic'),
      parameter('offset', NUMBER, 'dynamic'),
      parameter('length', NUMBER, 'dynamic'),
    ],
    returns: STRING,
    run: (args) =>
      str(
        substring(
          argument(args, 0).asString(),
          wholeNumber(argument(args, 1)),
          wholeNumber(argument(args, 2)),
        ),
      ),
  }),
  stringFunction('title', 'The text with each word begun by a capital.', ['str'], toTitle),
  stringFunction(
    'trim',
    'The text without certain characters at its beginning and end.',
    ['str', 'cutset'],
    (s, cutset) => trimCharacters(s, cutset),
  ),
  stringFunction(
    'trimprefix',
    'The text without a given beginning.',
    ['str', 'prefix'],
    (s, prefix) => (s.startsWith(prefix) ? s.slice(prefix.length) : s),
  ),
  stringFunction(
    'trimspace',
    'The text without space at its beginning and end.',
    ['str'],
    trimSpace,
  ),
  stringFunction('trimsuffix', 'The text without a given ending.', ['str', 'suffix'], (s, suffix) =>
    suffix !== '' && s.endsWith(suffix) ? s.slice(0, -suffix.length) : s,
  ),
  define('upper', {
    description: 'The text with all letters in upper case.',
    parameters: [parameter('str', STRING, 'dynamic')],
    returns: STRING,
    run: (args) => str(toUpper(argument(args, 0).asString())),
  }),
];
