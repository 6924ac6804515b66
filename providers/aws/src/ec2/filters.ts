import type { Filter } from '@aws-sdk/client-ec2';
import {
  type AttributeOf,
  type ManyBlockOf,
  type SequenceOf,
  set,
  setBlock,
  string,
} from '@terrane/provider/sdk';
import type { Tags } from '../tags/tags.ts';

/** The block `filter { name = … values = […] }` of data sources. */
export const filterBlock: ManyBlockOf<{
  readonly name: AttributeOf<typeof string, 'required'>;
  readonly values: AttributeOf<SequenceOf<string>, 'required'>;
}> = setBlock({
  name: string({ required: true }),
  values: set(string, { required: true }),
});

/**
 * Returns the filters of a request: attributes by name, without null values; tags; and those
 * in `filter` blocks.
 */
export function filtersOf(
  attributeFilters: Readonly<Record<string, string | boolean | null | undefined>>,
  tags: Tags | null = null,
  blocks: readonly { readonly name: string; readonly values: readonly string[] }[] = [],
): Filter[] | undefined {
  const filters = [
    ...Object.entries(attributeFilters).flatMap(([Name, value]) =>
      value === null || value === undefined || value === ''
        ? []
        : [{ Name, Values: [String(value)] }],
    ),
    ...Object.entries(tags ?? {}).map(([key, value]) => ({ Name: `tag:${key}`, Values: [value] })),
    ...blocks.map(({ name, values }) => ({ Name: name, Values: [...values] })),
  ];
  return filters.length === 0 ? undefined : filters;
}
