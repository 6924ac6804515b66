import { minutes, seconds } from '@terrane/provider/sdk';

/** How long a change may take until all of EC2 shows it, in milliseconds. */
export const PROPAGATION: number = minutes(5);

/** How objects are polled that EC2 takes a while for. */
export const POLLING: { readonly delay: number; readonly minTimeout: number } = {
  delay: seconds(10),
  minTimeout: seconds(3),
};

/** How often in a row a new object may be missing while it is waited for: more often than any time-out allows. */
export const NOT_FOUND_CHECKS = 1000;

/** How EC2 is polled for the new value of an attribute, which it often shows late and inconsistently. */
export const ATTRIBUTE_WAIT: typeof POLLING & { readonly timeout: number } = {
  ...POLLING,
  timeout: PROPAGATION,
};
