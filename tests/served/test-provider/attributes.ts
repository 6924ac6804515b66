// Short ways to write the schemas of the test provider.
import type {
  AttributeSchema,
  BlockSchema,
  NestedAttributes,
  NestedBlock,
  Schema,
} from '@terrane/provider';
import type { Type } from '@terrane/cty';

type Attributes = Readonly<Record<string, AttributeSchema>>;
type Blocks = Readonly<Record<string, NestedBlock>>;
type Nesting = NestedAttributes['nesting'];

export const optional = (type: Type): AttributeSchema => ({ type, optional: true });
export const required = (type: Type): AttributeSchema => ({ type, required: true });
export const computed = (type: Type): AttributeSchema => ({ type, computed: true });
export const either = (type: Type): AttributeSchema => ({ type, optional: true, computed: true });

export const nested = (nesting: Nesting, attributes: Attributes): AttributeSchema => ({
  nested: { nesting, attributes },
  optional: true,
});

export const block = (attributes: Attributes, blocks: Blocks = {}): BlockSchema => ({
  attributes,
  blocks,
});

export const schema = (attributes: Attributes, blocks: Blocks = {}, version = 0): Schema => ({
  version,
  block: block(attributes, blocks),
});
