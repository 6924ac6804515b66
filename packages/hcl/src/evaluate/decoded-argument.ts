import { type CapsuleType, capsuleType, type Type, type Value } from '@terrane/cty';
import type { Diagnostic, Expression } from '../model.ts';

/** Creates the value of an argument from its unevaluated expression. */
export type ArgumentDecoder = (expression: Expression, diagnostics: Diagnostic[]) => Value;

const decoders = new WeakMap<Type, ArgumentDecoder>();

/** Returns a type for function parameters whose arguments have a custom decoder. */
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
