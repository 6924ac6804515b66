import type { DataSource, EphemeralResource, Resource } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';

/** What the provider has for one service, by the names of types: a folder's `index.ts` exports one. */
export interface Service {
  readonly resources: Readonly<Record<string, Resource<Aws>>>;
  readonly dataSources: Readonly<Record<string, DataSource<Aws>>>;
  readonly ephemeralResources?: Readonly<Record<string, EphemeralResource<Aws>>>;
}
