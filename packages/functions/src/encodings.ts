import { crc32, gunzipSync } from 'node:zlib';
import {
  ArgumentError,
  BOOL,
  Bug,
  CtyError,
  DYNAMIC,
  NUMBER,
  STRING,
  impliedJsonType,
  list,
  listType,
  object,
  objectType,
  parseJson,
  quoteText,
  str,
  unknownOf,
  valueFromJson,
  valueToJson,
} from '@terrane/cty';
import type { FunctionSpec, Type, Value } from '@terrane/cty';
import { parseCsv } from './csv.ts';
import { goDeflate } from './go-deflate.ts';
import type * as TextEncodings from './text-encoding.ts';
import { redacted } from './numeric.ts';
import { anything, argument, define, parameter, text } from './spec.ts';

/** The tables of the encodings other than UTF-8, loaded on demand. */
let textEncodings: typeof TextEncodings | undefined;

/** Loads the tables; `textencodebase64` and `textdecodebase64` cannot be called before. */
export async function loadTextEncodings(): Promise<void> {
  textEncodings ??= await import('./text-encoding.ts');
}

function encodingsLoaded(): typeof TextEncodings {
  if (textEncodings === undefined) throw new Bug('the tables of encodings are not loaded');
  return textEncodings;
}

/** Decodes Go's standard Base64; returns the offset of the first invalid character if the text is malformed. */
export function decodeBase64(encoded: string): Uint8Array | number {
  const clean = encoded.replace(/[\r\n]/g, '');
  const bad = clean.search(/[^A-Za-z0-9+/=]/);
  const padding = clean.indexOf('=');
  const end = padding < 0 ? clean.length : padding;
  if (bad >= 0 && bad < end) return bad;
  const missing = (4 - (end % 4)) % 4;
  if (missing === 3 || clean.slice(end) !== '='.repeat(missing)) {
    // Go reports the start of a truncated group, otherwise the first invalid character.
    return end === clean.length ? end - (end % 4) : end;
  }
  return Buffer.from(clean, 'base64');
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8; undefined for malformed input. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function base64Decode(args: readonly Value[]): Value {
  const value = argument(args, 0);
  if (!value.isKnown) return unknownOf(STRING).withSameMarks(value);
  const encoded = value.unmark().asString();
  const bytes = decodeBase64(encoded);
  if (typeof bytes === 'number') {
    const displayText = redacted(quoteText(encoded), value);
    throw new CtyError(`failed to decode base64 data ${displayText}`);
  }
  const decoded = utf8Text(bytes);
  if (decoded === undefined) {
    throw new CtyError('the result of decoding the provided string is not valid UTF-8');
  }
  return str(decoded).withSameMarks(value);
}

const GZIP_HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/** Gzip as Go's writer makes it: no time, no system, a flush, then an empty last block. */
function gzip(bytes: Uint8Array): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes), 0);
  trailer.writeUInt32LE(bytes.length >>> 0, 4);
  return Buffer.concat([Buffer.from(GZIP_HEADER), goDeflate(bytes), trailer]);
}

function base64Gunzip(args: readonly Value[]): Value {
  const value = argument(args, 0);
  const encoded = value.unmark().asString();
  const bytes = decodeBase64(encoded);
  if (typeof bytes === 'number') {
    const displayText = redacted(quoteText(encoded), value);
    throw new CtyError(`failed to decode base64 data ${displayText}`);
  }
  if (bytes.length === 0) throw new CtyError('failed to gunzip bytestream: EOF');
  if (bytes.length < 10) throw new CtyError('failed to gunzip bytestream: unexpected EOF');
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) {
    throw new CtyError('failed to gunzip bytestream: gzip: invalid header');
  }
  let plain: Uint8Array;
  try {
    plain = gunzipSync(bytes);
  } catch (error) {
    throw new CtyError(`failed to read gunzip raw data: ${gunzipFault(error)}`);
  }
  return str(Buffer.from(plain).toString()).withSameMarks(value);
}

/** Returns Go's message for the errors that can be distinguished. */
function gunzipFault(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message === 'unexpected end of file') return 'unexpected EOF';
  if (message === 'incorrect data check' || message === 'incorrect length check') {
    return 'gzip: invalid checksum';
  }
  return message === 'incorrect header check' ? 'gzip: invalid header' : 'flate: corrupt input';
}

/** url.QueryUnescape */
function queryUnescape(encoded: string): string {
  const bad = /%(?![0-9A-Fa-f]{2})/.exec(encoded);
  if (bad !== null) {
    const displayText = quoteText(
      Buffer.from(encoded)
        .subarray(Buffer.byteLength(encoded.slice(0, bad.index)))
        .subarray(0, 3)
        .toString(),
    );
    throw new CtyError(`failed to decode URL '': invalid URL escape ${displayText}`);
  }
  const bytes: Buffer[] = [];
  for (const part of encoded.split(/(%[0-9A-Fa-f]{2})/)) {
    bytes.push(
      part.startsWith('%')
        ? Buffer.from(part.slice(1), 'hex')
        : Buffer.from(part.replaceAll('+', ' ')),
    );
  }
  return Buffer.concat(bytes).toString();
}

