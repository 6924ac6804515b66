import { attrStep, nullOf, number, NUMBER, object, str, STRING, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { block, computed, optional, required, schema } from './attributes.ts';
import { withAttributes } from './computed-values.ts';
import { problem } from './kind.ts';
import type { Kind } from './kind.ts';

const IDENTITY = schema({ region: required(STRING), name: required(STRING) });

/** Has an identity, which is planned as far as it is known, and is imported by id (`region:name`) or by it. */
export const identified: Kind = {
  schema: schema({
    name: required(STRING),
    region: required(STRING),
    id: computed(STRING),
    size: optional(NUMBER),
  }),
  identity: { ...IDENTITY, version: 1 },
  plan: (_request, answer) => ({ ...answer, ...identityOf(answer.planned) }),
  apply: (_request, answer) => ({ ...answer, ...identityOf(answer.state) }),
  read: (_request, found) =>
    found.state.isNull ? found : { ...found, ...identityOf(found.state) },
  import: ({ id, identity }) => {
    const [region, name] =
      identity === undefined
        ? (id ?? '').split(':')
        : [identity.attr('region').asString(), identity.attr('name').asString()];
    if (region === undefined || name === undefined) {
      return {
        imported: [],
        diagnostics: [problem('error', `${id ?? ''} is no id: write REGION:NAME`)],
      };
    }
    const state = object({
      name: str(name),
      region: str(region),
      id: str(`identified/${name}`),
      size: nullOf(NUMBER),
    });
    return {
      imported: [
        { type: 'probe_identified', state, private: Buffer.from('imported'), ...identityOf(state) },
      ],
    };
  },
};

function identityOf(v: Value): { identity?: Value } {
  const [region, name] = [v.attr('region'), v.attr('name')];
  return region.isKnown && name.isKnown ? { identity: object({ region, name }) } : {};
}

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
  const found = config.attr('how');
  return found.isKnown && !found.isNull ? found.asString() : '';
}
