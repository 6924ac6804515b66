import { minutes } from '@terrane/provider/sdk';

/** Codes of errors that say that there is no such secret. */
export const NO_SECRET: readonly string[] = ['ResourceNotFoundException'];

/** How long a change of a secret takes at most until all of the service shows it. */
export const PROPAGATION: number = minutes(2);

/** The label of the version that is in use. */
export const CURRENT = 'AWSCURRENT';
