/** The largest archive that is downloaded into memory, in bytes. */
export const MAX_ARCHIVE_BYTES: number = 1024 ** 3;
/** The most that an archive may hold when it is unpacked. */
const MAX_UNPACKED_BYTES = 16 * 1024 ** 3;
/** Archives that unpack to less than this are not checked for their compression ratio. */
const HARMLESS_BYTES = 256 * 1024 ** 2;
/** Programs and configurations compress to a tenth at best. */
const MAX_RATIO = 100;

/** Returns how many bytes an archive of a size may hold when it is unpacked. */
export function unpackedLimit(packedBytes: number): number {
  return Math.min(MAX_UNPACKED_BYTES, Math.max(HARMLESS_BYTES, packedBytes * MAX_RATIO));
}
