import { createHash } from 'node:crypto';
import { string } from '@terrane/provider/sdk';
import type { AttributeOf } from '@terrane/provider/sdk';

/** The checksums of the content of a file, and its `id`, which is one of them. */
export interface Checksums {
  readonly id: string;
  readonly content_md5: string;
  readonly content_sha1: string;
  readonly content_sha256: string;
  readonly content_base64sha256: string;
  readonly content_sha512: string;
  readonly content_base64sha512: string;
}

const checksum = (algorithm: string): AttributeOf<typeof string, 'computed'> =>
  string({ computed: true, description: `${algorithm} checksum of file content.` });

/** The attributes with checksums of the content of a file, without `id`. */
export const CHECKSUMS: Readonly<
  Record<Exclude<keyof Checksums, 'id'>, AttributeOf<typeof string, 'computed'>>
> = {
  content_base64sha256: checksum('Base64 encoded SHA256'),
  content_base64sha512: checksum('Base64 encoded SHA512'),
  content_md5: checksum('MD5'),
  content_sha1: checksum('SHA1'),
  content_sha256: checksum('SHA256'),
  content_sha512: checksum('SHA512'),
};

/** The checksums of a file's content, by argument. */
export function checksumsOf(content: Uint8Array): Checksums {
  const hash = (algorithm: string, encoding: 'hex' | 'base64') =>
    createHash(algorithm).update(content).digest(encoding);
  const sha1 = hash('sha1', 'hex');
  return {
    id: sha1,
    content_md5: hash('md5', 'hex'),
    content_sha1: sha1,
    content_sha256: hash('sha256', 'hex'),
    content_base64sha256: hash('sha256', 'base64'),
    content_sha512: hash('sha512', 'hex'),
    content_base64sha512: hash('sha512', 'base64'),
  };
}

/** Returns the checksum that identifies the written content of a file. */
export function sha1Of(content: Uint8Array): string {
  return createHash('sha1').update(content).digest('hex');
}
