import { jsonMembers, memberValue, type Member } from './json-members.ts';

/** The format version of encrypted files. */
export const ENVELOPE_VERSION = 'v0';

/** Metadata that key providers store in a file to derive its key again, by key provider. */
export type Metadata = ReadonlyMap<string, Uint8Array>;

/** The part of an encrypted state that is readable without its key. */
export interface StateName {
  readonly serial?: number | undefined;
  readonly lineage: string;
}

/** A decoded encrypted file. */
export interface Envelope {
  readonly version: string;
  readonly metadata: Metadata;
  /** base64 */
  readonly data: Uint8Array;
  readonly name: StateName;
}

const ENCODER = new TextEncoder();
// The size of base64 chunks: a multiple of three bytes and of four characters.
const PIECE = 3 * 4 * 65_536;

/** The file that holds encrypted bytes: JSON, as OpenTofu writes it. */
export function* writeEnvelope(
  metadata: Metadata,
  data: Iterable<Uint8Array>,
  name: StateName | undefined,
): Iterable<Uint8Array> {
  const meta = Object.fromEntries([...metadata].map(([key, bytes]) => [key, base64(bytes)]));
  const nameMembers =
    name === undefined ? {} : { serial: name.serial ?? null, lineage: name.lineage };
  const head = JSON.stringify({ ...nameMembers, meta });
  yield ENCODER.encode(`${head.slice(0, -1)},"encrypted_data":"`);
  let rest: Uint8Array = new Uint8Array();
  for (const chunk of data) {
    const available = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const usable = available.length - (available.length % 3);
    for (let at = 0; at < usable; at += PIECE) {
      yield ENCODER.encode(base64(available.subarray(at, Math.min(at + PIECE, usable))));
    }
    // The caller may reuse the chunk.
    rest = available.slice(usable);
  }
  yield ENCODER.encode(`${base64(rest)}","encryption_version":"${ENVELOPE_VERSION}"}`);
}

/** Parses an encrypted file; undefined for other JSON. Throws JsonFault for invalid JSON. */
export function readEnvelope(bytes: Uint8Array): Envelope | undefined {
  const members = new Map<string, Member>();
  for (const member of jsonMembers(bytes)) members.set(member.name, member);
  const valueOf = (name: string): unknown => {
    const member = members.get(name);
    return member === undefined ? undefined : memberValue(bytes, member);
  };
  const version = members.has('encryption_version') ? valueOf('encryption_version') : '';
  if (typeof version !== 'string' || version === '') return undefined;
  const metadata = new Map<string, Uint8Array>();
  const meta = valueOf('meta');
  if (typeof meta === 'object' && meta !== null) {
    for (const [key, text] of Object.entries(meta)) {
      if (typeof text === 'string') metadata.set(key, Buffer.from(text, 'base64'));
    }
  }
  const serial = valueOf('serial');
  const lineage = valueOf('lineage');
  const data = members.get('encrypted_data');
  const isText = data !== undefined && bytes[data.start] === 0x22;
  return {
    version,
    metadata,
    data: isText ? bytes.subarray(data.start + 1, data.end - 1) : new Uint8Array(),
    name: {
      serial: typeof serial === 'number' ? serial : undefined,
      lineage: typeof lineage === 'string' ? lineage : '',
    },
  };
}

/** Returns true if bytes are an encrypted file, of any version. */
export function isEnvelope(bytes: Uint8Array): boolean {
  try {
    return readEnvelope(bytes) !== undefined;
  } catch {
    return false;
  }
}

/** Decodes base64 in chunks. */
export function* fromBase64(text: Uint8Array): Iterable<Uint8Array> {
  const view = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  for (let at = 0; at < view.length; at += PIECE) {
    yield Buffer.from(view.toString('latin1', at, Math.min(at + PIECE, view.length)), 'base64');
  }
}

/** Reads serial and lineage of a plain state; stops as soon as both are known. */
export function stateNameOf(state: Uint8Array): StateName {
  let serial: number | undefined;
  let lineage: string | undefined;
  for (const member of jsonMembers(state)) {
    if (member.name !== 'serial' && member.name !== 'lineage') continue;
    const value = memberValue(state, member);
    if (member.name === 'serial') serial = typeof value === 'number' ? value : undefined;
    else lineage = typeof value === 'string' ? value : '';
    if (serial !== undefined && lineage !== undefined) break;
  }
  return { serial, lineage: lineage ?? '' };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
