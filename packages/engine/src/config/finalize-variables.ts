import { UNKNOWN, compareText, quoteText, str } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import {
  Source,
  errorDiagnostic,
  evaluate,
  hasErrors,
  parseExpression,
  warningDiagnostic,
} from '@terrane/hcl';
import type { Diagnostic, Range } from '@terrane/hcl';
import type { InputValue } from './collect-variables.ts';
import type { Configuration, Variable } from './model.ts';
import { prepareVariable } from './prepare-variable.ts';

/** The values of the variables of a root module. */
export interface FinalVariables {
  /** the values of all variables */
  readonly values: ReadonlyMap<string, Value>;
  /** the parsed input values, before conversion and marks; without defaults */
  readonly parsed: ReadonlyMap<string, Value>;
  /** source ranges of the values set in files */
  readonly ranges: ReadonlyMap<string, Range>;
  /** errors of input values that do not conform to their variables, by name; these are unknown in `values` */
  readonly unsuitable: ReadonlyMap<string, readonly Diagnostic[]>;
  /** all other diagnostics */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns the values of all root variables: the inputs parsed and converted, defaults for the rest, marked sensitive
 * or ephemeral as declared. Reports values of undeclared variables and required variables without a value. Does not
 * evaluate validation rules. Unsuitable values do not end the run; their variables are unknown.
 */
export function finalizeVariables(
  configuration: Configuration,
  inputs: ReadonlyMap<string, InputValue>,
): FinalVariables {
  const variables = configuration.root.variables;
  const diagnostics: Diagnostic[] = [];
  const parsed = parseVariables(configuration, inputs, diagnostics);
  const usable = new Map(inputs);
  for (const name of variables.keys()) if (!parsed.has(name)) usable.delete(name);
  diagnostics.push(...undeclaredVariables(inputs, (name) => variables.has(name)));
  for (const variable of missingVariables(configuration, usable)) {
    diagnostics.push(
      errorDiagnostic(
        'No value for required variable',
        `The root module input variable ${quoteText(variable.name)} is not set, and has no default value. Use a -var or -var-file command line argument to provide a value for this variable.`,
        variable.range,
      ),
    );
  }
  const values = new Map<string, Value>();
  const unsuitable = new Map<string, readonly Diagnostic[]>();
  const ranges = new Map<string, Range>();
  for (const [name, { range }] of inputs) if (range !== undefined) ranges.set(name, range);
  if (hasErrors(diagnostics)) return { values, parsed, ranges, unsuitable, diagnostics };
  for (const [name, variable] of variables) {
    const input = inputs.get(name);
    const prepared = prepareVariable(variable, parsed.get(name), input?.range, '', input?.source);
    if (prepared.diagnostics.length > 0) unsuitable.set(name, prepared.diagnostics);
    values.set(name, prepared.value);
  }
  return { values, parsed, ranges, unsuitable, diagnostics };
}

/** Parses input values of declared variables by their type constraints. Values with errors are omitted. */
export function parseVariables(
  configuration: Configuration,
  inputs: ReadonlyMap<string, InputValue>,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, Value> {
  const parsed = new Map<string, Value>();
  for (const [name, variable] of configuration.root.variables) {
    const input = inputs.get(name);
    if (input === undefined) continue;
    const before = diagnostics.length;
    const value = parseInput(variable, input, diagnostics);
    if (!hasErrors(diagnostics, before)) parsed.set(name, value);
  }
  return parsed;
}

/** Returns the required root variables without a value, sorted by name. */
export function missingVariables(
  configuration: Configuration,
  inputs: ReadonlyMap<string, InputValue>,
): readonly Variable[] {
  return [...configuration.root.variables.values()]
    .filter((variable) => variable.default === undefined && !inputs.has(variable.name))
    .sort((a, b) => compareText(a.name, b.name));
}

/** Parses an input value by the parsing mode of the variable; the result is meaningless after errors. */
export function parseInput(
  variable: Pick<Variable, 'name' | 'parsing'>,
  input: InputValue,
  diagnostics: Diagnostic[],
): Value {
  if (input.value !== undefined) return input.value;
  if (input.expression !== undefined) return evaluate(input.expression, undefined, diagnostics);
  const text = input.text ?? '';
  if (variable.parsing === 'literal') return str(text);
  const source = new Source(`<value for var.${variable.name}>`, text, { unshown: true });
  const parsed = parseExpression(source);
  diagnostics.push(...parsed.diagnostics);
  if (hasErrors(parsed.diagnostics) || parsed.expression === undefined) return UNKNOWN;
  return evaluate(parsed.expression, undefined, diagnostics);
}

const SHOWN_WARNINGS = 2;

/** Returns diagnostics for input values of undeclared variables. */
export function undeclaredVariables(
  inputs: ReadonlyMap<string, InputValue>,
  isDeclared: (name: string) => boolean,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  let inFiles = 0;
  for (const name of [...inputs.keys()].sort(compareText)) {
    const input = inputs.get(name);
    if (input === undefined || isDeclared(name)) continue;
    if (isUnreadable(input)) continue;
    switch (input.source) {
      case 'env':
        break;
      case 'autoFile':
      case 'file':
        inFiles++;
        if (inFiles > SHOWN_WARNINGS) break;
        diagnostics.push(
          warningDiagnostic(
            'Value for undeclared variable',
            `The root module does not declare a variable named ${quoteText(name)} but a value was found in file ${quoteText(input.sourceName ?? '')}. If you meant to use this value, add a "variable" block to the configuration.\n\nTo silence these warnings, use TF_VAR_... environment variables to provide certain "global" settings to all configurations in your organization. To reduce the verbosity of these warnings, use the -compact-warnings option.`,
          ),
        );
        break;
      default: {
        const how =
          input.source === 'cli' ? 'was assigned on the command line' : 'was assigned a value';
        diagnostics.push(
          errorDiagnostic(
            'Value for undeclared variable',
            `A variable named ${quoteText(name)} ${how}, but the root module does not declare a variable of that name. To use this value, add a "variable" block to the configuration.`,
          ),
        );
      }
    }
  }
  if (inFiles <= SHOWN_WARNINGS) return diagnostics;
  diagnostics.push(
    warningDiagnostic(
      'Values for undeclared variables',
      `In addition to the other similar warnings shown, ${inFiles - SHOWN_WARNINGS} other variable(s) defined without being declared.`,
    ),
  );
  return diagnostics;
}

/** Returns true if an input cannot be evaluated; it is ignored if its variable is not declared. */
function isUnreadable(input: InputValue): boolean {
  if (input.expression === undefined) return false;
  const diagnostics: Diagnostic[] = [];
  evaluate(input.expression, undefined, diagnostics);
  return hasErrors(diagnostics);
}
