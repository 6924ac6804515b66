import { crc32 } from 'node:zlib';
import { errorText } from '@terrane/host';
import type { StateEvent } from './event.ts';
import { eventFromJson, eventToJson } from './event-json.ts';
import type { JournalSeal } from './state-codec.ts';

/** The first bytes of a journal; the number is the format version. */
const MAGIC = new TextEncoder().encode('terrane state journal 1\n');
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
// Length and checksum, four bytes each, little end first.
const PREFIX = 8;
const HEADER = 0x48; // H
const EVENT = 0x45; // E
const MARK = 0x53; // S
const SEAL = 0x4b; // K

/** The identification of a snapshot in a journal. */
export interface SnapshotName {
  readonly lineage: string;
  readonly serial: number;
  /** hexadecimal SHA-256 of the stored bytes; `undefined`: nothing was stored */
  readonly digest: string | undefined;
}

/** The first record: the snapshot that the events change, and the process that writes them. */
export interface JournalHeader {
  readonly base: SnapshotName;
  /** RFC 3339 */
  readonly created: string;
  readonly host: string;
  readonly pid: number;
  /** distinguishes the process from later ones with the same number */
  readonly process: string;
}

/** A mark: the snapshot that is about to be stored includes all events up to a byte of the journal. */
export interface SnapshotMark {
  readonly snapshot: SnapshotName;
  readonly upTo: number;
}

/** A journal read back. */
export interface JournalContent {
  readonly header: JournalHeader;
  /** with the position after each event */
  readonly events: readonly { readonly event: StateEvent; readonly end: number }[];
  readonly marks: readonly SnapshotMark[];
  /** true if the last record is incomplete: it was never durable */
  readonly torn: boolean;
  /** bytes up to the end of the last complete record */
  readonly length: number;
}

/** Encodes the beginning of a journal, whose records are sealed if there is a seal. */
function encodeHeader(header: JournalHeader, seal?: JournalSeal): Uint8Array {
  const record = frame(HEADER, JSON.stringify(header), seal);
  const sealFrames = seal === undefined ? [] : [frameOf(SEAL, seal.kept)];
  return Buffer.concat([MAGIC, ...sealFrames, record]);
}

/** Encodes the beginning of a journal, with the open operations of earlier ones. */
export function encodeBeginning(
  header: JournalHeader,
  carried: readonly StateEvent[],
  seal?: JournalSeal,
): Uint8Array {
  return Buffer.concat([
    encodeHeader(header, seal),
    ...carried.map((event) => encodeEvent(event, seal)),
  ]);
}

/** One event. */
export function encodeEvent(event: StateEvent, seal?: JournalSeal): Uint8Array {
  return frame(EVENT, eventToJson(event), seal);
}

/** One mark. */
export function encodeMark(mark: SnapshotMark, seal?: JournalSeal): Uint8Array {
  return frame(MARK, JSON.stringify(mark), seal);
}

function frameOf(kind: number, body: Uint8Array): Uint8Array {
  const record = Buffer.allocUnsafe(PREFIX + 1 + body.length);
  record.set(body, PREFIX + 1);
  return framed(kind, record);
}

/** Fills in the prefix and the kind of a record that has its body. */
function framed(kind: number, record: Buffer): Uint8Array {
  record[PREFIX] = kind;
  record.writeUInt32LE(record.length - PREFIX, 0);
  record.writeUInt32LE(crc32(record.subarray(PREFIX)), 4);
  return record;
}

function frame(kind: number, text: string, seal: JournalSeal | undefined): Uint8Array {
  if (seal !== undefined) return frameOf(kind, seal.seal(ENCODER.encode(text), kind));
  const record = Buffer.allocUnsafe(PREFIX + 1 + Buffer.byteLength(text));
  record.write(text, PREFIX + 1);
  return framed(kind, record);
}

/** Returns the stored seal of a journal; undefined if its records are not sealed or it has no seal yet. */
export function keptSeal(bytes: Uint8Array): Uint8Array | undefined {
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = MAGIC.length;
  const end = recordEnd(bytes, view, at);
  if (end === undefined || bytes[at + PREFIX] !== SEAL) return undefined;
  return bytes.subarray(at + PREFIX + 1, end);
}

