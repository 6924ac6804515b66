import type { BundledProvider } from '@terrane/provider';
import { defineProvider } from '@terrane/provider/sdk';
import { nullDataSource, nullResource } from './null.ts';

/** The provider hashicorp/null. */
export const provider: BundledProvider = {
  address: 'registry.terraform.io/hashicorp/null',
  version: '3.3.1',
  create: (ports) =>
    defineProvider({
      resources: { null_resource: nullResource(ports) },
      dataSources: { null_data_source: nullDataSource(ports) },
      sideEffects: false,
    }),
};
