import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import { DEFAULT_LOGIN_HOST, logIn, type LoginEvent } from '@terrane/ops';
import { programCommand } from '@terrane/host';
import type { CommandContext } from '../../command.ts';
import { paint } from '../../views/paint.ts';
import { terminalAsk } from '../../views/terminal-ask.ts';
import { View } from '../../views/view.ts';
import { projectOf } from '../../run/project-of.ts';
import { untilInterrupted } from '../../run/until-interrupted.ts';

const RULE = `\n${'-'.repeat(81)}\n`;

/** Logs in to a host and reports the steps. */
export async function runLogin(
  hostname: string | undefined,
  input: boolean,
  context: CommandContext,
): Promise<number> {
  const { world } = context;
  const view = new View(context);
  const { color } = view.style;
  if (!input) {
    view.separateDiagnostics([
      errorDiagnostic(
        'Login is an interactive command',
        `The "${programCommand('login')}" command uses interactive prompts to obtain and record credentials, so it can't be run with input disabled.\n\nTo configure credentials in a non-interactive context, write existing credentials directly to a CLI configuration file.`,
      ),
    ]);
    return 1;
  }
  const project = projectOf(context);
  const { diagnostics, done } = await untilInterrupted(world, (signal) =>
    logIn(project, hostname ?? DEFAULT_LOGIN_HOST, {
      signal,
      ask: terminalAsk(world, color),
      emit: (event) => printEvent(view, event),
    }),
  );
  view.separateDiagnostics(diagnostics);
  if (done === undefined || hasErrors(diagnostics)) return 1;
  view.line(RULE);
  const success = paint(color, 'Success!', 'bold', 'green');
  const bold = (text: string): string => paint(color, text, 'bold');
  switch (done.kind) {
    case 'cloud':
      view.line(done.message ?? `${success} ${bold('Logged in to HCP Terraform')}`);
      break;
    case 'enterprise':
      view.line(`${success} ${bold(`Logged in to Terraform Enterprise (${done.host})`)}\n`);
      break;
    case 'oauth':
      view.line(
        `${success} ${bold(view.named('Terrane has obtained and saved an API token.'))}\n\nThe new API token will be used for any future ${view.named('Terrane')} command that must make\nauthenticated requests to ${done.host}.\n`,
      );
      break;
  }
  return 0;
}

function printEvent(view: View, event: LoginEvent): void {
  const program = view.named('Terrane');
  switch (event.kind) {
    case 'begin': {
      const { host, oauth, needsBrowser, store } = event;
      const mechanism = oauth ? 'OAuth' : 'your browser';
      view.line(`${program} will request an API token for ${host} using ${mechanism}.\n`);
      if (needsBrowser) {
        view.line(
          'This will work only if you are able to use a web browser on this computer to\ncomplete a login process. If not, you must obtain an API token by another\nmeans and configure it in the CLI configuration manually.\n',
        );
      }
      view.line(
        store.location === 'helper'
          ? `If login is successful, ${program} will store the token in the configured\n${JSON.stringify(store.helper)} credentials helper for use by subsequent commands.\n`
          : `If login is successful, ${program} will store the token in plain text in\nthe following file for use by subsequent commands:\n    ${store.file}\n`,
      );
      break;
    }
    case 'page': {
      const { what: subject, host, url, opened } = event;
      if (subject === 'tokens') view.line(RULE);
      if (opened) {
        view.line(`${program} must now open a web browser to the ${subject} page for ${host}.\n`);
        view.line(
          `If a browser does not open this automatically, open the following URL to proceed:\n    ${url}\n`,
        );
      } else {
        view.line(
          `Open the following URL to access the ${subject} page for ${host}:\n    ${url}\n`,
        );
      }
      if (subject === 'tokens') view.line(RULE);
      break;
    }
    case 'waiting':
      view.line(`${program} will now wait for the host to signal that login was successful.\n`);
      break;
    case 'password':
      view.line(RULE);
      view.line(
        `${program} must temporarily use your password to request an API token.\nThis password will NOT be saved locally.\n`,
      );
      break;
    case 'paste': {
      const { store } = event;
      view.line('Generate a token using your browser, and copy-paste it into this prompt.\n');
      view.line(
        store.location === 'helper'
          ? `${program} will store the token in the configured ${JSON.stringify(store.helper)} credentials helper\nfor use by subsequent commands.\n`
          : `${program} will store the token in plain text in the following file\nfor use by subsequent commands:\n    ${store.file}\n`,
      );
      break;
    }
    case 'user':
      view.line(`\nRetrieved token for user ${paint(view.style.color, event.name, 'bold')}\n`);
      break;
  }
}
