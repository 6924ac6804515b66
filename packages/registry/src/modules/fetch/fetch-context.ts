import type { Host } from '@terrane/host';
import type { OciCredentials } from '../../oci/oci-repository.ts';

/** What fetching packages needs of the outside world. */
export type FetchHost = Pick<Host, 'files' | 'http' | 'environment' | 'spawn' | 'clock' | 'random'>;

/** What all fetches of one installation share. */
export interface FetchContext {
  readonly host: FetchHost;
  readonly signal: AbortSignal;
  /** a directory beside the place of the packages, for what is not complete yet */
  readonly scratch: string;
  /** Gives what an OCI registry asks for; without it, those of the Docker configuration count. */
  readonly ociCredentials?:
    | ((registry: string, repository: string) => Promise<OciCredentials | undefined>)
    | undefined;
}

/** A name in the scratch directory that nobody else uses. */
export function scratchPath({ host, scratch }: FetchContext): string {
  return `${scratch}/${Buffer.from(host.random.bytes(8)).toString('hex')}`;
}
