import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import type { Project, RunPorts } from '@terrane/ops';
import type { Checker, PolicyInspector } from '@terrane/policy';
import type { PolicyValues } from '../arguments.ts';
import type { OperationView } from '../views/operation-view.ts';

/** The policies of a command: a port for its run, and their output. */
export interface RunPolicies {
  readonly ports: Pick<RunPorts, 'inspector'>;
  /** errors: the run must not begin */
  readonly diagnostics: readonly Diagnostic[];
  /** Shows the results so far; nothing if there are none, or none since they were shown before. */
  show(view: OperationView): Promise<void>;
  /** Writes the file of `-policy-sarif`. Returns the errors. */
  write(project: Project): Promise<readonly Diagnostic[]>;
}

/** Opens the policies that flags and the CLI configuration name. Loads their code only if there are any. */
export async function runPolicies(
  values: PolicyValues & { readonly 'policy-report-only'?: boolean },
  project: Project,
  signal: AbortSignal | undefined,
): Promise<RunPolicies> {
  const { cliConfigOf } = await import('@terrane/ops/cli-config');
  const config = cliConfigOf(project);
  const paths = [...config.policies, ...values.policies];
  const checkers = [...config.policyCheckers].map(([name, checker]): Checker => ({
    name,
    ...checker,
  }));
  const inputs = new Map<string, string>();
  const problems: Diagnostic[] = [];
  for (const text of values['policy-input']) {
    const equals = text.indexOf('=');
    if (equals > 0) inputs.set(text.slice(0, equals), text.slice(equals + 1));
    else problems.push(invalidInput(text));
  }
  if (paths.length + checkers.length === 0) {
    const isUseless = values['override-policy'].length + inputs.size > 0;
    return none(isUseless ? [...problems, withoutPolicies()] : problems);
  }
  if (hasErrors(problems)) return none(problems);
  const { openPolicies } = await import('@terrane/policy');
  const { inspector, diagnostics } = await openPolicies(project, {
    paths,
    checkers,
    inputs,
    isReportOnly: values['policy-report-only'] ?? false,
    overrides: values['override-policy'].map((name) => ({ name, reason: values.reason })),
    ...(signal === undefined ? {} : { signal }),
  });
  if (inspector === undefined) return none(diagnostics);
  let shown = '';
  return {
    ports: { inspector },
    diagnostics,
    show: async (view) => {
      const { policyReportText, policyStreamMessages } = await import('@terrane/policy');
      const { report } = inspector;
      const text = policyReportText(report);
      if (report.judgements.length + report.checkers.length === 0 || text === shown) return;
      shown = text;
      view.policies({ text, messages: policyStreamMessages(report) });
    },
    write: async (written) => await writeSarif(written, values['policy-sarif'], inspector),
  };
}

function none(diagnostics: readonly Diagnostic[]): RunPolicies {
  return {
    ports: {},
    diagnostics,
    show: () => Promise.resolve(),
    write: () => Promise.resolve([]),
  };
}

function invalidInput(text: string): Diagnostic {
  return errorDiagnostic(
    'Invalid -policy-input option',
    `The value ${JSON.stringify(text)} is not of the form NAME=VALUE.`,
  );
}

function withoutPolicies(): Diagnostic {
  return errorDiagnostic(
    'No policies',
    'The options -override-policy and -policy-input need policies. Name them with -policies=PATH, or in the CLI configuration.',
  );
}

async function writeSarif(
  { host }: Project,
  path: string,
  inspector: PolicyInspector,
): Promise<readonly Diagnostic[]> {
  if (path === '') return [];
  const { policyReportSarif } = await import('@terrane/policy');
  const { TERRANE_VERSION } = await import('@terrane/engine');
  try {
    await host.files.writeFile(path, policyReportSarif(inspector.report, TERRANE_VERSION));
    return [];
  } catch (error) {
    const detail = `The file ${path} could not be written: ${userErrorText(error, path)}.`;
    return [errorDiagnostic('Error writing SARIF', detail)];
  }
}
