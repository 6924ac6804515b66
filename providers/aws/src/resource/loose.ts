/** A value as handlers may return it: any part may be missing, as in responses of AWS. */
export type Loose<T> = T extends readonly (infer E)[]
  ? readonly Loose<E>[] | null | undefined
  : T extends object
    ? { readonly [K in keyof T]?: Loose<T[K]> | undefined } | null | undefined
    : T | null | undefined;

/** The arguments of an object as a handler may return them. */
export type LooseObject<T> = { readonly [K in keyof T]?: Loose<T[K]> | undefined };
