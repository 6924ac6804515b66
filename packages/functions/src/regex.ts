import {
  ArgumentError,
  Bug,
  CtyError,
  DYNAMIC,
  STRING,
  list,
  listType,
  nullOf,
  object,
  objectType,
  str,
  tuple,
  tupleType,
} from '@terrane/cty';
import type { FunctionSpec, Type, Value } from '@terrane/cty';
import type { RE2JS } from 're2js';
import { namedApart } from './regex-groups.ts';
import { argument, define, text } from './spec.ts';

/** A compiled pattern with the names of its groups. */
interface Pattern {
  readonly compiled: RE2JS;
  /** undefined for groups without a name */
  readonly groups: readonly (string | undefined)[];
  readonly type: Type;
}

const compiledPatterns = new Map<string, Pattern>();
const MAX_CACHED_PATTERNS = 1000;

let library: typeof RE2JS | undefined;

/** Loads the library behind the functions here; they cannot be called before. */
export async function loadRegularExpressions(): Promise<void> {
  library ??= (await import('re2js')).RE2JS;
}

/** A pattern in RE2 syntax as Go has it, and the names of its groups; throws the parser's error. */
function compile(source: string): Pick<Pattern, 'compiled' | 'groups'> {
  if (library === undefined) throw new Bug('the library for regular expressions is not loaded');
  const { pattern, renamed } = namedApart(source);
  const compiled = library.compile(pattern);
  const groups = new Array<string | undefined>(compiled.groupCount()).fill(undefined);
  for (const [name, index] of Object.entries(compiled.namedGroups()))
    groups[index - 1] = renamed.get(name) ?? name;
  return { compiled, groups };
}

/** Go's message for an invalid pattern, with its position. */
interface PatternError {
  readonly code: string;
  readonly expression: string;
}

function patternError(error: unknown): PatternError {
  if (!(error instanceof Error) || error instanceof Bug) throw error;
  const described = error as Error & { error?: unknown; input?: unknown };
  const code = typeof described.error === 'string' ? described.error : error.message;
  return { code, expression: typeof described.input === 'string' ? described.input : '' };
}

function patternOf(source: string): Pattern {
  const cached = compiledPatterns.get(source);
  if (cached !== undefined) return cached;
  let parsed: ReturnType<typeof compile>;
  try {
    parsed = compile(source);
  } catch (error) {
    const { code, expression } = patternError(error);
    throw new ArgumentError(0, `invalid regexp pattern: ${code} in ${expression}`);
  }
  const pattern = { ...parsed, type: resultType(parsed.groups) };
  if (compiledPatterns.size >= MAX_CACHED_PATTERNS) compiledPatterns.clear();
  compiledPatterns.set(source, pattern);
  return pattern;
}

function resultType(groups: readonly (string | undefined)[]): Type {
  if (groups.length === 0) return STRING;
  const names = groups.filter((name) => name !== undefined);
  if (names.length === 0) return tupleType(groups.map(() => STRING));
  if (names.length < groups.length) {
    throw new ArgumentError(
      0,
      'invalid regexp pattern: cannot mix both named and unnamed capture groups',
    );
  }
  return objectType(new Map(names.map((name) => [name, STRING])));
}

type Matcher = ReturnType<RE2JS['matcher']>;

/** Iterates over matches, skipping empty ones directly after another match, as Go does. */
class Matches {
  readonly matcher: Matcher;
  #previousEnd: number = -1;

  constructor(matcher: Matcher) {
    this.matcher = matcher;
  }

  next(): boolean {
    while (this.matcher.find()) {
      const start = this.matcher.start();
      const end = this.matcher.end();
      if (start === end && start === this.#previousEnd) continue;
      this.#previousEnd = end;
      return true;
    }
    return false;
  }
}

function matchValue(pattern: Pattern, matcher: Matcher): Value {
  if (pattern.groups.length === 0) return str(matcher.group() ?? '');
  const values = pattern.groups.map((_, i) => {
    const captured = matcher.group(i + 1);
    return captured === null ? nullOf(STRING) : str(captured);
  });
  if (pattern.type.kind === 'tuple') return tuple(values);
  const attributes = new Map<string, Value>();
  pattern.groups.forEach((name, i) => attributes.set(name ?? '', values[i] ?? nullOf(STRING)));
  return object(attributes);
}

function replacePattern(source: string, subject: string, template: string): string {
  let parsed: ReturnType<typeof compile>;
  try {
    parsed = compile(source);
  } catch (error) {
    const { code, expression } = patternError(error);
    throw new CtyError(`error parsing regexp: ${code}: \`${expression}\``);
  }
  const { compiled, groups } = parsed;
  const matches = new Matches(compiled.matcher(subject));
  const { matcher } = matches;
  // Go's syntax for groups in a replacement: `$1`, `$name`, `${name}`, `$$`.
  const reference = /\$(?:(\$)|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu;
  let out = '';
  let at = 0;
  while (matches.next()) {
    out += subject.slice(at, matcher.start());
    out += template.replace(reference, (_, dollar?: string, braced?: string, bare?: string) => {
      if (dollar !== undefined) return '$';
      const name = braced ?? bare ?? '';
      // If several groups have the same name, the first one that matched is used.
      const index = /^(?:0|[1-9][0-9]*)$/.test(name)
        ? Number(name)
        : 1 +
          groups.findIndex((groupName, at) => groupName === name && matcher.group(at + 1) !== null);
      if (index > groups.length || (index === 0 && name !== '0')) return '';
      return matcher.group(index) ?? '';
    });
    at = matcher.end();
  }
  return out + subject.slice(at);
}

/** Functions that search with patterns. */
export const REGEX_FUNCTIONS: readonly FunctionSpec[] = [
  define('regex', {
    description: 'The first match of a pattern in a text, or what its groups caught.',
    parameters: [text('pattern'), text('string')],
    returns: (args) => {
      const pattern = argument(args, 0);
      return pattern.isKnown ? patternOf(pattern.asString()).type : DYNAMIC;
    },
    run: (args) => {
      const pattern = patternOf(argument(args, 0).asString());
      const matcher = pattern.compiled.matcher(argument(args, 1).asString());
      if (matcher.find()) return matchValue(pattern, matcher);
      throw new CtyError('pattern did not match any part of the given string');
    },
  }),
  define('regexall', {
    description: 'All matches of a pattern in a text, or what its groups caught.',
    parameters: [text('pattern'), text('string')],
    returns: (args) => {
      const pattern = argument(args, 0);
      return listType(pattern.isKnown ? patternOf(pattern.asString()).type : DYNAMIC);
    },
    run: (args) => {
      const pattern = patternOf(argument(args, 0).asString());
      const matches = new Matches(pattern.compiled.matcher(argument(args, 1).asString()));
      const results: Value[] = [];
      while (matches.next()) results.push(matchValue(pattern, matches.matcher));
      return list(pattern.type, results);
    },
  }),
  define('replace', {
    description:
      'The text with another text in place of a part, or of what a pattern between slashes matches.',
    parameters: [text('str'), text('substr'), text('replace')],
    returns: STRING,
    run: (args) => {
      const [subject = '', part = '', replacement = ''] = args.map((value) => value.asString());
      if (part.length > 1 && part.startsWith('/') && part.endsWith('/')) {
        return str(replacePattern(part.slice(1, -1), subject, replacement));
      }
      if (part === '') return str(betweenCharacters(subject, replacement));
      return str(subject.split(part).join(replacement));
    },
  }),
];

/** An empty part is before each character and at the end. */
function betweenCharacters(subject: string, replacement: string): string {
  return replacement + [...subject].map((character) => character + replacement).join('');
}
