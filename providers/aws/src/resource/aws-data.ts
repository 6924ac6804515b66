import { type Definers, withClient } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';

const definers: Definers<Aws, null> = withClient<Aws>();

/** Defines data sources whose handlers have the AWS client as `client`: `client.in(config.region, signal)`. */
export const dataSource: Definers<Aws, null>['dataSource'] = definers.dataSource;

/** Defines an ephemeral resource; see {@link dataSource}. */
export const ephemeralResource: Definers<Aws, null>['ephemeralResource'] =
  definers.ephemeralResource;
