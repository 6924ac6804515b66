import { userErrorText } from '@terrane/host';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { type GoUrl, parseGoUrl } from '@terrane/addresses';
import type { FetchContext } from './fetch-context.ts';
import { FetchFailed } from './fetch-failed.ts';

/** The expected checksum of an archive. */
export interface Checksum {
  readonly type: 'md5' | 'sha1' | 'sha256' | 'sha512';
  /** in hexadecimal digits, lower case */
  readonly value: string;
  /** the file of the checksum, if it is from a list */
  readonly file: string;
}

const TYPES: ReadonlyMap<number, Checksum['type']> = new Map([
  [32, 'md5'],
  [40, 'sha1'],
  [64, 'sha256'],
  [128, 'sha512'],
]);

/**
 * Returns the checksum of the `?checksum=` argument of a URL: `HASH`, `TYPE:HASH`, or `file:URL` of a list in the BSD
 * or GNU format. Undefined if empty; throws `FetchFailed` if it is invalid.
 */
export async function checksumOf(
  context: FetchContext,
  text: string,
  url: GoUrl,
): Promise<Checksum | undefined> {
  if (text === '') return undefined;
  try {
    const colon = text.indexOf(':');
    if (colon === -1) return checksumOfValue(text, '');
    const type = text.slice(0, colon);
    const value = text.slice(colon + 1);
    if (type === 'file') return await checksumFromList(context, value, url);
    return checksumOfType(type, value, '');
  } catch (error) {
    throw new FetchFailed(`invalid checksum: ${userErrorText(error)}`, error);
  }
}

/** Throws `FetchFailed` if the bytes do not have the checksum. */
export function verifyChecksum({ type, value }: Checksum, bytes: Uint8Array, name: string): void {
  const actual = createHash(type).update(bytes).digest('hex');
  if (actual === value) return;
  const hash = type === 'sha512' ? '*sha512.digest' : `*${type}.digest`;
  throw new FetchFailed(
    `Checksums did not match for ${name}.\nExpected: ${value}\nGot: ${actual}\n${hash}`,
  );
}

function checksumOfType(typeName: string, value: string, file: string): Checksum {
  const hex = hexadecimal(value);
  const type = typeName.toLowerCase();
  if (type !== 'md5' && type !== 'sha1' && type !== 'sha256' && type !== 'sha512') {
    throw new FetchFailed(`unsupported checksum type: ${typeName}`);
  }
  return { type, value: hex, file };
}

function checksumOfValue(value: string, file: string): Checksum {
  const hex = hexadecimal(value);
  const type = TYPES.get(hex.length);
  if (type === undefined) throw new FetchFailed(`Unknown type for checksum ${value}`);
  return { type, value: hex, file };
}

function hexadecimal(text: string): string {
  const bad = /[^0-9a-fA-F]/u.exec(text);
  if (bad !== null) {
    const point = (bad[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    throw new FetchFailed(`invalid checksum: encoding/hex: invalid byte: U+${point} '${bad[0]}'`);
  }
  if (text.length % 2 === 1) {
    throw new FetchFailed('invalid checksum: encoding/hex: odd length hex string');
  }
  return text.toLowerCase();
}

async function checksumFromList(
  context: FetchContext,
  address: string,
  source: GoUrl,
): Promise<Checksum> {
  const list = parseGoUrl(address);
  if ('error' in list) throw new FetchFailed(list.error);
  let text: string;
  try {
    const { fetchFile } = await import('./fetch-file.ts');
    text = new TextDecoder().decode(await fetchFile(context, address));
  } catch (error) {
    throw new FetchFailed(`Error downloading checksum file: ${userErrorText(error)}`, error);
  }
  const name = posix.basename(source.path);
  const relative = posix.relative(posix.dirname(list.path), posix.resolve('/', source.path));
  const names = [name, `*${name}`, `?${name}`, relative, `./${relative}`, source.path];
  for (const line of text.split('\n')) {
    const checksum = checksumOfLine(line);
    if (checksum === undefined) continue;
    if (checksum.file === '' || names.includes(checksum.file)) return checksum;
  }
  throw new FetchFailed(`no checksum found in: ${address}`);
}

/** Returns undefined for a line without a checksum, as lists may contain other text. */
function checksumOfLine(line: string): Checksum | undefined {
  const parts = line.trim().split(/\s+/);
  const [first = '', second = '', , fourth = ''] = parts;
  try {
    if (first === '') return undefined;
    if (parts.length === 4) {
      const name = /^\((.+)\)$/.exec(second)?.[1];
      return name === undefined ? undefined : checksumOfType(first, fourth, name);
    }
    return checksumOfValue(first, parts.length === 2 ? second : '');
  } catch {
    return undefined;
  }
}
