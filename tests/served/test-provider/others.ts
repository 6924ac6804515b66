import { attrStep, nullOf, number, NUMBER, object, str, STRING, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { impliedType } from '@terrane/provider';
import { block, computed, optional, required, schema } from './attributes.ts';
import { withAttributes } from './computed-values.ts';
import { problem } from './kind.ts';
import type { Kind } from './kind.ts';

/** Keeps in private data how often it was planned and applied. */
export const counted: Kind = {
  schema: schema({
    name: required(STRING),
    id: computed(STRING),
    note: optional(STRING),
    applied: computed(STRING),
  }),
  plan: ({ prior, priorPrivate }, answer) => {
    const changes = prior.isNull || !prior.rawEquals(answer.planned);
    const seen = textOf(priorPrivate);
    return {
      ...answer,
      ...(changes
        ? { planned: withAttributes(answer.planned, { applied: unknownOf(STRING) }) }
        : {}),
      private: Buffer.from(changes ? `${seen}p` : seen),
    };
  },
  apply: ({ plannedPrivate }, answer) => ({
    ...answer,
    state: withAttributes(answer.state, { applied: str(`${textOf(plannedPrivate)}a`) }),
    private: Buffer.from(`${textOf(plannedPrivate)}a`),
  }),
  read: ({ private: kept }, found) => ({
    ...found,
    private: Buffer.from(textOf(kept).replaceAll('r', '') + (kept === undefined ? '' : 'r')),
  }),
};

function textOf(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString();
}

const IDENTITY = schema({ region: required(STRING), name: required(STRING) });

/** Has an identity, and is imported by id (`region:name`) or by it. */
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

const MOVED = schema({ name: required(STRING), id: computed(STRING), from: computed(STRING) });

/** Takes over objects of `probe_counted` and of `terraform_data`. */
export const moved: Kind = {
  schema: MOVED,
  move: ({ sourceProvider, sourceType, sourceVersion, sourceJson, sourcePrivate }) => {
    const stored = JSON.parse(sourceJson) as Readonly<Record<string, unknown>>;
    const name = sourceType === 'terraform_data' ? stored['input'] : stored['name'];
    if (typeof name !== 'string' || !['terraform_data', 'probe_counted'].includes(sourceType)) {
      return {
        state: nullOf(impliedType(MOVED.block)),
        diagnostics: [problem('error', `a ${sourceType} is something else`)],
      };
    }
    const from = `${sourceProvider} ${sourceType} ${sourceVersion} ${Buffer.from(sourcePrivate ?? []).toString()}`;
    return {
      state: object({ name: str(name), id: str(`moved/${name}`), from: str(from.trim()) }),
      private: Buffer.from('moved'),
    };
  },
};

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
