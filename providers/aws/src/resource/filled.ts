import { isUnknown, type Unknown } from '@terrane/provider/sdk';

type Elements<E> = readonly (E | Unknown)[] | Unknown;

/**
 * Fills elements of an argument that is written as blocks with the values that the older SDK plans for unset members:
 * the empty text, null or false.
 */
export function fillElements<E extends object>(
  elements: Elements<E>,
  empty: { readonly [K in keyof E]: NonNullable<E[K]> },
): Elements<E> {
  if (isUnknown(elements)) return elements;
  return elements.map((element) => {
    if (isUnknown(element)) return element;
    const written = Object.entries(element).filter(([, value]) => value !== null);
    return { ...element, ...empty, ...Object.fromEntries(written) };
  });
}
