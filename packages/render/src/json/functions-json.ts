import { typeToJsonText } from '@terrane/cty';
import type { FunctionSignature, ParameterSignature } from '@terrane/functions';
import { jsonArray, jsonObject, jsonString } from './json-text.ts';

/** The signatures of functions as `metadata functions -json` prints them (format 1.0), without a line break. */
export function functionsJson(signatures: readonly FunctionSignature[]): string {
  const all = jsonObject(
    signatures.map((signature) => [signature.name, signatureJson(signature)] as const),
  );
  return jsonObject([
    ['format_version', jsonString('1.0')],
    ['function_signatures', all],
  ]);
}

function signatureJson(signature: FunctionSignature): string {
  const { description, returns, parameters, variadic } = signature;
  return jsonObject([
    ...(description === '' ? [] : [['description', jsonString(description)] as const]),
    ['return_type', typeToJsonText(returns)],
    ...(parameters.length === 0
      ? []
      : [['parameters', jsonArray(parameters.map(parameterJson))] as const]),
    ...(variadic === undefined ? [] : [['variadic_parameter', parameterJson(variadic)] as const]),
  ]);
}

function parameterJson(parameter: ParameterSignature): string {
  const { name, description, isNullable, type } = parameter;
  return jsonObject([
    ['name', jsonString(name)],
    ...(description === undefined ? [] : [['description', jsonString(description)] as const]),
    ...(isNullable ? [['is_nullable', 'true'] as const] : []),
    ['type', typeToJsonText(type)],
  ]);
}
