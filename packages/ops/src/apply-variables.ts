import { equal, type Value } from '@terrane/cty';
import {
  collectVariables,
  finalizeVariables,
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

/**
 * The variables of a run that applies a saved plan: the plan's own, and ephemeral ones given again.
 * Values that contradict the plan are refused where somebody gave them just now, and else warned of.
 */
export function checkApplyVariables(
  project: Project,
  request: { readonly variables: readonly VariableOption[] },
  plan: Plan,
): { readonly values: ReadonlyMap<string, Value>; readonly diagnostics: readonly Diagnostic[] } {
  const collected = collectVariables(project.host, '.', request.variables);
  if (hasErrors(collected.diagnostics))
    return { values: plan.variables, diagnostics: collected.diagnostics };
  const { variables: declared } = plan.configuration.root;
  const values = new Map(plan.variables);
  const diagnostics: Diagnostic[] = [...collected.diagnostics];
  // What the plan knows already need not be given again.
  const given = new Map<string, InputValue>(collected.values);
  for (const [name, value] of plan.variables) {
    if (!given.has(name) && declared.has(name)) given.set(name, { source: 'plan', value });
  }
  for (const [name, variable] of declared) {
    if (!given.has(name) && variable.default === undefined) {
      diagnostics.push(missing(name, variable.ephemeral));
    }
  }
  if (hasErrors(diagnostics)) return { values, diagnostics };
  const final = finalizeVariables(plan.configuration, given);
  diagnostics.push(...final.diagnostics);
  for (const [name, value] of final.values) {
    const planned = plan.variables.get(name);
    if (planned === undefined) {
      values.set(name, value);
      continue;
    }
    const problem = contradiction(name, planned, value, given.get(name));
    if (problem !== undefined) diagnostics.push(problem);
  }
  return { values, diagnostics };
}

function missing(name: string, ephemeral: boolean): Diagnostic {
  return ephemeral
    ? errorDiagnostic(
        'Ephemeral variable must be set for apply',
        `The ephemeral input variable ${JSON.stringify(name)} was set during the planning phase, and so must be set again during the apply phase.`,
      )
    : errorDiagnostic(
        'No value for required variable',
        `The saved plan has no value for the input variable ${JSON.stringify(name)}.`,
      );
}

const LABELS: Readonly<Record<InputValue['source'], string>> = {
  env: 'set by an environment variable',
  autoFile: 'set by an automatically loaded .tfvars file',
  file: 'set by a .tfvars file passed through -var-file argument',
  cli: 'set by a CLI argument',
  input: 'set by an interactive input',
  plan: 'set by the plan',
  caller: 'unknown',
};

function contradiction(
  name: string,
  planned: Value,
  value: Value,
  input: InputValue | undefined,
): Diagnostic | undefined {
  if (input === undefined) return undefined;
  const same = equal(planned.unmarkDeep().value, value.unmarkDeep().value);
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
    default:
      return undefined;
  }
}
