import { hasErrors } from '@terrane/hcl';
import { DEFAULT_LOGIN_HOST, logOut, type TokenStore } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import { paint } from '../../views/paint.ts';
import { View } from '../../views/view.ts';
import { projectOf } from '../../run/project-of.ts';

/** Removes the token that `login` has stored. */
export async function runLogout(
  hostname: string | undefined,
  context: CommandContext,
): Promise<number> {
  const view = new View(context);
  const { diagnostics, host, removed } = await logOut(
    projectOf(context),
    hostname ?? DEFAULT_LOGIN_HOST,
    (name, store) => view.line(whereFrom(name, store)),
  );
  view.separateDiagnostics(diagnostics);
  if (hasErrors(diagnostics)) return 1;
  if (!removed) return 0;
  const { color } = view.style;
  const removal = `${view.named('Terrane')} has removed the stored API token for ${host}.`;
  const text = paint(color, removal, 'bold');
  view.line(`${paint(color, 'Success!', 'bold', 'green')} ${text}\n`);
  return 0;
}

function whereFrom(host: string, { location, file, helper }: TokenStore): string {
  switch (location) {
    case 'helper':
      return `Removing the stored credentials for ${host} from the configured\n${JSON.stringify(helper)} credentials helper.\n`;
    case 'none':
      return `No credentials for ${host} are stored.\n`;
    default:
      return `Removing the stored credentials for ${host} from the following file:\n    ${file}\n`;
  }
}
