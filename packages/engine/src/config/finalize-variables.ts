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
  /** of all variables */
  readonly values: ReadonlyMap<string, Value>;
  /** those that were given, as they were given: parsed, but neither converted nor marked */
  readonly given: ReadonlyMap<string, Value>;
  /** where those that were given in files are written */
  readonly ranges: ReadonlyMap<string, Range>;
  /** errors of given values that do not fit their variables, by name; those are unknown in `values` */
  readonly unsuitable: ReadonlyMap<string, readonly Diagnostic[]>;
  /** everything else */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The values of all root variables: given ones parsed and converted, defaults for the rest, marked sensitive or
 * ephemeral as declared. Warns of and refuses values that no variable is declared for, and asks for those that
 * are required. Validation rules are not evaluated here. A run goes on with what unsuitable values leave over.
 */
export function finalizeVariables(
  configuration: Configuration,
  given: ReadonlyMap<string, InputValue>,
): FinalVariables {
  const variables = configuration.root.variables;
  const diagnostics: Diagnostic[] = [];
  const parsed = parseVariables(configuration, given, diagnostics);
  const usable = new Map(given);
  for (const name of variables.keys()) if (!parsed.has(name)) usable.delete(name);
  diagnostics.push(...undeclaredVariables(given, (name) => variables.has(name)));
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
  for (const [name, { range }] of given) if (range !== undefined) ranges.set(name, range);
  if (hasErrors(diagnostics)) return { values, given: parsed, ranges, unsuitable, diagnostics };
  for (const [name, variable] of variables) {
    const input = given.get(name);
    const prepared = prepareVariable(variable, parsed.get(name), input?.range, '', input?.source);
    if (prepared.diagnostics.length > 0) unsuitable.set(name, prepared.diagnostics);
    values.set(name, prepared.value);
  }
  return { values, given: parsed, ranges, unsuitable, diagnostics };
}

/** Parses input values of declared variables by their type constraints. Those with errors are left out. */
export function parseVariables(
  configuration: Configuration,
  given: ReadonlyMap<string, InputValue>,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, Value> {
  const parsed = new Map<string, Value>();
  for (const [name, variable] of configuration.root.variables) {
    const input = given.get(name);
    if (input === undefined) continue;
    const before = diagnostics.length;
    const value = parseInput(variable, input, diagnostics);
    if (!hasErrors(diagnostics, before)) parsed.set(name, value);
  }
  return parsed;
}

/** Required root variables that no value was given for, in the order of their names. */
export function missingVariables(
  configuration: Configuration,
  given: ReadonlyMap<string, InputValue>,
): readonly Variable[] {
  return [...configuration.root.variables.values()]
    .filter((variable) => variable.default === undefined && !given.has(variable.name))
    .sort((a, b) => compareText(a.name, b.name));
}

/** A given value as the variable's way of parsing sees it; without meaning after errors. */
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
  given: ReadonlyMap<string, InputValue>,
  isDeclared: (name: string) => boolean,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  let inFiles = 0;
  for (const name of [...given.keys()].sort(compareText)) {
    const input = given.get(name);
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

/** Values that can't even be evaluated are passed over when nobody asks for them. */
function isUnreadable(input: InputValue): boolean {
  if (input.expression === undefined) return false;
  const diagnostics: Diagnostic[] = [];
  evaluate(input.expression, undefined, diagnostics);
  return hasErrors(diagnostics);
}
