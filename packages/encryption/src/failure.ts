/** Something that cannot be encrypted or decrypted, or a key that cannot be had, in OpenTofu's words. */
export class EncryptionError extends Error {}

/** Returns the message of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
