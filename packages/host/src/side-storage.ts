import type { DurabilityOptions } from './file-system.ts';

/**
 * Further data beside the state of a workspace, by name. A name consists of segments of lower-case letters, digits,
 * dots, dashes and underscores, separated by slashes.
 */
export interface SideStorage {
  /** Returns the content; `undefined` if there is none. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Replaces the content atomically. */
  write(name: string, content: Uint8Array): Promise<void>;
  /** Removes the content; no error if there is none. */
  remove(name: string, options?: DurabilityOptions): Promise<void>;
}

/**
 * Splits the name of stored data into its segments. Names contain identifiers from stored data, which may have been
 * written by somebody else, so other names are rejected.
 */
export function sideNameSegments(name: string): readonly string[] {
  const segments = name.split('/');
  if (segments.every((each) => /^[\w-][\w.-]*$/.test(each))) return segments;
  throw new Error(`${JSON.stringify(name)} is not a name of stored data`);
}
