import { minutes } from '@terrane/provider/sdk';

/** Error codes for a missing secret. */
export const NO_SECRET: readonly string[] = ['ResourceNotFoundException'];

/** The longest time until all of the service shows a change of a secret. */
export const PROPAGATION: number = minutes(2);

/** The label of the version that is in use. */
export const CURRENT = 'AWSCURRENT';