/**
 * Decodes a journal with its seal. `undefined` if its header is incomplete, so that nothing can have been recorded.
 * Errors have messages for users.
 */
export function decodeJournal(
  bytes: Uint8Array,
  seal?: JournalSeal,
): JournalContent | { readonly error: string } | undefined {
  for (let i = 0; i < MAGIC.length; i++) {
    if (i >= bytes.length) return undefined;
    if (bytes[i] !== MAGIC[i]) {
      if (bytes.every((byte) => byte === 0)) return undefined; // space reserved, nothing written
      return { error: 'it is no journal, or one of a newer version' };
    }
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = MAGIC.length;
  let header: JournalHeader | undefined;
  const events: { readonly event: StateEvent; readonly end: number }[] = [];
  const marks: SnapshotMark[] = [];
  while (at < bytes.length) {
    const end = recordEnd(bytes, view, at);
    if (end === undefined) {
      if (validRecordFollows(bytes, view, at)) {
        return { error: `its record at byte ${at} is damaged` };
      }
      return header === undefined ? undefined : { header, events, marks, torn: true, length: at };
    }
    const kind = bytes[at + PREFIX] ?? 0;
    if (kind === SEAL && seal === undefined) return { error: 'it is encrypted' };
    try {
      const storedBytes = bytes.subarray(at + PREFIX + 1, end);
      const body = seal === undefined || kind === SEAL ? storedBytes : seal.open(storedBytes, kind);
      switch (kind) {
        case SEAL:
          break;
        case HEADER:
          header = readHeader(JSON.parse(DECODER.decode(body)));
          break;
        case EVENT:
          events.push({ event: eventFromJson(body), end });
          break;
        case MARK:
          marks.push(readMark(JSON.parse(DECODER.decode(body))));
          break;
        default:
          return { error: `its record at byte ${at} is of an unknown kind` };
      }
    } catch (error) {
      // any-error: an event of another version can have any shape.
      const reason = errorText(error);
      return { error: `its record at byte ${at} can't be understood: ${reason}` };
    }
    at = end;
  }
  return header === undefined ? undefined : { header, events, marks, torn: false, length: at };
}

/** Returns the position after the record at `at`; `undefined` if there is no complete and valid record. */
function recordEnd(bytes: Uint8Array, view: DataView, at: number): number | undefined {
  if (at + PREFIX > bytes.length) return undefined;
  const length = view.getUint32(at, true);
  const end = at + PREFIX + length;
  if (length === 0 || end > bytes.length) return undefined;
  return crc32(bytes.subarray(at + PREFIX, end)) === view.getUint32(at + 4, true) ? end : undefined;
}

/** Returns true if a valid record follows: the journal is damaged in the middle instead of truncated. */
function validRecordFollows(bytes: Uint8Array, view: DataView, at: number): boolean {
  if (at + PREFIX > bytes.length) return false;
  const next = at + PREFIX + view.getUint32(at, true);
  return next > at + PREFIX && recordEnd(bytes, view, next) !== undefined;
}

function readHeader(parsed: unknown): JournalHeader {
  const header = objectOf(parsed);
  return {
    base: readName(header['base']),
    created: textOf(header['created']),
    host: textOf(header['host']),
    pid: numberOf(header['pid']),
    process: textOf(header['process']),
  };
}

function readMark(parsed: unknown): SnapshotMark {
  const mark = objectOf(parsed);
  return { snapshot: readName(mark['snapshot']), upTo: numberOf(mark['upTo']) };
}

function readName(parsed: unknown): SnapshotName {
  const name = objectOf(parsed);
  const digest = name['digest'];
  return {
    lineage: textOf(name['lineage']),
    serial: numberOf(name['serial']),
    digest: typeof digest === 'string' ? digest : undefined,
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new TypeError('an object is required');
  return Object.fromEntries(Object.entries(value));
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text is required');
  return value;
}

function numberOf(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('a number is required');
  return value;
}
