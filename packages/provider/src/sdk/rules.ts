import type { Modifier, ModifierRequest, Validator, ValidatorRequest } from './definition.ts';

declare const names: unique symbol;

/** A predefined check of an argument. `N`: the siblings that it reads. */
export interface AttributeValidator<N extends string = never> {
  readonly kind: 'validator';
  readonly validate: Validator;
  /** the condition as part of a sentence, for validators of elements */
  readonly description?: string;
  readonly [names]?: N;
}

/** A predefined rule for the planned value of an argument. */
export interface PlanModifier {
  readonly kind: 'plan modifier';
  readonly modify: Modifier;
}

/**
 * A validator in terms of `Value`s, for checks that typed values do not allow: it is also called for null and unknown
 * values and receives the object that contains the value. `N`: the sibling arguments that it reads.
 */
export function validator<N extends string = never>(
  validate: (request: ValidatorRequest) => ReturnType<Validator>,
): AttributeValidator<N> {
  return { kind: 'validator', validate };
}

/**
 * Defines a plan modifier in terms of `Value`s, for rules that typed plan modifiers do not allow: it receives the whole
 * objects.
 */
export function planModifier(
  modify: (request: ModifierRequest) => ReturnType<Modifier>,
): PlanModifier {
  return { kind: 'plan modifier', modify };
}
