/** An encryption or decryption error, or a key that is not available, with OpenTofu's text. */
export class EncryptionError extends Error {}
