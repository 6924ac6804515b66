import type { KeyHost } from './key-provider.ts';
import type { Settings, Shape } from './settings.ts';

/** An encryption method with its keys. */
export interface Method {
  /** Encrypts data, as a stream where the method allows. Rejects, or throws during the iteration, with an {@link EncryptionError}. */
  encrypt(data: Iterable<Uint8Array>): Promise<Iterable<Uint8Array>>;
  /** Decrypts data and verifies its integrity. Rejects with an {@link EncryptionError}. */
  decrypt(data: Iterable<Uint8Array>): Promise<Uint8Array>;
}

/** The type of an encryption method: the schema of its settings and its constructor. */
export interface MethodKind {
  readonly shape: Shape;
  /** Creates a method from its settings. Throws an {@link EncryptionError} for invalid settings. */
  build(settings: Settings, host: KeyHost): Method;
}
