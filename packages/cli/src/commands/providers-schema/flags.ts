import { VARIABLE_FLAGS } from '../../arguments.ts';

const OWN_FLAGS = {
  json: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane providers schema`. */
export const PROVIDERS_SCHEMA_FLAGS: typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};
