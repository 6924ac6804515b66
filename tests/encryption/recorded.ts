import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The recording of a case. */
export interface Recorded {
  readonly by: string;
  /** written by OpenTofu, where `text` is "marker-first" */
  readonly state: string;
  /** the one that Terrane made of it, with "marker-second" */
  readonly ours: string;
  /** the output `text` as OpenTofu read it from that */
  readonly read: string;
}

/** Returns the path of a case's recording. */
export function recordedPath(name: string): string {
  return join(import.meta.dirname, 'recorded', name === '' ? '' : `${name}.json`);
}

/** Returns the recording of a case. */
export function recordedOf(name: string): Recorded {
  const recorded: Recorded = JSON.parse(readFileSync(recordedPath(name), 'utf8'));
  return recorded;
}
