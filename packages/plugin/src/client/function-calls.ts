import { DYNAMIC, quoteText } from '@terrane/cty';
import type { Answer, CallAnswer, CallRequest, FunctionsAnswer, Provider } from '@terrane/provider';
import { memberOf } from '@terrane/provider';
import { type Asking, textOf } from './asking.ts';
import { diagnosticsOf, functionOf, numberOf } from './from-wire.ts';
import { fromDynamic, toDynamic } from './values.ts';

/** The calls about functions. */
export function functionCalls(
  asking: Asking,
): Required<Pick<Provider, 'callFunction' | 'configuredFunctions'>> {
  return {
    async callFunction(request: CallRequest): Promise<CallAnswer> {
      const { schema, diagnostics } = await asking.schema();
      const signature = memberOf(schema?.functions, request.name) ?? request.signature;
      if (signature === undefined) {
        const reason = diagnostics.find(({ severity }) => severity === 'error');
        const message =
          reason?.detail ?? `provider has no function named ${quoteText(request.name)}`;
        return { error: { message } };
      }
      const got = await asking.connect('CallFunction');
      if ('diagnostics' in got) return { error: { message: textOf(got) } };
      return await asking.call<'CallFunction', CallAnswer>(
        got,
        ` for function ${quoteText(request.name)} of provider ${asking.address}`,
        'CallFunction',
        () => ({
          name: request.name,
          arguments: request.args.map((arg, i) =>
            toDynamic(arg, (signature.parameters[i] ?? signature.variadic)?.type ?? DYNAMIC),
          ),
        }),
        ({ result, error }) => {
          if (error == null) return { result: fromDynamic(result, signature.returns) };
          const argument = Object.hasOwn(error, 'functionArgument')
            ? { argument: numberOf(error.functionArgument) }
            : {};
          return { error: { message: error.text ?? '', ...argument } };
        },
        (answer) => ({ error: { message: textOf(answer) } }),
      );
    },

    async configuredFunctions(): Promise<FunctionsAnswer> {
      const failure = (answer: Answer): FunctionsAnswer => ({ ...answer, functions: {} });
      const connection = await asking.connect('GetFunctions');
      if ('diagnostics' in connection) return failure(connection);
      return await asking.call<'GetFunctions', FunctionsAnswer>(
        connection,
        ` for the functions of provider ${asking.address}`,
        'GetFunctions',
        () => ({}),
        ({ functions, diagnostics }) => ({
          functions: Object.fromEntries(
            Object.entries(functions ?? {}).map(([name, wire]) => [name, functionOf(wire)]),
          ),
          diagnostics: diagnosticsOf(diagnostics),
        }),
        failure,
      );
    },
  };
}
