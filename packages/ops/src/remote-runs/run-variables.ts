import {
  type Configuration,
  type InputValue,
  parseVariables,
  undeclaredVariables,
} from '@terrane/engine';
import { hasErrors, type Diagnostic, valueToHcl } from '@terrane/hcl';

/** Sources of values that were chosen for this run, and are not found in files or the environment. */
const EXPLICIT: ReadonlySet<InputValue['source']> = new Set(['cli', 'file', 'caller']);

/**
 * Returns the variables of a remote run: explicitly set values, as expressions. Automatically loaded files are uploaded
 * with the configuration.
 */
export function runVariables(
  configuration: Configuration,
  inputs: ReadonlyMap<string, InputValue>,
): {
  readonly variables: readonly { readonly key: string; readonly value: string }[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const parsed = parseVariables(configuration, inputs, diagnostics);
  diagnostics.push(...undeclaredVariables(inputs, (name) => isDeclared(configuration, name)));
  if (hasErrors(diagnostics)) return { variables: [], diagnostics };
  const variables = [...parsed].flatMap(([key, value]) =>
    isSent(inputs.get(key)) ? [{ key, value: valueToHcl(value.unmarkDeep().value) }] : [],
  );
  return { variables: variables.sort((a, b) => (a.key < b.key ? -1 : 1)), diagnostics };
}

/** Returns true if variables are set on the command line, or in files that it names. */
export function hasExplicitVariables(
  configuration: Configuration,
  inputs: ReadonlyMap<string, InputValue>,
): boolean {
  return [...inputs].some(
    ([name, { source }]) => isDeclared(configuration, name) && EXPLICIT.has(source),
  );
}

function isDeclared(configuration: Configuration, name: string): boolean {
  return configuration.root.variables.has(name);
}

function isSent(input: InputValue | undefined): boolean {
  return input !== undefined && (EXPLICIT.has(input.source) || input.source === 'env');
}
