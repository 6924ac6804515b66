import { type CapsuleType, capsuleType, type Type, type Value } from '@terrane/cty';
import type { Diagnostic, Expression } from '../model.ts';

/** Makes the value of an argument from its expression, which is not evaluated. */
export type ArgumentDecoder = (expression: Expression, diagnostics: Diagnostic[]) => Value;

const decoders = new WeakMap<Type, ArgumentDecoder>();

/** A type for parameters of functions that read their argument in a way of their own. */
export function decodedArgument(name: string, decode: ArgumentDecoder): CapsuleType {
  const type = capsuleType(name);
  decoders.set(type, decode);
  return type;
}

/**
 * Returns the decoder of arguments for parameters of this type; undefined if they are evaluated, as almost everywhere.
 */
export function argumentDecoder(type: Type): ArgumentDecoder | undefined {
  return type.kind === 'capsule' ? decoders.get(type) : undefined;
}
