import {
  BOOL,
  DYNAMIC,
  listType,
  mapType,
  NUMBER,
  objectType,
  setType,
  str,
  STRING,
  tupleType,
  unknownOf,
  valueToJson,
} from '@terrane/cty';
import { block, computed, either, nested, optional, required, schema } from './attributes.ts';
import { withAttributes } from './computed-values.ts';
import type { Kind } from './kind.ts';

const PAIR = objectType({ a: STRING, b: listType(NUMBER) });

const inner = {
  s: optional(STRING),
  n: optional(NUMBER),
  made: computed(STRING),
};

/** Every type of attributes, every nesting of blocks and nested attributes, computed parts in all of them. */
export const everything: Kind = {
  schema: schema(
    {
      name: required(STRING),
      id: computed(STRING),
      text: optional(STRING),
      number: optional(NUMBER),
      flag: optional(BOOL),
      list: optional(listType(STRING)),
      set: optional(setType(NUMBER)),
      map: optional(mapType(BOOL)),
      object: optional(PAIR),
      tuple: optional(tupleType([STRING, NUMBER])),
      objects: optional(listType(PAIR)),
      maps: optional(mapType(setType(STRING))),
      any: optional(DYNAMIC),
      anys: optional(mapType(DYNAMIC)),
      sensitive: { type: STRING, optional: true, sensitive: true },
      made_text: either(STRING),
      made_number: computed(NUMBER),
      made_flag: computed(BOOL),
      made_list: computed(listType(STRING)),
      made_set: computed(setType(STRING)),
      made_map: computed(mapType(NUMBER)),
      made_object: computed(PAIR),
      made_any: computed(DYNAMIC),
      config: computed(STRING),
      one: nested('single', inner),
      many: nested('list', {
        ...inner,
        deep: nested('map', { s: required(STRING), made: computed(NUMBER) }),
      }),
      some: nested('set', { s: optional(STRING), n: optional(NUMBER) }),
      keyed: nested('map', { ...inner, secret: { type: STRING, optional: true, sensitive: true } }),
    },
    {
      single: { nesting: 'single', block: block(inner) },
      group: { nesting: 'group', block: block({ s: optional(STRING), made: computed(STRING) }) },
      listed: {
        nesting: 'list',
        maxItems: 3,
        block: block(inner, {
          below: { nesting: 'list', block: block({ s: required(STRING), made: computed(STRING) }) },
          unordered: { nesting: 'set', block: block({ s: optional(STRING) }) },
        }),
      },
      unordered: { nesting: 'set', block: block({ s: optional(STRING), n: optional(NUMBER) }) },
      mapped: { nesting: 'map', block: block(inner) },
    },
    1,
  ),
  plan: ({ prior }, answer) =>
    prior.isNull || prior.rawEquals(answer.planned)
      ? answer
      : { ...answer, planned: withAttributes(answer.planned, { config: unknownOf(STRING) }) },
  apply: (request, answer) => ({
    ...answer,
    // What arrived, to the letter.
    state: withAttributes(answer.state, {
      config: str(valueToJson(request.config, request.config.type)),
    }),
  }),
};
