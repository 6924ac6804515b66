import type { Modifier, ModifierRequest, Validator, ValidatorRequest } from './definition.ts';

declare const names: unique symbol;

/** A ready-made check of an argument. `N`: the neighbours that it looks at. */
export interface AttributeValidator<N extends string = never> {
  readonly kind: 'validator';
  readonly validate: Validator;
  /** what must hold, as part of a sentence, for validators of elements */
  readonly description?: string;
  readonly [names]?: N;
}

/** A ready-made rule about the planned value of an argument. */
export interface PlanModifier {
  readonly kind: 'plan modifier';
  readonly modify: Modifier;
}

/**
 * A check in terms of `Value`s, for what the checks of typed values cannot say: it is called for null
 * and unknown values too and sees the object that the value is in. `N`: the neighbours that it looks at.
 */
export function validator<N extends string = never>(
  validate: (request: ValidatorRequest) => ReturnType<Validator>,
): AttributeValidator<N> {
  return { kind: 'validator', validate };
}

/** A rule in terms of `Value`s, for what typed plan modifiers cannot say: it sees the whole objects. */
export function planModifier(
  modify: (request: ModifierRequest) => ReturnType<Modifier>,
): PlanModifier {
  return { kind: 'plan modifier', modify };
}
