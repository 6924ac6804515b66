import type { Value } from '@terrane/cty';
import type { ModifierRequest } from './definition.ts';
import { planModifier } from './rules.ts';
import type { PlanModifier } from './rules.ts';

const REPLACE = { requiresReplace: true } as const;

/** Replaces the object when the argument changes and `condition`, which receives `Value`s, is true. */
export function requiresReplaceIf(condition: (request: ModifierRequest) => boolean): PlanModifier {
  return planModifier((request) => {
    if (request.state.isNull || request.planValue.rawEquals(request.stateValue)) return undefined;
    return condition(request) ? REPLACE : undefined;
  });
}

/** Keeps the stored value if the plan would be unknown, unless the configured value is unknown. */
export const useStateForUnknown: PlanModifier = planModifier(
  ({ state, planValue, configValue, stateValue }) => {
    if (state.isNull || planValue.isKnown || !configValue.isKnown) return undefined;
    return { planValue: stateValue };
  },
);

/**
 * Replaces the object when a map of values changes, except for keys with null values that are absent from the stored
 * value: older versions of providers stored no nulls.
 */
export const replaceIfMapValuesChange: PlanModifier = planModifier(
  ({ state, configValue, stateValue }) => {
    if (state.isNull || configValue.rawEquals(stateValue)) return undefined;
    return onlyNullsAdded(configValue, stateValue) ? undefined : REPLACE;
  },
);

function onlyNullsAdded(config: Value, state: Value): boolean {
  const written = config.isKnown && !config.isNull ? config : undefined;
  if (!state.isNull) {
    for (const [key] of state.entries()) {
      if (written?.get(key.asString()) === undefined) return false;
    }
  }
  if (written === undefined) return true;
  for (const [key, value] of written.entries()) {
    const before = state.isNull ? undefined : state.get(key.asString());
    const same = before === undefined ? value.isNull : value.rawEquals(before);
    if (!same) return false;
  }
  return true;
}
