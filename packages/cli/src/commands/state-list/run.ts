import type { CommandContext } from '../../command.ts';
import type { StateListFlags } from './flags.ts';
import { usageErrorCode } from '../../views/open-command-view.ts';
import { commandViewFor } from '../../run/views-for.ts';
import { withSelected } from '../state/read-state.ts';

/** Lists addresses of instances. */
export async function runStateList(
  parsed: StateListFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context);
  if (view === undefined) return usageErrorCode(parsed);
  return await withSelected(view, parsed, context, ({ instances }) => {
    for (const addr of instances) view.line(addr.text, { type: 'resource_address' });
  });
}
