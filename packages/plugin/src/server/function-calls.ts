import { DYNAMIC, nullOf, quoteText } from '@terrane/cty';
import { fromDynamic, toDynamic } from '../client/values.ts';
import { optionalMember } from './answering.ts';
import type { Answering, CallHandlers } from './answering.ts';

/** The calls of functions. */
export function functionCalls(answering: Answering): Pick<CallHandlers, 'CallFunction'> {
  const { provider } = answering;
  return {
    CallFunction: async ({ name, arguments: wireArguments }) => {
      const signature = await answering.functionSignature(name);
      if (signature === undefined || provider.callFunction === undefined) {
        return { error: { text: `provider has no function named ${quoteText(name)}` } };
      }
      const args = wireArguments.map((arg, i) => {
        const parameter = signature.parameters[i] ?? signature.variadic;
        return fromDynamic(arg, parameter?.type ?? DYNAMIC);
      });
      const { result, error } = await provider.callFunction({ name, args });
      if (error === undefined) {
        return { result: toDynamic(result ?? nullOf(signature.returns), signature.returns) };
      }
      const { message, argument } = error;
      return { error: { text: message, ...optionalMember('functionArgument', argument) } };
    },
  };
}
