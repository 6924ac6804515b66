import type { GoUrl } from '@terrane/addresses';
import type { FetchContext } from './fetch-context.ts';

/** A package getter. Both methods reject with an error for users. */
export interface Getter {
  /** Creates the directory `destination`, which must not exist, with the content of the package. */
  directory(context: FetchContext, url: GoUrl, destination: string): Promise<void>;
  /** The bytes of one file: an archive. */
  file(context: FetchContext, url: GoUrl): Promise<Uint8Array>;
}
