/** Flags of `terrane metadata functions`. */
export const METADATA_FUNCTIONS_FLAGS = {
  json: { kind: 'bool', initial: false },
} as const;
