/** Something that cannot be encrypted or decrypted, or a key that cannot be had, in OpenTofu's words. */
export class EncryptionError extends Error {}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
