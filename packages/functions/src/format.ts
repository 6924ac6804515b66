import {
  ArgumentError,
  CtyError,
  DYNAMIC,
  STRING,
  list,
  quoteText,
  str,
  unknownOf,
} from '@terrane/cty';
import type { FunctionSpec, Value } from '@terrane/cty';
import { formatVerb } from './format-verb.ts';
import { anything, argument, define, STRINGS, text } from './spec.ts';

const VERB = /%([0#\- +]*)([1-9][0-9]*)?(\.([0-9]*))?(?:\[([1-9][0-9]*)\])?([a-zA-Z])/y;

/** Interpolates values into a format string. The values must be wholly known. */
function formatString(format: string, args: readonly Value[]): string {
  let out = '';
  let at = 0;
  let next = 1;
  let highest = 0;
  while (at < format.length) {
    const percent = format.indexOf('%', at);
    if (percent < 0) {
      out += format.slice(at);
      break;
    }
    out += format.slice(at, percent);
    if (format[percent + 1] === '%') {
      out += '%';
      at = percent + 2;
      continue;
    }
    VERB.lastIndex = percent;
    const match = VERB.exec(format);
    if (match === null) throw malformedVerbError(format, percent);
    const [raw, flags = '', width, precision, digits, index, letter = ''] = match;
    const number = index === undefined ? next : Number(index);
    const offset = Buffer.byteLength(format.slice(0, percent));
    highest = Math.max(highest, number);
    const value = args[number - 1];
    if (value === undefined) {
      throw new CtyError(
        `not enough arguments for ${quoteText(raw)} at ${offset}: need index ${number} but have ${args.length} total`,
      );
    }
    out += formatVerb(
      {
        raw,
        offset,
        letter,
        argument: number,
        zero: flags.includes('0'),
        sharp: flags.includes('#'),
        plus: flags.includes('+'),
        minus: flags.includes('-'),
        space: flags.includes(' '),
        width: width === undefined ? undefined : Number(width),
        precision: precision === undefined ? undefined : Number(digits ?? 0),
      },
      value,
    );
    next = number + 1;
    at = percent + raw.length;
  }
  if (highest < args.length) {
    const reason =
      highest === 0 ? 'no verbs in format string' : `only ${highest} used by format string`;
    throw new ArgumentError(highest + 1, `too many arguments; ${reason}`);
  }
  return out;
}

const PARTIAL_VERB = /%[0#\- +]*(?:[1-9][0-9]*)?(?:\.[0-9]*)?(?:\[(?:[1-9][0-9]*\]?)?)?/y;

/** The error for a percent sign that begins no verb. */
function malformedVerbError(format: string, percent: number): CtyError {
  PARTIAL_VERB.lastIndex = percent;
  const length = PARTIAL_VERB.exec(format)?.[0].length ?? 1;
  const end = percent + length;
  const offset = Buffer.byteLength(format.slice(0, end));
  const character = [...format.slice(end)][0];
  return character === undefined
    ? new CtyError(`invalid format string starting at offset ${offset}`)
    : new CtyError(`unrecognized format character ${quoteRune(character)} at offset ${offset}`);
}

function quoteRune(character: string): string {
  if (character === '"') return `'"'`;
  if (character === "'") return `'\\''`;
  return `'${quoteText(character).slice(1, -1)}'`;
}

function unknownFormat(format: string): Value {
  const percent = format.indexOf('%');
  return percent > 0
    ? unknownOf(STRING, { prefix: format.slice(0, percent), notNull: true })
    : unknownOf(STRING);
}

const isSequence = (value: Value): boolean =>
  (value.type.kind === 'list' || value.type.kind === 'set' || value.type.kind === 'tuple') &&
  !value.isNull;

function formatList(args: readonly Value[]): Value {
  const format = argument(args, 0).asString();
  const values = args.slice(1);
  if (values.length === 0) return list(STRING, [str(formatString(format, []))]);
  let length: number | undefined;
  let chooser = 0;
  let hasUnknown = false;
  const columns: (readonly Value[] | undefined)[] = [];
  values.forEach((value, i) => {
    columns.push(undefined);
    if (!isSequence(value)) {
      hasUnknown ||= !value.isKnown && value.type === DYNAMIC;
      return;
    }
    const ownLength = lengthIfKnown(value);
    if (ownLength === undefined) {
      hasUnknown = true;
      return;
    }
    if (length === undefined) {
      length = ownLength;
      chooser = i;
    } else if (ownLength !== length) {
      throw new ArgumentError(
        i + 1,
        `argument ${i + 1} has length ${ownLength}, which is inconsistent with argument ${chooser + 1} of length ${length}`,
      );
    }
    if (value.isKnown) columns[i] = value.elements();
    else hasUnknown = true;
  });
  if (hasUnknown) return unknownOf(STRINGS);
  const rows: Value[] = [];
  for (let row = 0; row < (length ?? 1); row++) {
    rows.push(
      formatRow(
        format,
        values.map((value, i) => columns[i]?.[row] ?? value),
        row,
      ),
    );
  }
  return list(STRING, rows);
}

function formatRow(format: string, values: readonly Value[], row: number): Value {
  if (!values.every((value) => value.isWhollyKnown())) return unknownOf(STRING, { notNull: true });
  try {
    return str(formatString(format, values));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CtyError(`error on format iteration ${row}: ${error.message}`);
  }
}

function lengthIfKnown(value: Value): number | undefined {
  if (value.type.kind === 'tuple') return value.type.elements.length;
  if (!value.isKnown) return undefined;
  // Unknown elements of a set may become equal.
  return value.type.kind === 'set' && value.length > 1 && !value.isWhollyKnown()
    ? undefined
    : value.length;
}

/** `format` and `formatlist`. */
export const FORMAT_FUNCTIONS: readonly FunctionSpec[] = [
  define('format', {
    description: 'A text made by a format string from other values.',
    parameters: [text('format')],
    variadic: anything('args', 'null', 'unknown', 'dynamic'),
    returns: STRING,
    run: (args) => {
      const format = argument(args, 0).asString();
      const values = args.slice(1);
      if (!values.every((value) => value.isWhollyKnown())) return unknownFormat(format);
      return str(formatString(format, values));
    },
  }),
  define('formatlist', {
    description:
      'A list of texts made by a format string, one for each element of the lists given.',
    parameters: [text('format')],
    variadic: anything('args', 'null', 'unknown', 'dynamic'),
    returns: STRINGS,
    run: formatList,
  }),
];
