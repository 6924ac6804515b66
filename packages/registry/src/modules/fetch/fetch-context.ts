import type { Host } from '@terrane/host';
import type { OciCredentials } from '../../oci/oci-repository.ts';

/** The host interfaces for fetching packages. */
export type FetchHost = Pick<Host, 'files' | 'http' | 'environment' | 'spawn' | 'clock' | 'random'>;

/** State shared by all fetches of one installation. */
export interface FetchContext {
  readonly host: FetchHost;
  readonly signal: AbortSignal;
  /** a directory beside the packages, for incomplete files */
  readonly scratch: string;
  /** Returns the credentials of an OCI registry; by default those of the Docker configuration. */
  readonly ociCredentials?:
    | ((registry: string, repository: string) => Promise<OciCredentials | undefined>)
    | undefined;
}

/** Returns a unique path in the scratch directory. */
export function scratchPath({ host, scratch }: FetchContext): string {
  return `${scratch}/${Buffer.from(host.random.bytes(8)).toString('hex')}`;
}
