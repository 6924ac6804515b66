import { ArgumentError, quoteText } from '@terrane/cty';
import { CODE_PAGES, type CodePage } from './code-pages.ts';

/** A character encoding: its IANA name and the two directions. */
interface Encoding {
  readonly name: string;
  /** decodes bytes, with U+FFFD for invalid ones */
  decode(bytes: Uint8Array): string;
  /** returns the bytes of a text; undefined if a character is not in the encoding */
  encode(text: string): Buffer | undefined;
}

function decoderOf(label: string): Encoding['decode'] {
  return (bytes) => new TextDecoder(label).decode(bytes);
}

function utf16(name: string, littleEndian: boolean, mark: boolean): Encoding {
  return {
    name,
    decode: decoderOf(littleEndian ? 'utf-16le' : 'utf-16be'),
    encode(text) {
      const bytes = Buffer.from(mark ? `\ufeff${text}` : text, 'utf16le');
      return littleEndian ? bytes : bytes.swap16();
    },
  };
}

/** An encoding of single bytes. */
function singleByte({ name, characters }: CodePage): Encoding {
  let table: ReadonlyMap<string, number> | undefined;
  const first = 256 - characters.length;
  return {
    name,
    decode(bytes) {
      let text = '';
      for (const byte of bytes) {
        text += byte < first ? String.fromCharCode(byte) : (characters[byte - first] ?? '');
      }
      return text;
    },
    encode(text) {
      table ??= bytesOf(characters, first);
      const bytes: number[] = [];
      for (const character of text) {
        const code = character.charCodeAt(0);
        const byte = code < first ? code : table.get(character);
        if (byte === undefined) return undefined;
        bytes.push(byte);
      }
      return Buffer.from(bytes);
    },
  };
}

function bytesOf(characters: string, first: number): ReadonlyMap<string, number> {
  const table = new Map<string, number>();
  for (let i = characters.length - 1; i >= 0; i--) {
    const character = characters[i] ?? UNDEFINED;
    if (character !== UNDEFINED) table.set(character, first + i);
  }
  return table;
}

const UNDEFINED = '\ufffd';

/** Returns a single- or double-byte encoding, whose encoder is the inverse of its decoder. */
function doubleByte(name: string, decoder: string): Encoding {
  let table: ReadonlyMap<string, readonly number[]> | undefined;
  return {
    name,
    decode: decoderOf(decoder),
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
      // invalid bytes
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
  decode: decoderOf('utf-8'),
  encode: (text) => Buffer.from(text),
};

const ASCII: CodePage = {
  name: 'US-ASCII',
  aliases:
    'ansi_x3.4-1968 ansi_x3.4-1986 cp367 csascii ibm367 iso-ir-6 iso646-us iso_646.irv:1991 us',
  characters: UNDEFINED.repeat(128),
};

function buildIndex(): Map<string, Encoding> {
  const index = new Map<string, Encoding>();
  const add = (encoding: Encoding, ...aliases: readonly string[]): void => {
    for (const name of [encoding.name, ...aliases]) index.set(name.toLowerCase(), encoding);
  };
  add(utf8, 'csUTF8');
  add(utf16('UTF-16LE', true, false), 'csUTF16LE');
  add(utf16('UTF-16BE', false, false), 'csUTF16BE');
  add(utf16('UTF-16', false, true), 'csUTF16');
  for (const page of [ASCII, ...CODE_PAGES]) add(singleByte(page), ...page.aliases.split(' '));
  // These differ only in the text direction.
  for (const page of CODE_PAGES) {
    const part = /^ISO_8859-([68]):/.exec(page.name)?.[1];
    if (part === undefined) continue;
    for (const direction of ['E', 'I']) {
      const name = `ISO_8859-${part}-${direction}`;
      const aliases = [`iso-8859-${part}-${direction}`, `csISO8859${part}${direction}`];
      add(singleByte({ ...page, name }), ...aliases);
    }
  }
  add(doubleByte('Shift_JIS', 'shift_jis'), 'MS_Kanji', 'csShiftJIS');
  add(
    doubleByte('Extended_UNIX_Code_Packed_Format_for_Japanese', 'euc-jp'),
    'EUC-JP',
    'csEUCPkdFmtJapanese',
  );
  add(doubleByte('EUC-KR', 'euc-kr'), 'csEUCKR');
  add(doubleByte('GBK', 'gbk'), 'CP936', 'MS936', 'windows-936', 'csGBK');
  add(doubleByte('Big5', 'big5'), 'csBig5');
  return index;
}

let byName: ReadonlyMap<string, Encoding> | undefined;

function encodingNamed(name: string): Encoding {
  byName ??= buildIndex();
  const encoding = byName.get(name.toLowerCase());
  if (encoding !== undefined) return encoding;
  throw new ArgumentError(
    1,
    `${quoteText(name)} is not a supported IANA encoding name or alias in this Terraform version`,
  );
}

/** Encodes a text in a named encoding. */
export function encodeText(text: string, name: string): Buffer {
  const encoding = encodingNamed(name);
  const bytes = encoding.encode(text);
  if (bytes !== undefined) return bytes;
  throw new ArgumentError(
    0,
    `the given string contains characters that cannot be represented in ${encoding.name}`,
  );
}

/** Decodes bytes in a named encoding. */
export function decodeText(bytes: Uint8Array, name: string): string {
  const encoding = encodingNamed(name);
  const text = encoding.decode(bytes);
  if (!text.includes(UNDEFINED)) return text;
  throw new ArgumentError(
    0,
    `the given string contains symbols that are not defined for ${encoding.name}`,
  );
}
