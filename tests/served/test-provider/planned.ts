import {
  attrStep,
  BOOL,
  indexStep,
  listType,
  nullOf,
  number,
  NUMBER,
  objectType,
  refine,
  refineNotNull,
  str,
  STRING,
  unknownOf,
} from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import type { ProviderDiagnostic } from '@terrane/provider';
import { computed, either, nested, optional, required, schema } from './attributes.ts';
import { withAttributes } from './computed-values.ts';
import { problem } from './kind.ts';
import type { Kind } from './kind.ts';

/** Each kind of change that a provider makes to a plan. */
export const planned: Kind = {
  schema: schema({
    name: required(STRING),
    id: computed(STRING),
    // A default, and a default in a nested object.
    colour: either(STRING),
    settings: nested('list', { key: required(STRING), value: either(NUMBER) }),
    // Replaces the object always, when it grows smaller, or in an element of a list.
    kind: optional(STRING),
    size: optional(NUMBER),
    disks: optional(listType(objectType({ kind: STRING, size: NUMBER }))),
    // Stays, is new with each update, or is known in part only.
    serial: computed(STRING),
    revision: computed(NUMBER),
    url: computed(STRING),
    total: computed(NUMBER),
    // Equal text in another spelling keeps the old one.
    label: optional(STRING),
    protected: optional(BOOL),
    warn: optional(STRING),
    refuse: optional(STRING),
    fail: optional(STRING),
  }),
  validate: ({ config }) => [
    ...sayIf(config, 'warn', 'validate', 'warning'),
    ...sayIf(config, 'refuse', 'validate', 'error'),
  ],
  plan: ({ prior, config }, answer) => {
    const create = prior.isNull;
    let plan = answer.planned;
    const replaces: Path[] = [...answer.requiresReplace];
    const changes: Record<string, Value> = {};
    if (config.attr('colour').isNull) changes['colour'] = str('red');
    changes['settings'] = withDefaults(plan.attr('settings'), config.attr('settings'));
    const before = create ? undefined : prior.attr('label');
    const label = plan.attr('label');
    if (before !== undefined && sameText(before, label)) changes['label'] = before;
    plan = withAttributes(plan, changes);
    if (!create) {
      if (changed(prior, plan, 'kind')) replaces.push([attrStep('kind')]);
      const [was, is] = [prior.attr('size'), plan.attr('size')];
      if (isNumber(was) && isNumber(is) && is.asInt() < was.asInt())
        replaces.push([attrStep('size')]);
      for (const path of smallerDisks(prior.attr('disks'), plan.attr('disks'))) replaces.push(path);
    }
    const updates = create || !plan.rawEquals(prior);
    if (updates) {
      plan = withAttributes(plan, {
        revision: unknownOf(NUMBER),
        total: totalOf(plan.attr('disks')),
        ...(create
          ? { url: refine(refineNotNull(unknownOf(STRING)), { prefix: 'https://' }) }
          : {}),
      });
    }
    const diagnostics: ProviderDiagnostic[] = [
      ...sayIf(config, 'warn', 'plan', 'warning'),
      ...sayIf(config, 'refuse', 'plan', 'error'),
    ];
    return { ...answer, planned: plan, requiresReplace: replaces, diagnostics };
  },
  apply: ({ prior, planned: plan, config }, answer) => {
    const revision = prior.isNull ? 1 : prior.attr('revision').asInt() + 1;
    const total = plan.attr('total').isKnown ? plan.attr('total') : totalOf(plan.attr('disks'));
    const state = withAttributes(answer.state, {
      revision: plan.attr('revision').isKnown ? plan.attr('revision') : number(revision),
      url: prior.isNull
        ? str(`https://example.com/${plan.attr('name').asString()}`)
        : prior.attr('url'),
      total,
    });
    const fail = textOf(config, 'fail');
    if (fail === 'before')
      return { state: prior, diagnostics: [problem('error', 'nothing was done')] };
    if (fail === 'throw') throw new Error('the service is gone');
    if (fail === 'after') {
      return {
        ...answer,
        state,
        diagnostics: [problem('error', 'it was done in part', [attrStep('fail')])],
      };
    }
    return { ...answer, state, diagnostics: sayIf(config, 'warn', 'apply', 'warning') };
  },
  keep: (prior) =>
    prior.attr('protected').isKnown &&
    !prior.attr('protected').isNull &&
    prior.attr('protected').asBool()
      ? [problem('error', 'this one is protected')]
      : [],
};

function changed(prior: Value, plan: Value, name: string): boolean {
  return !prior.attr(name).rawEquals(plan.attr(name));
}

function isNumber(v: Value): boolean {
  return v.isKnown && !v.isNull;
}

function textOf(v: Value, name: string): string | undefined {
  const found = v.attr(name);
  return found.isKnown && !found.isNull ? found.asString() : undefined;
}

function sayIf(
  config: Value,
  name: 'warn' | 'refuse',
  stage: string,
  severity: 'error' | 'warning',
): ProviderDiagnostic[] {
  return textOf(config, name) === stage
    ? [problem(severity, `${stage} of ${name}`, [attrStep(name)])]
    : [];
}

function sameText(a: Value, b: Value): boolean {
  if (!isNumber(a) || !isNumber(b)) return false;
  return a.asString().toLowerCase() === b.asString().toLowerCase();
}

function withDefaults(plan: Value, config: Value): Value {
  if (plan.isNull || !plan.isKnown || !config.isKnown) return plan;
  const written = config.elements();
  const parts = plan.elements().map((each, i) => {
    const value = written[i]?.attr('value');
    return value?.isNull === true ? withAttributes(each, { value: number(7) }) : each;
  });
  return plan.withParts(parts);
}

function smallerDisks(prior: Value, plan: Value): Path[] {
  if (prior.isNull || plan.isNull || !plan.isKnown) return [];
  const before = prior.elements();
  return plan.elements().flatMap((disk, i) => {
    const was = before[i];
    if (was === undefined || !disk.isKnown || disk.isNull || was.isNull) return [];
    const [a, b] = [was.attr('size'), disk.attr('size')];
    if (!isNumber(a) || !isNumber(b) || b.asInt() >= a.asInt()) return [];
    return [[attrStep('disks'), indexStep(i), attrStep('size')]];
  });
}

function totalOf(disks: Value): Value {
  if (!disks.isKnown) return unknownOf(NUMBER);
  if (disks.isNull) return nullOf(NUMBER);
  let total = 0;
  for (const disk of disks.elements()) {
    if (!disk.isWhollyKnown()) return unknownOf(NUMBER);
    const size = disk.isNull ? nullOf(NUMBER) : disk.attr('size');
    if (!size.isNull) total += size.asInt();
  }
  return number(total);
}
