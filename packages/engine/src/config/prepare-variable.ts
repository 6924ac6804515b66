import { CtyError, applyDefaults, convert, quoteText, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { errorDiagnostic, type Diagnostic, type Range } from '@terrane/hcl';
import type { InputValue } from './collect-variables.ts';
import type { Variable } from './model.ts';

/** The final value of a variable; unknown, of its type, after errors. */
export interface PreparedVariable {
  readonly value: Value;
  /** the value for validation rules: without the sensitive mark of the declaration */
  readonly checked: Value;
  readonly diagnostics: readonly Diagnostic[];
}

const FROM_OUTSIDE: Readonly<Partial<Record<InputValue['source'], (name: string) => string>>> = {
  cli: (name) => `set using -var="${name}=..."`,
  env: (name) => `set using the TF_VAR_${name} environment variable`,
  input: () => 'set using an interactive prompt',
};

/**
 * Prepares the value of a variable whose input is `given` (undefined: none; null counts as an input): applies default,
 * optional attributes, conversion and the null rule, then adds the declared marks. `moduleText` is the module
 * instance's address, "" for the root; `givenRange` is the range of the input, if it is in a file.
 */
export function prepareVariable(
  variable: Variable,
  input: Value | undefined,
  givenRange: Range | undefined,
  moduleText: string,
  source: InputValue['source'] = 'caller',
): PreparedVariable {
  const diagnostics: Diagnostic[] = [];
  const value = convertGiven(variable, input, givenRange, moduleText, source, diagnostics);
  const checked = markEphemeral(variable, value, givenRange, diagnostics);
  return { value: variable.sensitive ? checked.mark('sensitive') : checked, checked, diagnostics };
}

const NOT_SET = 'Required variable not set';

function convertGiven(
  variable: Variable,
  input: Value | undefined,
  givenRange: Range | undefined,
  moduleText: string,
  source: InputValue['source'],
  diagnostics: Diagnostic[],
): Value {
  const unknown = unknownOf(variable.type);
  let fallback: Value | undefined;
  try {
    fallback = variable.default && convert(variable.default, variable.constraint);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    diagnostics.push(
      errorDiagnostic(
        'Invalid default value for module argument',
        `The default value for variable ${quoteText(variable.name)} is incompatible with its type constraint: ${error.message}.`,
        variable.range,
      ),
    );
    return unknown;
  }
  let value = input ?? fallback;
  if (value === undefined) {
    const detail = `The variable ${quoteText(variable.name)} is required, but is not set.`;
    diagnostics.push(errorDiagnostic(NOT_SET, detail, variable.range));
    return unknown;
  }
  const address = moduleText === '' ? `var.${variable.name}` : `${moduleText}.var.${variable.name}`;
  const outside =
    givenRange === undefined
      ? (FROM_OUTSIDE[source]?.(variable.name) ?? 'set from outside of the configuration')
      : undefined;
  try {
    if (variable.defaults !== undefined && !value.isNull) {
      value = applyDefaults(variable.defaults, value);
    }
    value = convert(value, variable.constraint);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    diagnostics.push(unsuitable(variable, address, outside, givenRange, error.message));
    return unknown;
  }
  if (moduleText === '' && value.containsInfinity()) {
    diagnostics.push(
      unsuitable(variable, address, outside, givenRange, 'a finite number is required'),
    );
    return unknown;
  }
  if (!value.isNull || variable.nullable) return value;
  if (fallback !== undefined) return fallback;
  diagnostics.push(
    errorDiagnostic(
      NOT_SET,
      outside === undefined
        ? `The given value is not suitable for ${address} defined at ${variable.range}: required variable may not be set to null.`
        : `Unsuitable value for ${address} ${outside}: required variable may not be set to null.`,
      outside === undefined ? givenRange : variable.range,
    ),
  );
  return unknown;
}

function unsuitable(
  variable: Variable,
  address: string,
  outside: string | undefined,
  givenRange: Range | undefined,
  reason: string,
): Diagnostic {
  const summary = 'Invalid value for input variable';
  if (outside !== undefined) {
    const detail = `Unsuitable value for ${address} ${outside}: ${reason}.`;
    return errorDiagnostic(summary, detail, variable.range);
  }
  if (variable.sensitive) {
    // The range of the value must not be shown, because the snippet would contain the value.
    const detail = `The given value is not suitable for ${address}, which is sensitive: ${reason}. Invalid value defined at ${givenRange}.`;
    return errorDiagnostic(summary, detail, variable.range);
  }
  const detail = `The given value is not suitable for ${address} declared at ${variable.range}: ${reason}.`;
  return errorDiagnostic(summary, detail, givenRange);
}

function markEphemeral(
  variable: Variable,
  value: Value,
  givenRange: Range | undefined,
  diagnostics: Diagnostic[],
): Value {
  if (variable.ephemeral) return value.mark('ephemeral');
  if (value.hasMarkDeep('ephemeral')) {
    diagnostics.push(
      errorDiagnostic(
        'Ephemeral value not allowed',
        'This input variable is not declared as accepting a ephemeral values, so it cannot be set to a result derived from an ephemeral value.',
        givenRange ?? variable.range,
      ),
    );
  }
  return value;
}
