import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { type Project, type RunPorts, SILENT, unifiedDifference } from '@terrane/ops';
import { type FileChange, type RefactorOptions, writeFiles } from '@terrane/refactor';
import type { CommandContext } from '../command.ts';
import type { ParsedFlags } from '../flags/parse-flags.ts';
import { operationView } from '../views/operation-view.ts';
import { DocumentView } from '../views/document-view.ts';
import { View } from '../views/view.ts';
import { inputAllowed, runOperation } from './operation.ts';
import { flagProblems, variableOptions } from './operation-arguments.ts';

/** The flags that all refactorings have. */
type RefactoringFlags = ParsedFlags<{
  readonly input: boolean;
  readonly json: boolean;
  readonly parallelism: number;
}>;

/** The output of a refactoring: text, or members of one JSON document. */
export interface RefactoringOutput {
  /** Prints a line of the text. */
  line(text?: string): void;
  diagnostics(diagnostics: readonly Diagnostic[]): void;
  /** Adds members to the result in the document. */
  data(members: Readonly<Record<string, unknown>>): void;
}

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
    output: RefactoringOutput,
  ) => Promise<number>,
): Promise<number> {
  const view = new View(context);
  const { input, json, parallelism } = parsed.values;
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
  const options = { variables: variableOptions(parsed.occurrences), parallelism };
  return await runOperation(
    context,
    operationView(context, false),
    { input: inputAllowed(context, input && !json), color: view.style.color },
    async (project, ports) => {
      if (!json) return await work(project, options, ports, textOutput(view));
      const document = new DocumentView(context);
      const members: Record<string, unknown> = { command };
      const output = {
        line() {
          // The document has the data instead.
        },
        diagnostics: (diagnostics: readonly Diagnostic[]) => document.diagnostics(diagnostics),
        data: (more: Readonly<Record<string, unknown>>) => Object.assign(members, more),
      };
      const { early: _early, waiting: _waiting, ...quiet } = ports;
      const code = await work(project, options, { ...quiet, emit: SILENT.emit }, output);
      if ('written' in members) document.result(JSON.stringify(members));
      document.finish('refactoring', 'null');
      return code;
    },
  );
}

function textOutput(view: View): RefactoringOutput {
  return {
    line: (text) => view.line(text),
    diagnostics: (diagnostics) => view.diagnostics(diagnostics),
    data() {
      // The text says the same.
    },
  };
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
  output: RefactoringOutput,
  changes: readonly FileChange[],
  { write }: { readonly write: boolean },
): Promise<number> {
  output.data({ written: false });
  showDifferences(output, changes);
  if (changes.length === 0) return 0;
  if (!write) {
    output.line('\nNothing was written. To write these files, run the command again with -write.');
    return 0;
  }
  const problems = await writeFiles(project.host.files, changes);
  output.diagnostics(problems);
  if (hasErrors(problems)) return 1;
  showWritten(output, changes);
  return 0;
}

/** Prints the differences of files. */
export function showDifferences(output: RefactoringOutput, changes: readonly FileChange[]): void {
  const files = changes.map(({ path, before, after }) => {
    const names = { before: before === undefined ? '/dev/null' : path, after: path };
    const difference = unifiedDifference(before ?? '', after, names) ?? '';
    output.line(`\n${difference}`.trimEnd());
    return { path, action: before === undefined ? 'create' : 'change', difference };
  });
  output.data({ files });
}

/** Prints which files were written. */
export function showWritten(output: RefactoringOutput, changes: readonly FileChange[]): void {
  output.line('');
  for (const { path } of changes) output.line(`Wrote ${path}`);
  output.data({ written: true });
}
