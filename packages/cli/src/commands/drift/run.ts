import { TERRANE_VERSION } from '@terrane/engine';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import { SILENT } from '@terrane/ops';
import {
  acceptanceText,
  ANNOTATION_HOSTS,
  annotationLines,
  type AnnotationHost,
  codeQualityJson,
  DRIFT_LEVELS,
  driftJson,
  type DriftLevel,
  type DriftReport,
  type DriftRequest,
  driftText,
  findDrift,
  junitXml,
  sarifJson,
} from '@terrane/drift';
import type { CommandContext } from '../../command.ts';
import { jsonInto } from '../../views/json-into.ts';
import { operationView } from '../../views/operation-view.ts';
import { View } from '../../views/view.ts';
import { inputAllowed, runOperation } from '../../run/operation.ts';
import {
  flagProblems,
  selectionOf,
  tooManyArguments,
  variableOptions,
} from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';
import type { DriftFlags } from './flags.ts';

type RunOptions = Pick<
  DriftRequest,
  'variables' | 'parallelism' | 'state' | 'providersPlan' | 'rulesPath'
>;

/** Exit codes of the command, which scripts rely on. */
const EXIT = { none: 0, error: 1, drift: 2, ignored: 3 } as const;

/** Returns the options of the run, which locks no state. */
function runOptions({ values, occurrences }: DriftFlags): RunOptions {
  const state = values.state === '' ? {} : { path: values.state };
  return {
    variables: variableOptions(occurrences),
    parallelism: values.parallelism,
    state: { lock: false, lockTimeoutMs: 0, ...state },
    providersPlan: values.plan,
    ...(values.rules === '' ? {} : { rulesPath: values.rules }),
  };
}

/** Reports drift. */
export async function runDrift(parsed: DriftFlags, context: CommandContext): Promise<number> {
  const { values, rest } = parsed;
  const view = new View(context);
  const into = jsonInto(values, context);
  const problems = [...flagProblems(parsed), ...into.problems];
  if (rest.length > 0)
    problems.push(tooManyArguments('To specify a working directory, use the global -chdir flag.'));
  const threshold = levelOf(values.level, problems);
  const host = annotationHostOf(values.annotations, problems);
  const selection = await selectionOf(values, projectOf(context).host.files, problems);
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    view.helpPrompt('drift');
    return EXIT.error;
  }
  const request: DriftRequest = { ...selection, ...runOptions(parsed), threshold };
  const input = inputAllowed(context, values.input && !values.json);
  const isQuiet = values.json;
  const options = { input, color: view.style.color };
  return await runOperation(
    context,
    operationView(context, false),
    options,
    async (project, ports) => {
      const quiet = { ...ports, emit: SILENT.emit };
      const { early: _early, ...withoutEarly } = quiet;
      const { result, diagnostics } = await findDrift(project, request, withoutEarly);
      const all = [...diagnostics, ...(result?.diagnostics ?? [])];
      if (result === undefined) {
        view.diagnostics(all);
        return EXIT.error;
      }
      const json = driftJson(result);
      into.world?.stdout.write(`${json}\n`);
      if (isQuiet) {
        view.line(json);
        view.besideData(all);
      } else {
        view.diagnostics(all);
        view.print(driftText(result, view.style, { verbose: values.verbose }));
        if (values.accept) view.print(`\n${acceptanceText(result)}`);
        if (host !== undefined) for (const line of annotationLines(result, host)) view.line(line);
      }
      const unwritten = await writeReports(values, result, project.host.files);
      view.diagnostics(unwritten);
      if (hasErrors([...diagnostics, ...unwritten])) return EXIT.error;
      return exitCode(result, values['exit-ignored']);
    },
  );
}

function exitCode({ alarms, entries }: DriftReport, isIgnoredReported: boolean): number {
  if (alarms.length > 0) return EXIT.drift;
  const hasIgnored = entries.some(({ isIgnored }) => isIgnored);
  return isIgnoredReported && hasIgnored ? EXIT.ignored : EXIT.none;
}

async function writeReports(
  values: DriftFlags['values'],
  report: DriftReport,
  files: ReturnType<typeof projectOf>['host']['files'],
): Promise<readonly Diagnostic[]> {
  const reports = [
    { path: values.sarif, text: () => sarifJson(report, TERRANE_VERSION) },
    { path: values['junit-xml'], text: () => junitXml(report) },
    { path: values['code-quality'], text: () => codeQualityJson(report) },
  ];
  const problems: Diagnostic[] = [];
  for (const { path, text } of reports) {
    if (path === '') continue;
    try {
      await files.writeFile(path, text(), { mode: 0o660 });
    } catch (error) {
      problems.push(
        errorDiagnostic(
          'Unwritten report',
          `The report could not be written to ${JSON.stringify(path)}: ${userErrorText(error, path)}`,
        ),
      );
    }
  }
  return problems;
}

function levelOf(text: string, problems: Diagnostic[]): DriftLevel {
  const level = DRIFT_LEVELS.find((each) => each === text);
  if (level !== undefined) return level;
  problems.push(
    errorDiagnostic(
      'Invalid level',
      `${JSON.stringify(text)} is not a level of drift. Use one of ${DRIFT_LEVELS.join(', ')}.`,
    ),
  );
  return 'noise';
}

function annotationHostOf(text: string, problems: Diagnostic[]): AnnotationHost | undefined {
  if (text === '') return undefined;
  const host = ANNOTATION_HOSTS.find((each) => each === text);
  if (host === undefined)
    problems.push(
      errorDiagnostic(
        'Invalid annotations',
        `There are no annotations for ${JSON.stringify(text)}. Use one of ${ANNOTATION_HOSTS.join(', ')}; for GitLab, use -code-quality=file.`,
      ),
    );
  return host;
}
