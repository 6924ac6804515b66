import { createHash } from 'node:crypto';
import { attrStep, DYNAMIC, nullOf, NUMBER, str, STRING, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { block, computed, nested, optional, required, schema } from './attributes.ts';
import { withAttributes } from './computed-values.ts';
import { problem } from './kind.ts';
import type { Kind } from './kind.ts';

const writeOnly = (type: typeof STRING | typeof DYNAMIC) => ({
  type,
  optional: true,
  writeOnly: true,
});

/** What is written only: it arrives where an object is made, and nothing of it stays but a hash. */
export const secret: Kind = {
  schema: schema(
    {
      name: required(STRING),
      id: computed(STRING),
      password_wo: { type: STRING, optional: true, writeOnly: true, sensitive: true },
      password_version: optional(NUMBER),
      token_wo: writeOnly(DYNAMIC),
      hash: computed(STRING),
      login: nested('single', { user: required(STRING), key_wo: writeOnly(STRING) }),
      logins: nested('list', { user: required(STRING), key_wo: writeOnly(STRING) }),
    },
    {
      mail: { nesting: 'list', block: block({ to: required(STRING), text_wo: writeOnly(STRING) }) },
    },
  ),
  validate: ({ config, capabilities }) => {
    const password = config.attr('password_wo');
    if (password.isNull) return [];
    if (!capabilities.writeOnlyAttributesAllowed)
      return [problem('error', 'write-only is unknown here', [attrStep('password_wo')])];
    return password.isKnown && password.asString().length < 4
      ? [problem('error', 'the password is too short', [attrStep('password_wo')])]
      : [];
  },
  plan: ({ prior }, answer) => {
    if (prior.isNull) return answer;
    const renewed = !prior
      .attr('password_version')
      .rawEquals(answer.planned.attr('password_version'));
    if (!renewed) return answer;
    return { ...answer, planned: withAttributes(answer.planned, { hash: unknownOf(STRING) }) };
  },
  apply: ({ planned, config }, answer) => {
    const { state } = answer;
    const hash = planned.attr('hash').isKnown ? planned.attr('hash') : str(hashOf(config));
    return { ...answer, state: withAttributes(state, { hash }) };
  },
};

function hashOf(config: Value): string {
  const secrets = [
    config.attr('password_wo'),
    config.attr('token_wo'),
    ...inside(config.attr('login'), 'key_wo'),
    ...inside(config.attr('logins'), 'key_wo'),
    ...inside(config.attr('mail'), 'text_wo'),
  ];
  const texts = secrets.map((each) =>
    each.isNull
      ? '-'
      : each.type === STRING
        ? each.asString()
        : `${each.type.kind} ${String(each.length)}`,
  );
  return createHash('sha256').update(texts.join('|')).digest('hex').slice(0, 12);
}

function inside(v: Value, name: string): Value[] {
  if (v.isNull) return [nullOf(STRING)];
  if (v.type.kind === 'object') return [v.attr(name)];
  return v.elements().map((each) => each.attr(name));
}
