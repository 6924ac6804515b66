/** Makes a plan and keeps nothing. */
export const PLAN: readonly string[] = ['plan', '-input=false', '-no-color', '-lock=false'];
/** Makes a plan and follows it. */
export const APPLY: readonly string[] = ['apply', '-input=false', '-no-color', '-auto-approve'];
/** Destroys all objects. */
export const DESTROY: readonly string[] = ['destroy', '-input=false', '-no-color', '-auto-approve'];
