// The kinds of objects that the lifecycle provider has.
import { listType, mapType, NUMBER, STRING } from '@terrane/cty';
import type { ProviderSchema, Schema } from '@terrane/provider';
import {
  block,
  computed,
  either,
  nested,
  optional,
  required,
  schema,
} from '../../served/test-provider/attributes.ts';

/** Attributes of all types: a name, by which control file and log identify the object, and an id of the service. */
const COMMON = { name: required(STRING), id: computed(STRING), note: optional(STRING) };

const PART = { key: optional(STRING), value: optional(NUMBER), made: computed(STRING) };

/** Resource types and their schemas. */
export const RESOURCES: Readonly<Record<string, Schema>> = {
  life_thing: schema({
    ...COMMON,
    // Replaces the object when it grows smaller.
    size: optional(NUMBER),
    // Replaces the object always.
    kind: optional(STRING),
    // Equal but for case and space means equal.
    label: optional(STRING),
    // Chosen by the service where the configuration has none.
    zone: either(STRING),
    // Another after each change.
    revision: computed(NUMBER),
    secret: { type: STRING, optional: true, sensitive: true },
    // Never returned by the service.
    code: optional(STRING),
    pass: { type: STRING, optional: true, writeOnly: true },
    tags: optional(mapType(STRING)),
    refs: optional(listType(STRING)),
  }),
  life_box: schema(
    {
      ...COMMON,
      spec: nested('single', PART),
      items: nested('list', PART),
      members: nested('set', PART),
      table: nested('map', PART),
    },
    {
      one: { nesting: 'single', block: block(PART) },
      group: { nesting: 'group', block: block(PART) },
      part: {
        nesting: 'list',
        block: block(PART, { inner: { nesting: 'list', block: block(PART) } }),
      },
      rule: { nesting: 'set', block: block(PART) },
      slot: { nesting: 'map', block: block(PART) },
    },
  ),
  life_named: schema({ ...COMMON, region: required(STRING) }),
  life_old: schema({ ...COMMON, tags: optional(listType(STRING)) }, {}, 2),
  life_heir: schema({ ...COMMON, from: computed(STRING) }),
};

export const IDENTITY: Schema = {
  ...schema({ region: required(STRING), name: required(STRING) }),
  version: 1,
};

/** Finds an object by its id, or the newest of a name. */
export const LOOKUP: Schema = schema({
  name: required(STRING),
  id: either(STRING),
  note: computed(STRING),
  revision: computed(NUMBER),
});

export const SCHEMA: ProviderSchema = {
  provider: schema({ region: optional(STRING) }),
  resources: RESOURCES,
  dataSources: { life_lookup: LOOKUP },
  ephemeralResources: {},
  functions: {},
  identities: { life_named: IDENTITY },
  capabilities: { planDestroy: true, moveResourceState: true, getProviderSchemaOptional: true },
};

/** The schema of a resource type. */
export function schemaOf(type: string): Schema {
  const schema = RESOURCES[type];
  if (schema === undefined) throw new Error(`there is no ${type}`);
  return schema;
}
