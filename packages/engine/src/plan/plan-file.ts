import { gunzipSync, gzipSync } from 'node:zlib';
import type { Plan } from './model.ts';
import type { PlanOrigin, StoredRecord } from './plan-records.ts';
import { type PlanFile, PlanFileError, PlanRecordsReader } from './read-plan-records.ts';
import { planRecords } from './write-plan-records.ts';

export type { PlanOrigin } from './plan-records.ts';
export { type PlanFile, PlanFileError } from './read-plan-records.ts';

const MAGIC = 'TERRANE PLAN 1\n';
/** The number of characters compressed at a time, so that no plan becomes a single string. */
const BLOCK = 1 << 20;

/**
 * A plan as the bytes of a file: a line that names the format, then lines of JSON, compressed block
 * by block. It holds sensitive values in clear, so the file must be readable by its owner only.
 */
export function encodePlanFile(plan: Plan, origin: PlanOrigin): Uint8Array {
  const blocks: Uint8Array[] = [Buffer.from(MAGIC)];
  let lines: string[] = [];
  let size = 0;
  const flush = (): void => {
    if (lines.length === 0) return;
    blocks.push(gzipSync(Buffer.from(`${lines.join('\n')}\n`), { level: 1 }));
    lines = [];
    size = 0;
  };
  for (const record of planRecords(plan, origin)) {
    const line = JSON.stringify(record);
    lines.push(line);
    size += line.length;
    if (size >= BLOCK) flush();
  }
  lines.push('"end"');
  flush();
  return Buffer.concat(blocks);
}

/** Decodes a file of `encodePlanFile`. Throws PlanFileError. */
export function decodePlanFile(bytes: Uint8Array): PlanFile {
  const magic = Buffer.from(bytes.subarray(0, MAGIC.length)).toString();
  if (magic !== MAGIC) throw refuse(bytes, magic);
  let text: Buffer;
  try {
    text = gunzipSync(bytes.subarray(MAGIC.length));
  } catch {
    throw new PlanFileError('damaged', 'the file is cut off or was changed');
  }
  const reader = new PlanRecordsReader();
  let complete = false;
  for (let start = 0; start < text.length;) {
    const end = text.indexOf(10, start);
    if (end < 0) break;
    const record = JSON.parse(text.toString('utf8', start, end)) as StoredRecord | 'end'; // written by encodePlanFile
    if (record === 'end') complete = true;
    else reader.read(record);
    start = end + 1;
  }
  if (!complete) throw new PlanFileError('damaged', 'the file is cut off');
  return reader.finish();
}

function refuse(bytes: Uint8Array, magic: string): PlanFileError {
  if (magic.startsWith('TERRANE PLAN ')) {
    return new PlanFileError('newer', 'it was made by a later version of this program');
  }
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    return new PlanFileError('foreign', 'it is a plan file of Terraform or OpenTofu');
  }
  return new PlanFileError('not-a-plan', 'it is not a plan file');
}
