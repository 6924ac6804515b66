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
  remove(name: string): Promise<void>;
}
