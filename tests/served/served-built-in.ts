/** The address of the served built-in provider: its own address is reserved. */
export const SERVED_BUILT_IN = 'example.com/terrane/terraform';

/** Its own address. */
export const BUILT_IN = 'terraform.io/builtin/terraform';
