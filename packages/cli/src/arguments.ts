import type { FlagValues } from './flags/flag.ts';

// Flags that several commands share, with the types of their values.

/** Flags of commands that use a state. */
export const STATE_FLAGS = {
  lock: { kind: 'bool', initial: true },
  'lock-timeout': { kind: 'duration', initial: 0 },
  state: { kind: 'text', initial: '' },
  'state-out': { kind: 'text', initial: '' },
  backup: { kind: 'text', initial: '' },
} as const;
/** Values of {@link STATE_FLAGS}. */
export type StateValues = FlagValues<typeof STATE_FLAGS>;

/** Flags of commands that plan. */
export const OPERATION_FLAGS = {
  parallelism: { kind: 'integer', initial: 10 },
  refresh: { kind: 'bool', initial: true },
  destroy: { kind: 'bool', initial: false },
  'refresh-only': { kind: 'bool', initial: false },
  target: { kind: 'list', initial: [] },
  'target-file': { kind: 'list', initial: [] },
  exclude: { kind: 'list', initial: [] },
  'exclude-file': { kind: 'list', initial: [] },
  'minimal-refresh': { kind: 'bool', initial: false },
  'allow-deferral': { kind: 'bool', initial: false },
  replace: { kind: 'list', initial: [] },
  invoke: { kind: 'list', initial: [] },
} as const;
/** Values of {@link OPERATION_FLAGS}. */
export type OperationValues = FlagValues<typeof OPERATION_FLAGS>;

/** Flags of commands that show values. They may be anywhere and are removed before the others are parsed. */
export const SENSITIVE_FLAGS = { 'show-sensitive': { kind: 'bool', initial: false } } as const;

/** Flags for machine-readable output, in place of or in addition to the text output. */
export const JSON_FLAGS = {
  json: { kind: 'bool', initial: false },
  'json-into': { kind: 'text', initial: '' },
} as const;
/** Values of {@link JSON_FLAGS}. */
export type JsonValues = FlagValues<typeof JSON_FLAGS>;

/** Flags of commands that evaluate policies. */
export const POLICY_FLAGS = {
  policies: { kind: 'list', initial: [] },
  'policy-input': { kind: 'list', initial: [] },
  'policy-sarif': { kind: 'text', initial: '' },
  'override-policy': { kind: 'list', initial: [] },
  reason: { kind: 'text', initial: '' },
} as const;
/** Values of {@link POLICY_FLAGS}. */
export type PolicyValues = FlagValues<typeof POLICY_FLAGS>;

/** Flags that set root variables. Their order matters. */
export const VARIABLE_FLAGS = {
  var: { kind: 'list', initial: [] },
  'var-file': { kind: 'list', initial: [] },
} as const;
/** Values of {@link VARIABLE_FLAGS}. */
export type VariableValues = FlagValues<typeof VARIABLE_FLAGS>;

/** Flags for workspaces whose runs a server executes. */
export const REMOTE_VERSION_FLAGS = {
  'ignore-remote-version': { kind: 'bool', initial: false },
} as const;
