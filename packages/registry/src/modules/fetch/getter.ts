import type { GoUrl } from '@terrane/addresses';
import type { FetchContext } from './fetch-context.ts';

/** A package getter. Both methods reject with an error for users. */
export interface Getter {
  /** Makes the directory `destination`, which does not exist, with the whole package in it. */
  directory(context: FetchContext, url: GoUrl, destination: string): Promise<void>;
  /** The bytes of one file: an archive. */
  file(context: FetchContext, url: GoUrl): Promise<Uint8Array>;
}
