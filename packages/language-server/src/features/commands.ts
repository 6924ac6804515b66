import {
  ErrorCodes,
  type Location,
  MessageType,
  ResponseError,
  ShowMessageNotification,
} from 'vscode-languageserver';
import { explainedText, readPlan } from '../last-plans.ts';
import { runTestBlock } from '../run-test-block.ts';
import type { Session } from '../session.ts';

/** Commands of code lenses, which the server executes. */
export const EXPLAIN_COMMAND = 'terrane.server.explain';
export const TEST_COMMAND = 'terrane.server.runTest';
export const REFERENCES_COMMAND = 'terrane.server.references';
export const COMMANDS: readonly string[] = [EXPLAIN_COMMAND, TEST_COMMAND, REFERENCES_COMMAND];

/** Registers the commands that the server executes, and the notification of a plan. */
export function registerCommands(session: Session): void {
  const { connection } = session;
  connection.onNotification(
    'terrane/plan',
    ({ uri, file }: { readonly uri: string; readonly file: string | null }) => {
      void updatePlan(session, session.uris.folderPath(uri), file).catch((error: unknown) =>
        session.failed('plan', error),
      );
    },
  );
  connection.onExecuteCommand(
    session.guard('executeCommand', async ({ command, arguments: values = [] }) => {
      if (!COMMANDS.includes(command))
        throw new ResponseError(
          ErrorCodes.InvalidParams,
          `There is no command ${JSON.stringify(command)}.`,
        );
      const [uri, argument]: readonly unknown[] = values;
      if (typeof uri !== 'string') return null;
      if (command === EXPLAIN_COMMAND) return explanationOf(session, uri, argument);
      if (command === TEST_COMMAND && typeof argument === 'string')
        return await runTest(session, uri, argument);
      if (command === REFERENCES_COMMAND) return referencesAt(session, uri, argument);
      return null;
    }),
  );
}

/** Replaces the plan that lenses show: `file` is a saved plan, null removes it. Reading a plan may start providers. */
async function updatePlan(session: Session, directory: string, file: string | null): Promise<void> {
  session.plans.delete(directory);
  if (file !== null && session.settings.trusted) {
    const engine = session.engines.of(directory);
    if (engine.configuration === undefined) await engine.load(session.settings);
    const read = await readPlan(engine.project, file);
    if ('plan' in read) session.plans.set(directory, read.plan);
    else {
      const [first] = read.diagnostics;
      const reason = first === undefined ? '' : ` ${first.summary}: ${first.detail}`;
      session.connection.console.warn(`The plan could not be read.${reason}`);
    }
  }
  session.refresh();
}

/** Returns the references to a declaration, which clients list when the user activates a lens. */
function referencesAt(
  session: Session,
  uri: string,
  position: unknown,
): readonly Location[] | null {
  const document = session.document(uri);
  if (document === undefined || typeof position !== 'object' || position === null) return null;
  const { line, character } = position as {
    readonly line?: unknown;
    readonly character?: unknown;
  };
  if (typeof line !== 'number' || typeof character !== 'number') return null;
  const occurrence = session.model.occurrenceAt(
    document,
    session.offset(document, { line, character }),
  );
  const target =
    occurrence === undefined ? undefined : session.model.targetOf(document, occurrence);
  if (target === undefined) return null;
  return session.model
    .occurrencesOf(target)
    .filter(({ occurrence: { role } }) => role !== 'declaration')
    .map((each) => session.location(each));
}

function explanationOf(session: Session, uri: string, addresses: unknown): string | null {
  const plan = session.plans.get(session.uris.folderPath(uri));
  if (plan === undefined || !Array.isArray(addresses)) return null;
  const text = explainedText(
    plan,
    addresses.filter((each) => typeof each === 'string'),
  );
  show(session, MessageType.Info, text);
  return text;
}

/** Shows a message that needs no answer. */
function show(session: Session, type: MessageType, message: string): void {
  session.connection
    .sendNotification(ShowMessageNotification.type, { type, message })
    .then(undefined, (error: unknown) => session.failed('showMessage', error));
}

async function runTest(session: Session, uri: string, run: string): Promise<string | null> {
  if (!session.settings.trusted) {
    show(session, MessageType.Warning, 'Tests are executed in trusted workspaces only.');
    return null;
  }
  const document = session.document(uri);
  if (document === undefined) return null;
  const directory = session.model.moduleDirectoryOf(document);
  const { project } = session.engines.of(directory);
  const { message, isPassed } = await runTestBlock(project, directory, document.path, run);
  show(session, isPassed ? MessageType.Info : MessageType.Error, message);
  return message;
}
