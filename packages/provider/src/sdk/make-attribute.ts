import type { Value } from '@terrane/cty';
import type { ProviderDiagnostic } from '../contract.ts';
import { keepOne, readWith, writeWith } from './codec.ts';
import type { Codec, Keep } from './codec.ts';
import type { AttributeDefinition, Modifier, ModifierRequest, Validator } from './definition.ts';
import { error, pathText } from './diagnostics.ts';
import { requiresReplaceIf, useStateForUnknown } from './plan-modifiers.ts';
import type { AttributeValidator, PlanModifier } from './rules.ts';
import type {
  Attribute,
  AttributeOptions,
  AttributePlanAnswer,
  Complaint,
  StringOptions,
} from './schema-types.ts';

type TypeBound = 'validators' | 'planModifiers' | 'requiresReplace' | 'semanticEquals' | 'default';

type Check = (value: never, at: { readonly path: ModifierRequest['path'] }) => Complaint;
type Rule = (plan: never) => AttributePlanAnswer<unknown> | undefined;
type Equals = (before: never, after: never) => boolean;

/** Options of an attribute of any type. */
export interface ErasedOptions extends Omit<AttributeOptions<never>, TypeBound>, StringOptions {
  readonly default?: unknown;
  readonly validators?: readonly (Check | AttributeValidator<string>)[];
  readonly planModifiers?: readonly (Rule | PlanModifier)[];
  readonly requiresReplace?: boolean | 'if configured' | ((change: never) => boolean);
  readonly semanticEquals?: Equals | { readonly equals: Equals; readonly in: 'results' };
}

/** Creates an attribute, with its behaviour in terms of `Value`s. */
export function makeAttribute<V, M, N>(
  codec: Codec,
  options: ErasedOptions,
  typeDetails: Pick<AttributeDefinition, 'integer' | 'nested' | 'type'> = {},
): Attribute<V, M, N> {
  const conflict = conflictIn(options);
  if (conflict !== undefined) throw new TypeError(conflict);
  const { semanticEquals, format } = options;
  const validators = (options.validators ?? []).map((v) => validatorOf(codec, v));
  const modifiers = modifiersOf(codec, options);
  const fallback = options.default === undefined ? undefined : writeWith(codec, options.default);
  const keep = semanticEquals === undefined ? codec.keep : keepBy(codec, semanticEquals);
  const inPlans = typeof semanticEquals !== 'object';
  const definition: AttributeDefinition = {
    ...(typeDetails.nested === undefined && { type: codec.type }),
    ...typeDetails,
    ...descriptionOptions(options),
    ...(options.required === true && { required: true }),
    ...((options.optional === true || (fallback !== undefined && options.computed !== true)) && {
      optional: true,
    }),
    ...((options.computed ?? fallback !== undefined) && { computed: true }),
    ...(options.sensitive === true && { sensitive: true }),
    ...(options.writeOnly === true && { writeOnly: true }),
    ...(options.writeOnly === true && options.required !== true && { optional: true }),
    ...(fallback !== undefined && { default: fallback }),
    ...(validators.length > 0 && { validators }),
    ...(modifiers.length > 0 && { modifiers }),
    ...(format !== undefined && { check: format }),
    ...(codec.nullInside !== undefined && { nullInside: codec.nullInside }),
    ...(keep !== undefined && { keep, keepInPlans: inPlans }),
  };
  const nullable = options.nullable === true;
  return { kind: 'attribute', definition, codec, ...(nullable && { nullable }) };
}

/** Returns why options exclude each other, for authors without a type checker. */
function conflictIn(options: ErasedOptions): string | undefined {
  const { required, optional, computed, nullable, writeOnly } = options;
  const hasDefault = options.default !== undefined;
  if (required === true) {
    if (optional === true) return 'a required argument cannot be optional';
    if (computed === true) return 'a required argument cannot be computed';
    if (hasDefault) return 'a required argument cannot have a default';
  }
  if (writeOnly === true) {
    if (computed === true) return 'a write-only argument cannot be computed';
    if (hasDefault) return 'a write-only argument cannot have a default';
  }
  if (nullable === true && computed !== true) return 'only a computed argument can be nullable';
  return undefined;
}

