import { mapType, NUMBER, type ObjectType, STRING, type Type } from '@terrane/cty';
import { type BlockSchema, impliedType, type ProviderSchema } from '@terrane/provider';

const THING: BlockSchema = {
  attributes: {
    id: { type: STRING, computed: true },
    name: { type: STRING, required: true },
    /** above 10 it is another kind of object: crossing that demands a replacement */
    size: { type: NUMBER, optional: true, computed: true },
    /** changing it demands a replacement */
    kind: { type: STRING, optional: true },
    /** kept in lower case: what differs only by case is no change */
    label: { type: STRING, optional: true, computed: true },
    /** what nobody can read back */
    secret: { type: STRING, optional: true, sensitive: true },
    notes: { type: mapType(STRING), optional: true },
    /** how often it was changed */
    version: { type: NUMBER, computed: true },
    token: { type: STRING, optional: true, writeOnly: true },
  },
  blocks: {
    part: {
      nesting: 'list',
      block: {
        attributes: {
          size: { type: NUMBER, optional: true },
          serial: { type: NUMBER, computed: true },
        },
        blocks: {},
      },
    },
  },
};

/** The schema of the provider: things with most behaviors of resource types. */
export const FUZZ_SCHEMA: ProviderSchema = {
  provider: {
    version: 0,
    block: {
      attributes: {
        region: { type: STRING, optional: true },
        key: { type: STRING, optional: true, sensitive: true },
      },
      blocks: {},
    },
  },
  resources: { test_thing: { version: 1, block: THING }, test_other: { version: 3, block: THING } },
  dataSources: {
    test_lookup: {
      version: 0,
      block: {
        attributes: {
          query: { type: STRING, required: true },
          found: { type: STRING, computed: true },
        },
        blocks: {},
      },
    },
  },
  ephemeralResources: {
    test_token: {
      version: 0,
      block: {
        attributes: {
          name: { type: STRING, required: true },
          value: { type: STRING, computed: true },
        },
        blocks: {},
      },
    },
  },
  functions: {},
  capabilities: { moveResourceState: true },
};

/** The identity schema of things, since the second release of the provider. */
const IDENTITY: BlockSchema = {
  attributes: { id: { type: STRING, required: true } },
  blocks: {},
};
/** The type of that. */
export const IDENTITY_TYPE: ObjectType = objectOnly(impliedType(IDENTITY));

const RELEASES = new Map<number, ProviderSchema>([[0, FUZZ_SCHEMA]]);

/** Returns the schema of a release: each has another schema version, and from the second on identities. */
export function fuzzSchema(release: number): ProviderSchema {
  const known = RELEASES.get(release);
  if (known !== undefined) return known;
  const schema: ProviderSchema = {
    ...FUZZ_SCHEMA,
    resources: {
      test_thing: { version: 1 + release, block: THING },
      test_other: { version: 3 + release, block: THING },
    },
    identities: {
      test_thing: { version: 0, block: IDENTITY },
      test_other: { version: 0, block: IDENTITY },
    },
  };
  RELEASES.set(release, schema);
  return schema;
}

/** The type of things. */
export const THING_TYPE: ObjectType = objectOnly(impliedType(THING));
/** The type of the parts in a thing. */
export const PART_TYPE: ObjectType = objectOnly(impliedType(THING.blocks['part']?.block ?? THING));
/** The type of a lookup. */
export const LOOKUP_TYPE: ObjectType = objectOnly(
  impliedType(FUZZ_SCHEMA.dataSources['test_lookup']?.block ?? THING),
);
/** The type of a token. */
export const TOKEN_TYPE: ObjectType = objectOnly(
  impliedType(FUZZ_SCHEMA.ephemeralResources['test_token']?.block ?? THING),
);

function objectOnly(type: Type): ObjectType {
  if (type.kind !== 'object') throw new Error('a block is an object');
  return type;
}
