import { type Host, userErrorText } from '@terrane/host';
import type { Settings, Shape } from './settings.ts';

/** The host interfaces that key providers use. */
export type KeyHost = Pick<Host, 'random' | 'spawn' | 'environment' | 'files' | 'http' | 'clock'>;

/** A new key, and the metadata to recover it. */
export interface ProvidedKey {
  readonly key: Uint8Array;
  /** JSON */
  readonly metadata: string;
}

/** A key provider. */
export interface KeyProvider {
  /** length of its keys in bytes, if known without a request */
  readonly keyLength: number | undefined;
  /** Returns an encryption key. Rejects with an {@link EncryptionError} if none is available. */
  provide(): Promise<ProvidedKey>;
  /**
   * Recovers a decryption key from its metadata; undefined if the metadata has none. Rejects with an {@link
   * EncryptionError}, or a {@link MetadataError} for invalid metadata.
   */
  recover(metadata: Uint8Array): Promise<Uint8Array | undefined>;
}

/** A kind of key providers. */
export interface KeyProviderKind {
  readonly shape: Shape;
  /** Creates a key provider from its settings. Throws an {@link EncryptionError} for invalid settings. */
  build(settings: Settings, host: KeyHost): KeyProvider;
}

/** The stored metadata of a key does not match the key provider. */
export class MetadataError extends Error {}

/** Parses metadata as an object; throws {@link MetadataError} if it is not one. */
export function metadataObject(metadata: Uint8Array): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(metadata));
  } catch (error) {
    throw new MetadataError(userErrorText(error));
  }
  if (parsed === null) return {};
  if (typeof parsed !== 'object' || Array.isArray(parsed)) {
    throw new MetadataError(`an object is required, not ${typeof parsed}`);
  }
  return Object.fromEntries(Object.entries(parsed));
}

/** Decodes a base64 member; empty if absent. */
export function bytesMember(metadata: Readonly<Record<string, unknown>>, name: string): Uint8Array {
  const value = metadata[name];
  if (value === undefined || value === null) return new Uint8Array();
  if (typeof value !== 'string') throw new MetadataError(`${name} must be a string`);
  return Buffer.from(value, 'base64');
}

/** A string member; empty if absent. Throws {@link MetadataError} for other types. */
export function textMember(metadata: Readonly<Record<string, unknown>>, name: string): string {
  const value = metadata[name] ?? '';
  if (typeof value !== 'string') throw new MetadataError(`${name} must be a string`);
  return value;
}

/** A member that maps strings to strings; empty if absent. Throws {@link MetadataError} for other types. */
export function textMapMember(
  metadata: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, string>> {
  const value = metadata[name] ?? {};
  const entries = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [];
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (typeof value !== 'object' || Array.isArray(value) || texts.length < entries.length) {
    throw new MetadataError(`${name} must be an object of strings`);
  }
  return Object.fromEntries(texts);
}

/** Returns true if a text is padded standard base64, which may contain line breaks. */
export function isBase64(text: string): boolean {
  const digits = text.replaceAll(/[\r\n]/g, '');
  return digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits);
}

/** Encodes bytes for metadata. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
