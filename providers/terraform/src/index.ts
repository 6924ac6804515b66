import type { BundledProvider } from '@terrane/provider';
import { defineProvider } from '@terrane/provider/sdk';
import { dataResource, storingDataResource } from './data.ts';
import { FUNCTIONS } from './functions.ts';
import { remoteState } from './remote-state.ts';

/** The built-in provider. */
export const provider: BundledProvider = {
  address: 'terraform.io/builtin/terraform',
  version: '',
  create: (ports) =>
    defineProvider({
      sideEffects: false,
      resources: {
        terraform_data: ports.dataStore === true ? storingDataResource(ports) : dataResource(ports),
      },
      dataSources: { terraform_remote_state: remoteState(ports) },
      functions: FUNCTIONS,
    }),
};
