import type { Range } from '@terrane/hcl';
import type { DriftLocation } from './model.ts';

/** Returns the file and line where a range starts. */
export function locationOf({ filename, from }: Range): DriftLocation {
  return { file: filename, line: from.line };
}

/** Formats a location: `main.tf:12`. */
export function locationText({ file, line }: DriftLocation): string {
  return `${file}:${line}`;
}
