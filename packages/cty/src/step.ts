/** A step into a value: to an attribute of an object, or to an element by its key (in a set, the element itself). */
export type Step<V> =
  | { readonly kind: 'attr'; readonly name: string }
  | { readonly kind: 'index'; readonly key: V };
