/** Something that cannot be encrypted or decrypted, or a key that cannot be had, in OpenTofu's words. */
export class EncryptionError extends Error {}
