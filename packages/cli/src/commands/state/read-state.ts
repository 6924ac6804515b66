import type { InstanceAddr } from '@terrane/addresses';
import { legacyObjectId, selectInstances, type State } from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import {
  DEFAULT_STATE_OPTIONS,
  noStateText,
  readState,
  type Project,
  type ReadState,
} from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';
import type { CommandView } from '../../views/command-view.ts';
import { projectFor, printDiagnostics } from '../../run/views-for.ts';

/** Reads the state in the file `path`, or the state of the selected workspace if `path` is empty. */
export async function readFor(
  path: string,
  project: Project,
  subject = 'Failed to load state',
): Promise<ReadState> {
  const options = path === '' ? DEFAULT_STATE_OPTIONS : { ...DEFAULT_STATE_OPTIONS, path };
  return await readState(project, options, subject);
}

/** The parts of a parsed command line that select instances. */
export type Parts = 'values' | 'rest' | 'occurrences';

/** Calls `use` with the instances that the arguments select. Reports errors and returns the exit code. */
export async function withSelected(
  view: Pick<CommandView, 'complain' | 'separateDiagnostics'>,
  parsed: Pick<ParsedFlags<{ readonly state: string; readonly id: string }>, Parts>,
  context: CommandContext,
  use: (selected: Selected) => void,
): Promise<number> {
  const { file, diagnostics } = await readFor(parsed.values.state, projectFor(parsed, context));
  if (hasErrors(diagnostics)) {
    printDiagnostics(view, diagnostics);
    return 1;
  }
  if (file === undefined) {
    view.complain(noStateText());
    return 1;
  }
  const { state } = file;
  const selected = selectInstances(state, parsed.rest);
  if (hasErrors(selected.diagnostics)) {
    view.separateDiagnostics(selected.diagnostics);
    return 1;
  }
  const { id } = parsed.values;
  const instances = selected.instances.filter(
    (addr) => id === '' || legacyObjectId(state.instance(addr)?.current) === id,
  );
  use({ instances, state });
  view.separateDiagnostics(selected.diagnostics);
  return 0;
}

/** Selected instances of a state. */
export interface Selected {
  readonly instances: readonly InstanceAddr[];
  readonly state: State;
}
