import type { KeyHost } from './key-provider.ts';
import type { Settings, Shape } from './settings.ts';

/** Encrypts and decrypts with keys it was given. */
export interface Method {
  /** Pieces may be given and taken one by one. Rejects, or throws in between, with an {@link EncryptionError}. */
  encrypt(data: Iterable<Uint8Array>): Promise<Iterable<Uint8Array>>;
  /** Nothing is given that was not proven to be whole. Rejects with an {@link EncryptionError}. */
  decrypt(data: Iterable<Uint8Array>): Promise<Uint8Array>;
}

/** A kind of methods. */
export interface MethodKind {
  readonly shape: Shape;
  /** Creates a method from its settings. Throws an {@link EncryptionError} for invalid settings. */
  build(settings: Settings, host: KeyHost): Method;
}
