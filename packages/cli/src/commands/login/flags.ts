/** Flags of `terrane login`. */
export const LOGIN_FLAGS = {
  input: { kind: 'bool', initial: true },
} as const;
