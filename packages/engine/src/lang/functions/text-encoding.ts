import { ArgumentError, quoteText } from '@terrane/cty';

/** A character encoding: its IANA name and the two directions. */
interface Encoding {
  readonly name: string;
  readonly decoder: string;
  /** bytes of a text; undefined when a character is not in the encoding */
  encode(text: string): Buffer | undefined;
}

function utf16(name: string, littleEndian: boolean, mark: boolean): Encoding {
  return {
    name,
    decoder: littleEndian ? 'utf-16le' : 'utf-16be',
    encode(text) {
      const bytes = Buffer.from(mark ? `\ufeff${text}` : text, 'utf16le');
      return littleEndian ? bytes : bytes.swap16();
    },
  };
}

/** An encoding of single bytes, turned around from what the decoder makes of each byte. */
function singleByte(name: string, decoder: string): Encoding {
  let table: ReadonlyMap<string, number> | undefined;
  return {
    name,
    decoder,
    encode(text) {
      table ??= tableOf(decoder);
      const bytes: number[] = [];
      for (const character of text) {
        const byte = table.get(character);
        if (byte === undefined) return undefined;
        bytes.push(byte);
      }
      return Buffer.from(bytes);
    },
  };
}

function tableOf(decoder: string): ReadonlyMap<string, number> {
  const decode = new TextDecoder(decoder);
  const table = new Map<string, number>();
  for (let byte = 255; byte >= 0; byte--) {
    const character = decode.decode(Uint8Array.of(byte));
    if (character !== '\ufffd') table.set(character, byte);
  }
  return table;
}

/** Encodings of one or more bytes, turned around in the same way, pair by pair. */
function doubleByte(name: string, decoder: string): Encoding {
  let table: ReadonlyMap<string, readonly number[]> | undefined;
  return {
    name,
    decoder,
    encode(text) {
      table ??= doubleTableOf(decoder);
      const bytes: number[] = [];
      for (const character of text) {
        const encoded = table.get(character);
        if (encoded === undefined) return undefined;
        bytes.push(...encoded);
      }
      return Buffer.from(bytes);
    },
  };
}

function doubleTableOf(decoder: string): ReadonlyMap<string, readonly number[]> {
  const decode = new TextDecoder(decoder, { fatal: true });
  const table = new Map<string, readonly number[]>();
  const add = (bytes: readonly number[]): void => {
    try {
      const text = decode.decode(Uint8Array.from(bytes));
      if ([...text].length === 1 && !table.has(text)) table.set(text, bytes);
    } catch {
      // these bytes are no character
    }
  };
  for (let first = 0; first < 256; first++) add([first]);
  for (let first = 0x80; first < 256; first++) {
    for (let second = 0x30; second < 256; second++) add([first, second]);
  }
  return table;
}

const utf8: Encoding = {
  name: 'UTF-8',
  decoder: 'utf-8',
  encode: (text) => Buffer.from(text),
};

const LATIN_1: Encoding = {
  name: 'ISO_8859-1:1987',
  decoder: 'latin1',
  encode: (text) => (/^[\0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1') : undefined),
};

/** Some parts of ISO 8859 have the year of the standard in their registered name. */
const ISO_8859_YEARS: readonly (readonly [part: number, year?: number])[] = [
  [2, 1987],
  [3, 1988],
  [4, 1988],
  [5, 1988],
  [6, 1987],
  [7, 1987],
  [8, 1988],
  [10],
  [13],
  [14],
  [15],
  [16],
];

function buildIndex(): Map<string, Encoding> {
  const index = new Map<string, Encoding>();
  const add = (encoding: Encoding, ...aliases: readonly string[]): void => {
    for (const name of [encoding.name, ...aliases]) index.set(name.toLowerCase(), encoding);
  };
  add(utf8, 'csUTF8');
  add(utf16('UTF-16LE', true, false), 'csUTF16LE');
  add(utf16('UTF-16BE', false, false), 'csUTF16BE');
  add(utf16('UTF-16', false, true), 'csUTF16');
  add(LATIN_1, 'latin1', 'l1', 'iso-ir-100', 'ISO_8859-1', 'ISO-8859-1', 'IBM819', 'CP819');
  for (const [part, year] of ISO_8859_YEARS) {
    const plain = `ISO-8859-${part}`;
    const name = year === undefined ? plain : `ISO_8859-${part}:${year}`;
    add(singleByte(name, plain.toLowerCase()), plain, `ISO_8859-${part}`);
  }
  for (const page of ['1250', '1251', '1252', '1253', '1254', '1255', '1256', '1257', '1258']) {
    add(singleByte(`windows-${page}`, `windows-${page}`), `cswindows${page}`);
  }
  add(singleByte('IBM866', 'ibm866'), 'cp866', '866', 'csIBM866');
  add(singleByte('KOI8-R', 'koi8-r'), 'csKOI8R');
  add(singleByte('KOI8-U', 'koi8-u'), 'csKOI8U');
  add(singleByte('macintosh', 'macintosh'), 'mac', 'csMacintosh');
  add(doubleByte('Shift_JIS', 'shift_jis'), 'MS_Kanji', 'csShiftJIS');
  add(doubleByte('EUC-JP', 'euc-jp'), 'csEUCPkdFmtJapanese');
  add(doubleByte('EUC-KR', 'euc-kr'), 'csEUCKR');
  add(doubleByte('GBK', 'gbk'), 'CP936', 'MS936', 'windows-936', 'csGBK');
  add(doubleByte('Big5', 'big5'), 'csBig5');
  return index;
}

const BY_NAME: ReadonlyMap<string, Encoding> = buildIndex();

function encodingNamed(name: string): Encoding {
  const encoding = BY_NAME.get(name.toLowerCase());
  if (encoding !== undefined) return encoding;
  throw new ArgumentError(
    1,
    `${quoteText(name)} is not a supported IANA encoding name or alias in this Terraform version`,
  );
}

/** The bytes of a text in a named encoding. */
export function encodeText(text: string, name: string): Buffer {
  const encoding = encodingNamed(name);
  const bytes = encoding.encode(text);
  if (bytes !== undefined) return bytes;
  throw new ArgumentError(
    0,
    `the given string contains characters that cannot be represented in ${encoding.name}`,
  );
}

/** The text that bytes are in a named encoding. */
export function decodeText(bytes: Uint8Array, name: string): string {
  const encoding = encodingNamed(name);
  const text = new TextDecoder(encoding.decoder).decode(bytes);
  if (!text.includes('\ufffd')) return text;
  throw new ArgumentError(
    0,
    `the given string contains symbols that are not defined for ${encoding.name}`,
  );
}
