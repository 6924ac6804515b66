import { minutes, seconds } from '@terrane/provider/sdk';

/** How long a change may take until all of EC2 shows it, in milliseconds. */
export const PROPAGATION: number = minutes(5);

/** How EC2 is polled for the new value of an attribute, which it often shows late and inconsistently. */
export const ATTRIBUTE_WAIT: {
  readonly delay: number;
  readonly minTimeout: number;
  readonly timeout: number;
} = { delay: seconds(10), minTimeout: seconds(3), timeout: PROPAGATION };
