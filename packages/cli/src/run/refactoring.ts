import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { type Project, type RunPorts, unifiedDifference } from '@terrane/ops';
import { type FileChange, type RefactorOptions, writeFiles } from '@terrane/refactor';
import type { CommandContext } from '../command.ts';
import type { ParsedFlags } from '../flags/parse-flags.ts';
import { operationView } from '../views/operation-view.ts';
import { View } from '../views/view.ts';
import { inputAllowed, runOperation } from './operation.ts';
import { flagProblems, variableOptions } from './operation-arguments.ts';

/** The flags that all refactorings have. */
type RefactoringFlags = ParsedFlags<{ readonly input: boolean; readonly parallelism: number }>;

/** Checks the arguments of a refactoring and executes it. Returns its exit code. */
export async function runRefactoring(
  command: string,
  parsed: RefactoringFlags,
  context: CommandContext,
  problems: readonly Diagnostic[],
  work: (
    project: Project,
    options: RefactorOptions,
    ports: RunPorts,
    view: View,
  ) => Promise<number>,
): Promise<number> {
  const view = new View(context);
  const misplaced = parsed.rest.find((each) => each.startsWith('-'));
  const allProblems = [
    ...flagProblems(parsed),
    ...(misplaced === undefined ? problems : [optionAfterAddress(misplaced)]),
  ];
  if (hasErrors(allProblems)) {
    view.diagnostics(allProblems);
    view.helpPrompt(command);
    return 1;
  }
  const { input, parallelism } = parsed.values;
  const options = { variables: variableOptions(parsed.occurrences), parallelism };
  return await runOperation(
    context,
    operationView(context, false),
    { input: inputAllowed(context, input), color: view.style.color },
    (project, ports) => work(project, options, ports, view),
  );
}

function optionAfterAddress(option: string): Diagnostic {
  return errorDiagnostic(
    'Option after an address',
    `Options such as ${JSON.stringify(option)} must be written before the addresses.`,
  );
}

/** Shows the changes of files, and writes them if that was requested. Returns the exit code. */
export async function finishRefactoring(
  project: Project,
  view: View,
  changes: readonly FileChange[],
  { write }: { readonly write: boolean },
): Promise<number> {
  if (changes.length === 0) return 0;
  showDifferences(view, changes);
  if (!write) {
    view.line('\nNothing was written. To write these files, run the command again with -write.');
    return 0;
  }
  const problems = await writeFiles(project.host.files, changes);
  view.diagnostics(problems);
  if (hasErrors(problems)) return 1;
  showWritten(view, changes);
  return 0;
}

/** Prints the differences of files. */
export function showDifferences(view: View, changes: readonly FileChange[]): void {
  for (const { path, before, after } of changes) {
    const names = { before: before === undefined ? '/dev/null' : path, after: path };
    view.line(`\n${unifiedDifference(before ?? '', after, names) ?? ''}`.trimEnd());
  }
}

/** Prints which files were written. */
export function showWritten(view: View, changes: readonly FileChange[]): void {
  view.line('');
  for (const { path } of changes) view.line(`Wrote ${path}`);
}
