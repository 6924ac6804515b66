import { TEST_FLAGS } from '../test/flags.ts';

const OWN_FLAGS = {
  repair: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane test cleanup`. */
export const TEST_CLEANUP_FLAGS: typeof TEST_FLAGS & typeof OWN_FLAGS = {
  ...TEST_FLAGS,
  ...OWN_FLAGS,
};
