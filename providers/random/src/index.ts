import type { BundledProvider } from '@terrane/provider';
import { defineProvider } from '@terrane/provider/sdk';
import { bytesResource, ephemeralBytes } from './bytes.ts';
import { idResource } from './id.ts';
import { integerResource } from './integer.ts';
import { ephemeralPassword, passwordResource } from './password.ts';
import { petResource } from './pet.ts';
import { shuffleResource } from './shuffle.ts';
import { stringResource } from './string.ts';
import { uuid4Resource, uuid7Resource, uuidResource } from './uuid.ts';

/** The provider hashicorp/random. */
export const provider: BundledProvider = {
  address: 'registry.terraform.io/hashicorp/random',
  version: '3.9.0',
  create: (ports) =>
    defineProvider({
      resources: {
        random_bytes: bytesResource(ports),
        random_id: idResource(ports),
        random_integer: integerResource(ports),
        random_password: passwordResource(ports),
        random_pet: petResource(ports),
        random_shuffle: shuffleResource(ports),
        random_string: stringResource(ports),
        random_uuid: uuidResource(ports),
        random_uuid4: uuid4Resource(ports),
        random_uuid7: uuid7Resource(ports),
      },
      ephemeralResources: {
        random_bytes: ephemeralBytes(ports),
        random_password: ephemeralPassword(ports),
      },
      sideEffects: false,
    }),
};
