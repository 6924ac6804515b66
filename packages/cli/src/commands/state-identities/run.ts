import { programCommand } from '@terrane/host';
import { identitiesJson } from '@terrane/render';
import { SHOW_HELP, type CommandContext } from '../../command.ts';
import type { StateIdentitiesFlags } from './flags.ts';
import { View } from '../../views/view.ts';
import { viewFor } from '../../run/views-for.ts';
import { withSelected } from '../state/read-state.ts';

/** Prints the identities of instances. */
export async function runStateIdentities(
  parsed: StateIdentitiesFlags,
  context: CommandContext,
): Promise<number> {
  if (parsed.error === undefined && !parsed.values.json) {
    new View(context).complain(
      `The \`${programCommand('state identities')}\` command requires the \`-json\` flag.\n`,
    );
    return 1;
  }
  const view = viewFor(parsed, context);
  if (view === undefined) return SHOW_HELP;
  return await withSelected(view, parsed, context, ({ instances, state }) => {
    view.print(`${identitiesJson(state, instances)}\n`);
  });
}
