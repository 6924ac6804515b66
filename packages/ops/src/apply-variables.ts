import { equal, quoteText, type Value } from '@terrane/cty';
import {
  collectVariables,
  finalizeVariables,
  parseVariables,
  undeclaredVariables,
  type InputValue,
  type Plan,
  type VariableOption,
} from '@terrane/engine';
import {
  compactValue,
  errorDiagnostic,
  hasErrors,
  warningDiagnostic,
  type Diagnostic,
} from '@terrane/hcl';
import type { Project } from './project.ts';

/** The variables of a plan. */
type PlannedVariables = Pick<Plan, 'variables' | 'applyTimeVariables' | 'configuration'>;

/**
 * Returns the variables for applying a saved plan: the plan's own, and ephemeral ones set again. Values that contradict
 * the plan are errors if they were set on the command line, otherwise warnings.
 */
export function checkApplyVariables(
  project: Project,
  request: { readonly variables: readonly VariableOption[] },
  plan: PlannedVariables,
): { readonly values: ReadonlyMap<string, Value>; readonly diagnostics: readonly Diagnostic[] } {
  const noValues = new Map<string, Value>();
  const collected = collectVariables(project.host, '.', request.variables);
  if (hasErrors(collected.diagnostics)) {
    return { values: noValues, diagnostics: collected.diagnostics };
  }
  const diagnostics: Diagnostic[] = [...collected.diagnostics];
  const variables = new Map<string, InputValue>();
  for (const [name, value] of plan.variables) variables.set(name, { source: 'plan', value });
  checkGiven(plan, collected.values, variables, diagnostics);
  if (hasErrors(diagnostics)) return { values: noValues, diagnostics };
  for (const name of plan.applyTimeVariables) {
    if (!variables.has(name)) diagnostics.push(missing(name));
  }
  if (hasErrors(diagnostics)) return { values: noValues, diagnostics };
  const final = finalizeVariables(plan.configuration, variables);
  diagnostics.push(...final.diagnostics, ...[...final.unsuitable.values()].flat());
  return { values: final.values, diagnostics };
}

/** Compares current values with the plan, and adds those that are never stored in it. */
function checkGiven(
  plan: PlannedVariables,
  inputs: ReadonlyMap<string, InputValue>,
  variables: Map<string, InputValue>,
  diagnostics: Diagnostic[],
): void {
  const { configuration } = plan;
  const parsed = parseVariables(configuration, inputs, []);
  // Variables without a value in the plan must not have one now, like undeclared variables.
  const closed = new Map<string, InputValue>();
  for (const [name, input] of inputs) {
    const value = parsed.get(name);
    const planned = plan.variables.get(name);
    if (value !== undefined && configuration.root.variables.get(name)?.ephemeral === true) {
      const problem = ephemeralProblem(name, value, input, plan);
      if (problem === undefined) variables.set(name, input);
      else diagnostics.push(problem);
    } else if (value === undefined || planned === undefined) {
      closed.set(name, input);
    } else {
      const problem = contradiction(name, planned, value, input);
      if (problem !== undefined) diagnostics.push(problem);
    }
  }
  diagnostics.push(...undeclaredVariables(closed, () => false));
}

function ephemeralProblem(
  name: string,
  value: Value,
  input: InputValue,
  plan: PlannedVariables,
): Diagnostic | undefined {
  if (!plan.applyTimeVariables.includes(name)) {
    return errorDiagnostic(
      'Ephemeral variable was not set during planning',
      `The ephemeral input variable ${quoteText(name)} was not set during the planning phase, and so must remain unset during the apply phase.`,
      input.range,
    );
  }
  if (!value.isNull) return undefined;
  return errorDiagnostic(
    'Ephemeral variable must be set for apply',
    `The ephemeral input variable ${quoteText(name)} was set during the planning phase, and so must be set again during the apply phase.`,
  );
}

function missing(name: string): Diagnostic {
  return errorDiagnostic(
    'No value for required variable',
    `The ephemeral input variable ${quoteText(name)} was set during the plan phase, and so must also be set during the apply phase.`,
  );
}

const LABELS: Readonly<Record<InputValue['source'], string>> = {
  env: 'set by an environment variable',
  autoFile: 'set by an automatically loaded .tfvars file',
  file: 'set by a .tfvars file passed through -var-file argument',
  cli: 'set by a CLI argument',
  input: 'set by an interactive input',
  plan: 'set by the plan',
  caller: 'set by the calling program',
};

function contradiction(
  name: string,
  planned: Value,
  value: Value,
  input: InputValue,
): Diagnostic | undefined {
  const same = equal(planned, value);
  if (!same.isKnown || same.asBool()) return undefined;
  const facts = `because a saved plan includes the variable values that were set when it was created. The saved plan specifies ${compactValue(planned)} as the value whereas during apply the value ${compactValue(value)} was ${LABELS[input.source]}. To declare an ephemeral variable which is not saved in the plan file, use ephemeral = true.`;
  switch (input.source) {
    case 'env':
      return warningDiagnostic(
        'Ignoring variable when applying a saved plan',
        `The variable ${name} cannot be overriden when applying a saved plan file, ${facts}`,
        input.range,
      );
    case 'cli':
    case 'file':
      return errorDiagnostic(
        "Can't change variable when applying a saved plan",
        `The variable ${name} cannot be set using the -var and -var-file options when applying a saved plan file, ${facts}`,
        input.range,
      );
    case 'caller':
      return errorDiagnostic(
        "Can't change variable when applying a saved plan",
        `The variable ${name} cannot be set when applying a saved plan file, ${facts}`,
      );
    default:
      return undefined;
  }
}