const QUERY_ESCAPES = /[!'()*]/g;

/** url.QueryEscape */
function queryEscape(unescaped: string): string {
  return encodeURIComponent(unescaped)
    .replace(QUERY_ESCAPES, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

function jsonEncode(args: readonly Value[]): Value {
  const value = argument(args, 0);
  if (value.isWhollyKnown()) return str(valueToJson(value, value.type));
  const couldBeNull = value.isKnown ? value.isNull : value.refinement?.notNull !== true;
  if (couldBeNull) return unknownOf(STRING);
  switch (value.type.kind) {
    case 'string':
      return unknownOf(STRING, { notNull: true, prefix: '"' });
    case 'object':
    case 'map':
      return unknownOf(STRING, { notNull: true, prefix: '{' });
    case 'tuple':
    case 'list':
    case 'set':
      return unknownOf(STRING, { notNull: true, prefix: '[' });
    default:
      return unknownOf(STRING);
  }
}

/** Infers the type of a JSON text from its beginning. */
function jsonTypeOfPrefix(prefix: string): Type {
  const first = [...prefix.trim()][0];
  if (first === undefined || '{[n'.includes(first)) return DYNAMIC;
  if (first === '"') return STRING;
  if (first === 't' || first === 'f') return BOOL;
  if (/[-0-9.]/.test(first)) return NUMBER;
  const displayText = first === "'" ? "'\\''" : `'${first}'`;
  throw new ArgumentError(0, `a JSON document cannot begin with the character ${displayText}`);
}

function csvType(args: readonly Value[]): Type {
  const csv = argument(args, 0);
  if (!csv.isKnown) return DYNAMIC;
  const [header] = parseCsv(csv.asString(), 1);
  if (header === undefined) throw new CtyError('missing header line');
  const seen = new Set<string>();
  for (const name of header) {
    if (seen.has(name)) throw new CtyError(`duplicate column name ${quoteText(name)}`);
    seen.add(name);
  }
  return listType(objectType(new Map(header.map((name) => [name, STRING]))));
}

function csvDecode(args: readonly Value[], type: Type): Value {
  const [header = [], ...rows] = parseCsv(argument(args, 0).asString());
  const element = type.kind === 'list' ? type.element : DYNAMIC;
  const objects = rows.map((row) =>
    object(new Map(header.map((name, i) => [name, str(row[i] ?? '')]))),
  );
  return list(element, objects);
}

/** Functions that encode values as text and decode them. */
export const ENCODING_FUNCTIONS: readonly FunctionSpec[] = [
  define('base64decode', {
    description: 'The text that a Base64 text stands for.',
    parameters: [parameter('str', STRING, 'marked', 'unknown')],
    returns: STRING,
    run: base64Decode,
  }),
  define('base64encode', {
    description: 'The text in Base64.',
    parameters: [text('str')],
    returns: STRING,
    run: (args) => str(Buffer.from(argument(args, 0).asString()).toString('base64')),
  }),
  define('base64gunzip', {
    description: 'The text that was compressed with gzip and written in Base64.',
    parameters: [parameter('str', STRING, 'marked')],
    returns: STRING,
    run: base64Gunzip,
  }),
  define('base64gzip', {
    description: 'The text compressed with gzip, in Base64.',
    parameters: [text('str')],
    returns: STRING,
    run: (args) => str(gzip(Buffer.from(argument(args, 0).asString())).toString('base64')),
  }),
  define('csvdecode', {
    description: 'The rows of a CSV text as objects with attributes named by its first line.',
    parameters: [text('str')],
    returns: csvType,
    run: csvDecode,
  }),
  define('jsondecode', {
    description: 'The value that a JSON text stands for.',
    parameters: [text('str')],
    nullable: true,
    returns: (args) => {
      const json = argument(args, 0);
      return json.isKnown
        ? impliedJsonType(parseJson(json.asString()))
        : jsonTypeOfPrefix(json.refinement?.prefix ?? '');
    },
    run: (args, type) => valueFromJson(argument(args, 0).asString(), type),
  }),
  define('jsonencode', {
    description: 'The value as JSON.',
    parameters: [anything('val', 'unknown', 'dynamic', 'null')],
    returns: STRING,
    run: jsonEncode,
  }),
  define('textdecodebase64', {
    description: 'The text that Base64 bytes stand for in a character encoding.',
    parameters: [text('source'), text('encoding')],
    returns: STRING,
    run: (args) => {
      const bytes = decodeBase64(argument(args, 0).asString());
      if (typeof bytes === 'number') {
        throw new ArgumentError(
          0,
          `the given value is has an invalid base64 symbol at offset ${bytes}`,
        );
      }
      return str(encodingsLoaded().decodeText(bytes, argument(args, 1).asString()));
    },
  }),
  define('textencodebase64', {
    description: 'The text in a character encoding, in Base64.',
    parameters: [text('string'), text('encoding')],
    returns: STRING,
    run: (args) =>
      str(
        encodingsLoaded()
          .encodeText(argument(args, 0).asString(), argument(args, 1).asString())
          .toString('base64'),
      ),
  }),
  define('urldecode', {
    description: 'The text that was written as it may stand in the query of a URL.',
    parameters: [text('str')],
    returns: STRING,
    run: (args) => str(queryUnescape(argument(args, 0).asString())),
  }),
  define('urlencode', {
    description: 'The text as it may stand in the query of a URL.',
    parameters: [text('str')],
    returns: STRING,
    run: (args) => str(queryEscape(argument(args, 0).asString())),
  }),
];
