import type { DataSource, EphemeralResource, Resource } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';

/** The resource types and data sources of a service, by type. The `index.ts` of each folder exports one. */
export interface Service {
  readonly resources: Readonly<Record<string, Resource<Aws>>>;
  readonly dataSources: Readonly<Record<string, DataSource<Aws>>>;
  readonly ephemeralResources?: Readonly<Record<string, EphemeralResource<Aws>>>;
}
