import { SHOW_HELP, type CommandContext } from '../command.ts';
import type { World } from '../world.ts';
import { both } from './both.ts';
import type { CommandView } from './command-view.ts';
import { MessageView } from './message-view.ts';
import { View } from './view.ts';

/** Returns the view for people, or for JSON output; `into` receives JSON output too. */
export function commandView(context: CommandContext, json: boolean, into?: World): CommandView {
  const view = json ? new MessageView(context.world) : new PeopleView(context);
  return into === undefined ? view : both<CommandView>(view, new MessageView(into));
}

class PeopleView extends View implements CommandView {
  document(): void {
    // People read something else.
  }
}

/** Returns the exit code of a wrongly called command; prints its help for people. */
export function misused({ values }: { readonly values: { readonly json: boolean } }): number {
  return values.json ? 1 : SHOW_HELP;
}
