/** A file of an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array;
  /** permission bits */
  readonly mode: number;
}

// The earliest timestamp of the format, so that equal input has equal archives and checksums.
const ALWAYS = new Date(1980, 0, 1);
const UNIX = 3;
const REGULAR_FILE = 0o100_000;

/** Packs files with their permissions. The output is reproducible. */
export async function zip(entries: readonly ZipEntry[]): Promise<Uint8Array> {
  const { zipSync } = await import('fflate');
  return zipSync(
    Object.fromEntries(
      entries.map(({ name, content, mode }) => [
        name,
        // Permissions are in the upper half of a number without sign.
        [content, { mtime: ALWAYS, os: UNIX, attrs: (REGULAR_FILE | mode) * 0x10000 }],
      ]),
    ),
  );
}
