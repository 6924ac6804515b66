import { attrStep, nullOf, number, NUMBER, str, STRING, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { block, computed, optional, required, schema } from './attributes.ts';
import { withAttributes } from './computed-values.ts';
import type { Kind } from './kind.ts';

/** As made with the legacy SDK, which has its own idea of null, and plans what it does not keep. */
export const legacy: Kind = {
  schema: schema(
    {
      name: required(STRING),
      id: computed(STRING),
      text: optional(STRING),
      count_of: { type: NUMBER, optional: true, computed: true },
    },
    { rule: { nesting: 'list', block: block({ port: optional(NUMBER), note: optional(STRING) }) } },
  ),
  plan: (_request, answer) => ({ ...answer, legacyTypeSystem: true }),
  apply: ({ planned }, answer) => ({
    ...answer,
    state: withAttributes(answer.state, {
      text: planned.attr('text').isNull ? str('') : planned.attr('text'),
      count_of: number(0),
    }),
    legacyTypeSystem: true,
  }),
};

/** Breaks the rules that providers have to keep: which one is said by `how`. */
export const broken: Kind = {
  schema: schema({
    name: required(STRING),
    id: computed(STRING),
    how: optional(STRING),
    text: optional(STRING),
    made: computed(STRING),
  }),
  plan: ({ config }, answer) => {
    switch (how(config)) {
      case 'plan-config':
        return {
          ...answer,
          planned: withAttributes(answer.planned, { text: str('something else') }),
        };
      case 'plan-replace':
        return { ...answer, requiresReplace: [[attrStep('nothing')]] };
      default:
        return answer;
    }
  },
  apply: ({ config }, answer) => {
    switch (how(config)) {
      case 'apply-planned':
        return { ...answer, state: withAttributes(answer.state, { text: str('something else') }) };
      case 'apply-unknown':
        return { ...answer, state: withAttributes(answer.state, { made: unknownOf(STRING) }) };
      case 'apply-null':
        return { ...answer, state: nullOf(answer.state.type) };
      case 'apply-type':
        return { ...answer, state: str('of another type') };
      default:
        return answer;
    }
  },
};

function how(config: Value): string {
  const value = config.attr('how');
  return value.isKnown && !value.isNull ? value.asString() : '';
}
