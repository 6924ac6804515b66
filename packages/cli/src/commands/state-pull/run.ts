import { EMPTY_STATE, stateFileText, TERRAFORM_VERSION } from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import type { CommandContext } from '../../command.ts';
import type { VariableValues } from '../../arguments.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';
import { projectFor, printDiagnostics, viewFor } from '../../run/views-for.ts';
import { readFor } from '../state/read-state.ts';

const NOTHING_YET = { state: EMPTY_STATE, lineage: '', serial: 0 };

/** Writes the state to the output. */
export async function runStatePull(
  parsed: ParsedFlags<VariableValues>,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return 1;
  const project = projectFor(parsed, context);
  const read = await readFor('', project, 'Failed to refresh state');
  const { diagnostics } = read;
  if (hasErrors(diagnostics)) {
    printDiagnostics(view, diagnostics);
    return 1;
  }
  view.besideData(diagnostics);
  // A missing file has no content; in other backends the state exists from the beginning.
  const file = read.file ?? (read.isElsewhere === true ? NOTHING_YET : undefined);
  // Rewritten, regardless of the program that wrote it last.
  if (file !== undefined)
    view.line(stateFileText({ ...file, terraformVersion: TERRAFORM_VERSION }));
  return 0;
}
