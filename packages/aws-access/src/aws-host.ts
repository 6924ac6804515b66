import type { Clock, Environment, FileSystem, Http } from '@terrane/host';

/** What of the outside world asking Amazon needs. */
export interface AwsHost {
  readonly http: Pick<Http, 'request'>;
  readonly environment: Environment;
  readonly files: FileSystem;
  readonly clock: Clock;
}