/** Description and deprecation options common to all parts of a schema. */
export function descriptionOptions(
  o: ErasedOptions,
): Pick<AttributeDefinition, 'description' | 'descriptionKind' | 'deprecationMessage'> {
  return {
    ...(o.description !== undefined && { description: o.description }),
    ...(o.descriptionKind !== undefined && { descriptionKind: o.descriptionKind }),
    ...(o.deprecationMessage !== undefined && { deprecationMessage: o.deprecationMessage }),
  };
}

/** Returns the checks of a part of a schema, in terms of `Value`s. */
export function validatorOf(codec: Codec, v: Check | AttributeValidator<string>): Validator {
  if (typeof v !== 'function') return v.validate;
  return ({ path, value }) => {
    // Values with unknown parts are checked when these are known.
    if (value.isNull || !value.isWhollyKnown()) return [];
    // The codec reads values of the type that the validator takes.
    const complaint = v(codec.read(value) as never, { path });
    return complaints(complaint, path);
  };
}

/** Converts the result of a validator to diagnostics. */
function complaints(
  complaint: Complaint,
  path: ModifierRequest['path'],
): readonly ProviderDiagnostic[] {
  if (complaint === undefined) return [];
  if (typeof complaint !== 'string') return 'summary' in complaint ? [complaint] : complaint;
  return [error('Invalid Attribute Value', `Attribute ${pathText(path)} ${complaint}`, path)];
}

/** Returns the plan modifiers of a part of a schema, in terms of `Value`s and in order. */
export function modifiersOf(codec: Codec, options: ErasedOptions): Modifier[] {
  const { planModifiers = [], requiresReplace } = options;
  const modifiers = planModifiers.map((m) => modifierOf(codec, m));
  if (options.useStateForUnknown === true) modifiers.unshift(useStateForUnknown.modify);
  if (requiresReplace === true) modifiers.push(requiresReplaceIf(() => true).modify);
  else if (requiresReplace === 'if configured') {
    modifiers.push(requiresReplaceIf(({ configValue }) => !configValue.isNull).modify);
  } else if (typeof requiresReplace === 'function') {
    // The change is of the type that the condition takes.
    const condition = (r: ModifierRequest) => requiresReplace(changeOf(codec, r) as never);
    modifiers.push(requiresReplaceIf(condition).modify);
  }
  return modifiers;
}

function modifierOf(codec: Codec, m: Rule | PlanModifier): Modifier {
  if (typeof m !== 'function') return m.modify;
  return (request) => {
    const plan = { ...changeOf(codec, request), path: request.path, isNew: request.state.isNull };
    // The plan is of the type that the rule takes.
    const answer = m(plan as never);
    if (answer === undefined) return undefined;
    const { planned, requiresReplace, diagnostics } = answer;
    return {
      ...(planned !== undefined && { planValue: writeWith(codec, planned) }),
      ...(requiresReplace !== undefined && { requiresReplace }),
      ...(diagnostics !== undefined && { diagnostics }),
    };
  };
}

function changeOf(
  codec: Codec,
  r: ModifierRequest,
): Record<'config' | 'planned' | 'prior', unknown> {
  return {
    config: readWith(codec, r.configValue),
    planned: readWith(codec, r.planValue),
    prior: readWith(codec, r.stateValue),
  };
}

function keepBy(codec: Codec, semantics: NonNullable<ErasedOptions['semanticEquals']>): Keep {
  const equals = typeof semantics === 'function' ? semantics : semantics.equals;
  // The codec reads values of the type that the comparison takes.
  const read = (v: Value) => codec.read(v) as never;
  return (before, after) => {
    if (equals(read(before), read(after))) return before;
    return codec.keep === undefined ? after : keepOne(codec.keep, before, after);
  };
}
