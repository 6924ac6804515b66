/** Where the built-in provider is served: its own address belongs to what is built in. */
export const SERVED_BUILT_IN = 'example.com/terrane/terraform';

/** Its own address. */
export const BUILT_IN = 'terraform.io/builtin/terraform';
