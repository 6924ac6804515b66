import type { Clock, Environment, FileSystem, Http } from '@terrane/host';

/** The host interfaces that access to AWS uses. */
export interface AwsHost {
  readonly http: Pick<Http, 'request'>;
  readonly environment: Environment;
  readonly files: FileSystem;
  readonly clock: Clock;
}
