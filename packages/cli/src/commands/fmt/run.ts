import { hasErrors, sourceBytes, type Diagnostic } from '@terrane/hcl';
import { formatFiles, formatText, plainError, type Formatted } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { FmtFlags } from './flags.ts';
import { View } from '../../views/view.ts';
import { projectOf } from '../../run/project-of.ts';

/** Exit code for files that are not in the usual layout, with `-check`. */
const UNFORMATTED = 3;

/** Formats files, or lists unformatted ones. */
export async function runFmt(parsed: FmtFlags, context: CommandContext): Promise<number> {
  const { values, rest } = parsed;
  const view = new View(context);
  const fromInput = rest[0] === '-';
  const write = values.write && !values.check && !fromInput;
  const names = values.list && !fromInput;
  let changed = false;
  // A check reports all unformatted files, or only the error that prevented it.
  const reports: (() => void)[] = [];
  const reportFile = (formatted: Formatted): void => {
    if (formatted.changed) {
      changed = true;
      const show = (): void => {
        if (names) view.line(formatted.path);
        if (formatted.difference !== undefined && (!values.check || names))
          view.print(sourceBytes(formatted.difference));
      };
      if (values.check) reports.push(show);
      else show();
    }
    // With -check the list is determined in any case, whether or not it is shown.
    if (!values.list && !write && !values.diff && !values.check) print(view, formatted.text);
  };
  let diagnostics: readonly Diagnostic[];
  if (fromInput) {
    diagnostics = await formatInput(context, values, view, reportFile);
  } else {
    const request = {
      paths: rest.length === 0 ? ['.'] : rest,
      recursive: values.recursive,
      write,
      difference: values.diff,
    };
    diagnostics = await formatFiles(projectOf(context), request, reportFile);
  }
  view.separateDiagnostics(diagnostics);
  if (hasErrors(diagnostics)) return 2;
  for (const show of reports) show();
  return values.check && changed ? UNFORMATTED : 0;
}

async function formatInput(
  context: CommandContext,
  values: FmtFlags['values'],
  view: View,
  reportFile: (formatted: Formatted) => void,
): Promise<readonly Diagnostic[]> {
  const bytes = await context.world.stdin.readBytes();
  const { formatted, diagnostics } = formatText('<stdin>', bytes, values.diff);
  if (formatted === undefined) {
    return diagnostics.length > 0 ? diagnostics : [plainError('Failed to read <stdin>')];
  }
  reportFile(formatted);
  if (values.list && !values.diff && !values.check) print(view, formatted.text);
  return [];
}

function print(view: View, text: string): void {
  view.print(sourceBytes(text.endsWith('\n') ? text : `${text}\n`));
}
