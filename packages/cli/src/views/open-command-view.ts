import { SHOW_HELP, type CommandContext } from '../command.ts';
import type { World } from '../world.ts';
import { both } from './both.ts';
import type { CommandView } from './command-view.ts';
import { MessageView } from './message-view.ts';
import { View } from './view.ts';

/** Returns the view for text or JSON output; `into` receives JSON output too. */
export function commandView(context: CommandContext, json: boolean, into?: World): CommandView {
  const view = json ? new MessageView(context.world) : new PeopleView(context);
  return into === undefined ? view : both<CommandView>(view, new MessageView(into));
}

class PeopleView extends View implements CommandView {
  document(): void {
    // Not part of text output.
  }
}

/** Returns the exit code of a usage error; prints the help in text output. */
export function usageErrorCode({
  values,
}: {
  readonly values: { readonly json: boolean };
}): number {
  return values.json ? 1 : SHOW_HELP;
}
