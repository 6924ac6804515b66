import { crc32 } from './checksum.ts';
import type { StateEvent } from './event.ts';
import { eventFromJson, eventToJson } from './event-json.ts';

/** What the first bytes of a journal say; the number is the version of the format. */
const MAGIC = new TextEncoder().encode('terrane state journal 1\n');
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
// Length and checksum, four bytes each, little end first.
const PREFIX = 8;
const HEADER = 0x48; // H
const EVENT = 0x45; // E
const MARK = 0x53; // S

/** A snapshot as a journal tells it from others. */
export interface SnapshotName {
  readonly lineage: string;
  readonly serial: number;
  /** hexadecimal SHA-256 of the stored bytes; `undefined`: nothing was stored */
  readonly digest: string | undefined;
}

/** The first record: what the events are changes of, and who writes them. */
export interface JournalHeader {
  readonly base: SnapshotName;
  /** RFC 3339 */
  readonly created: string;
  readonly host: string;
  readonly pid: number;
  /** tells the process from later ones with its number */
  readonly process: string;
}

/** Says that a snapshot, about to be stored, has all events up to a byte of the journal. */
export interface SnapshotMark {
  readonly snapshot: SnapshotName;
  readonly upTo: number;
}

/** A journal read back. */
export interface JournalContent {
  readonly header: JournalHeader;
  /** with the position after each one */
  readonly events: readonly { readonly event: StateEvent; readonly end: number }[];
  readonly marks: readonly SnapshotMark[];
  /** the last record was cut off: it was never durable */
  readonly torn: boolean;
  /** bytes up to the end of the last whole record */
  readonly length: number;
}

/** The beginning of a journal. */
export function encodeHeader(header: JournalHeader): Uint8Array {
  const record = frame(HEADER, JSON.stringify(header));
  const bytes = new Uint8Array(MAGIC.length + record.length);
  bytes.set(MAGIC);
  bytes.set(record, MAGIC.length);
  return bytes;
}

/** The beginning of a journal, with what earlier ones left open. */
export function encodeBeginning(header: JournalHeader, carried: readonly StateEvent[]): Uint8Array {
  const parts = [encodeHeader(header), ...carried.map(encodeEvent)];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** One event. */
export function encodeEvent(event: StateEvent): Uint8Array {
  return frame(EVENT, eventToJson(event));
}

/** One mark. */
export function encodeMark(mark: SnapshotMark): Uint8Array {
  return frame(MARK, JSON.stringify(mark));
}

function frame(kind: number, text: string): Uint8Array {
  // UTF-8 takes at most three bytes for a UTF-16 unit; the exact length is known afterwards.
  const room = new Uint8Array(PREFIX + 1 + text.length * 3);
  room[PREFIX] = kind;
  const { written } = ENCODER.encodeInto(text, room.subarray(PREFIX + 1));
  const record = room.subarray(0, PREFIX + 1 + written);
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  view.setUint32(0, 1 + written, true);
  view.setUint32(4, crc32(record.subarray(PREFIX)), true);
  // Most text is ASCII, so most of the room is empty: don't keep it alive in a queue.
  return record.length * 2 < room.length ? record.slice() : record;
}

/**
 * Reads a journal. `undefined` when not even its header was completely written, so nothing can have
 * been recorded. An error's text says what is wrong with it.
 */
export function decodeJournal(
  bytes: Uint8Array,
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
    const body = bytes.subarray(at + PREFIX + 1, end);
    try {
      switch (bytes[at + PREFIX]) {
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
      const reason = error instanceof Error ? error.message : String(error);
      return { error: `its record at byte ${at} can't be understood: ${reason}` };
    }
    at = end;
  }
  return header === undefined ? undefined : { header, events, marks, torn: false, length: at };
}

/** Position after the record at `at`, or `undefined` when there is no whole and sound one. */
function recordEnd(bytes: Uint8Array, view: DataView, at: number): number | undefined {
  if (at + PREFIX > bytes.length) return undefined;
  const length = view.getUint32(at, true);
  const end = at + PREFIX + length;
  if (length === 0 || end > bytes.length) return undefined;
  return crc32(bytes.subarray(at + PREFIX, end)) === view.getUint32(at + 4, true) ? end : undefined;
}

/** Tells damage in the middle, behind which durable records stand, from a tail that was cut off. */
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
