import type { BundledProvider } from '@terrane/provider';
import { defineProvider } from '@terrane/provider/sdk';
import { FUNCTIONS } from './functions.ts';
import { offsetResource } from './offset.ts';
import { rotatingResource } from './rotating.ts';
import { sleepResource } from './sleep.ts';
import { staticResource } from './static.ts';

/** The provider hashicorp/time. */
export const provider: BundledProvider = {
  address: 'registry.terraform.io/hashicorp/time',
  version: '0.14.2',
  create: (ports) =>
    defineProvider({
      resources: {
        time_offset: offsetResource(ports),
        time_rotating: rotatingResource(ports),
        time_sleep: sleepResource(ports),
        time_static: staticResource(ports),
      },
      functions: FUNCTIONS,
      sideEffects: false,
    }),
};
