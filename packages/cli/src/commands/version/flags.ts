/** Flags of `terrane version`. */
export const VERSION_FLAGS = {
  json: { kind: 'bool', initial: false },
  v: { kind: 'bool', initial: true },
  version: { kind: 'bool', initial: true },
} as const;
