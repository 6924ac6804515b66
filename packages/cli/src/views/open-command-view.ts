import { SHOW_HELP, type CommandContext } from '../command.ts';
import type { World } from '../world.ts';
import { both } from './both.ts';
import type { CommandView } from './command-view.ts';
import { MessageView } from './message-view.ts';
import { View } from './view.ts';

/** The view for people, or for programs; programs may be told besides in a world of their own. */
export function commandView(context: CommandContext, json: boolean, into?: World): CommandView {
  const view = json ? new MessageView(context.world) : new PeopleView(context);
  return into === undefined ? view : both<CommandView>(view, new MessageView(into));
}

class PeopleView extends View implements CommandView {
  document(): void {
    // People read something else.
  }
}

/** How a command ends that was called in a wrong way: people are shown its help. */
export function misused({ values }: { readonly values: { readonly json: boolean } }): number {
  return values.json ? 1 : SHOW_HELP;
}
