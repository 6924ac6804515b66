import { str, STRING, type Value } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  hasErrors,
  parseExpression,
  Source,
  warningDiagnostic,
} from '@terrane/hcl';
import type { Project } from '@terrane/ops';
import {
  inputValues,
  LanguageFunctions,
  PolicySet,
  undeclaredInputs,
} from '../evaluate/policy-set.ts';
import { loadPolicies } from '../language/load-policies.ts';
import type { PolicyFile } from '../language/model.ts';
import type { Checker, PolicyOverride } from './model.ts';
import { Overrides } from './overrides.ts';
import { PolicyInspector } from './policy-inspector.ts';

/** The policies of a run. */
export interface PolicyRequest {
  /** files and directories with policies */
  readonly paths: readonly string[];
  readonly checkers?: readonly Checker[];
  /** values of inputs by name, as text like that of `-var` */
  readonly inputs?: ReadonlyMap<string, string>;
  readonly overrides?: readonly PolicyOverride[];
  /** Failures of a plan are warnings: the receiver of the report decides about the apply. Default: false */
  readonly isReportOnly?: boolean;
  readonly signal?: AbortSignal;
}

/** Opened policies: an inspector for the ports of a run, or errors. */
export interface OpenedPolicies {
  readonly inspector?: PolicyInspector;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Opens policies for a run: pass the inspector to `plan` or `apply` of `@terrane/ops` as a port, then read its report.
 */
export async function openPolicies(
  project: Project,
  request: PolicyRequest,
): Promise<OpenedPolicies> {
  const { host } = project;
  const { files: fileSystem, environment, clock, random } = host;
  const { paths, checkers = [], overrides: requested = [], isReportOnly = false, signal } = request;
  const functions = new LanguageFunctions({ files: fileSystem, environment, clock, random });
  const loaded = await loadPolicies(fileSystem, paths, functions.names());
  const diagnostics: Diagnostic[] = [...loaded.diagnostics];
  if (hasErrors(diagnostics)) return { diagnostics };
  const { files } = loaded;
  if (files.length === 0 && paths.length > 0) {
    const detail = `No file with a name that ends in .policy.hcl was found at ${paths.join(', ')}.`;
    diagnostics.push(warningDiagnostic('No policies', detail));
  }
  const parsedInputs = parseInputs(files, request.inputs ?? new Map(), diagnostics);
  diagnostics.push(...undeclaredInputs(files, parsedInputs));
  const inputs = new Map(
    files.map((file) => [file, inputValues(file, parsedInputs, diagnostics)] as const),
  );
  const overrides = new Overrides(requested, environment, clock);
  diagnostics.push(...overrides.problems(files, checkers));
  for (const { name, reason } of requested) {
    if (reason.trim() !== '') continue;
    const detail = `Add -reason='…' to the override of ${JSON.stringify(name)}. The reason is recorded.`;
    diagnostics.push(errorDiagnostic('Override without reason', detail));
  }
  const set = new PolicySet(files, inputs, functions);
  diagnostics.push(...set.levelProblems());
  if (hasErrors(diagnostics)) return { diagnostics };
  const inspector = new PolicyInspector({
    set,
    checkers,
    overrides,
    isReportOnly,
    host,
    ...(signal === undefined ? {} : { signal }),
  });
  return { inspector, diagnostics };
}

/** Parses values of inputs: the text itself for a string, otherwise an expression. */
function parseInputs(
  files: readonly PolicyFile[],
  texts: ReadonlyMap<string, string>,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const [name, text] of texts) {
    const declared = files.flatMap(({ inputs }) => inputs.get(name) ?? []);
    if (declared.every(({ type }) => type === STRING)) {
      values.set(name, str(text));
      continue;
    }
    const { expression, diagnostics: problems } = parseExpression(
      new Source(`<value for input ${name}>`, text),
    );
    const inputDiagnostics: Diagnostic[] = [...problems];
    const value =
      expression === undefined ? undefined : evaluate(expression, undefined, inputDiagnostics);
    diagnostics.push(...inputDiagnostics);
    if (value === undefined || hasErrors(inputDiagnostics)) continue;
    values.set(name, value);
  }
  return values;
}
