import { minutes, seconds } from '@terrane/provider/sdk';

/** The longest time until all of EC2 shows a change, in milliseconds. */
export const PROPAGATION: number = minutes(5);

/** Options of the waits for objects that EC2 creates slowly. */
export const POLLING: { readonly delay: number; readonly minTimeout: number } = {
  delay: seconds(10),
  minTimeout: seconds(3),
};

/** The number of polls in a row in which a new object may be missing; more than any time-out allows. */
export const NOT_FOUND_CHECKS = 1000;

/** Options of the waits for the new value of an attribute, which EC2 often shows late and inconsistently. */
export const ATTRIBUTE_WAIT: typeof POLLING & { readonly timeout: number } = {
  ...POLLING,
  timeout: PROPAGATION,
};
