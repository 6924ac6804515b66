import { parseModuleInstance } from '@terrane/addresses';
import { errorDiagnostic, hasErrors, Source, warningDiagnostic } from '@terrane/hcl';
import { withConsole } from '@terrane/ops';
import type { Value } from '@terrane/cty';
import type { Console } from '@terrane/engine';
import { typeInside } from '@terrane/functions';
import { valueText } from '@terrane/render';
import type { CommandContext } from '../../command.ts';
import type { ConsoleFlags } from './flags.ts';
import type { CommandView } from '../../views/command-view.ts';
import { commandView } from '../../views/open-command-view.ts';
import { jsonInto } from '../../views/json-into.ts';
import { expressionContinues } from './expression-continues.ts';
import { stateOptions, variableOptions } from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';
import { typeText } from './type-text.ts';

const HELP = `The Terrane console evaluates expressions as they may be written in the
configuration, with the values that the state holds. For example,
"random_pet.name.id" gives the id of that resource if it exists in your state.

Type an expression and hit <enter> to see its value.

To leave the console, type "exit" and hit <enter>, or use Control-C or
Control-D.`;

/** Evaluates expressions from the input until its end. */
export async function runConsole(parsed: ConsoleFlags, context: CommandContext): Promise<number> {
  const { values, occurrences, rest, error } = parsed;
  const into = jsonInto({ ...values, json: false }, context);
  const view = commandView(context, false, into.world);
  if (error !== undefined) {
    view.complainPlainly(context.help);
    view.complain(`Error parsing command line flags: ${error}\n`);
    return 1;
  }
  if (rest.length > 0) {
    view.complain('Too many command line arguments. Did you mean to use -chdir?');
    return 1;
  }
  if (into.problems.length > 0) {
    view.diagnostics(into.problems);
    return 1;
  }
  const scope = values.scope === '' ? undefined : parseModuleInstance(values.scope);
  if (scope !== undefined && scope.instance === undefined) {
    view.diagnostics([
      errorDiagnostic(
        `Invalid scope ${JSON.stringify(values.scope)}`,
        `${scope.diagnostics[0]?.detail ?? ''} Give the address of a module instance, such as module.net or module.net["a"].`.trim(),
      ),
    ]);
    return 1;
  }
  const request = {
    state: stateOptions(values),
    variables: variableOptions(occurrences),
    plan: values.plan,
    ...(scope?.instance === undefined ? {} : { scope: scope.instance }),
  };
  let code = 0;
  const ports = { emit: () => undefined };
  const diagnostics = await withConsole(projectOf(context), request, ports, async (opened) => {
    const { console, diagnostics: openDiagnostics } = opened;
    view.separateDiagnostics(openDiagnostics);
    if (console === undefined) {
      code = 1;
      return;
    }
    if (hasErrors(openDiagnostics)) view.separateDiagnostics([DOUBTFUL]);
    const session = new Session(console, view);
    code = context.world.stdin.isTerminal
      ? await converse(session, view, context)
      : await answerAll(session, view, context);
  });
  view.separateDiagnostics(diagnostics);
  return hasErrors(diagnostics) ? 1 : code;
}

const DOUBTFUL = warningDiagnostic(
  'Due to the problems above, some expressions may produce unexpected results.',
  '',
);

/** Evaluates all lines of a pipe or file, prints the last result, and ends at the first error. */
async function answerAll(
  session: Session,
  view: CommandView,
  { world: { stdin } }: CommandContext,
): Promise<number> {
  let last = '';
  for (;;) {
    let line = await stdin.readLine();
    if (line === undefined) {
      // The last line may have no line feed.
      line = await stdin.readAll();
      if (line === '') break;
    }
    const answer = await session.handle(line.trim());
    if (answer === 'exit') return 0;
    if (answer === undefined) return 1;
    last = answer;
  }
  view.line(last);
  return 0;
}

/** On a terminal: an expression may take several lines, and an invalid one does not end the console. */
async function converse(
  session: Session,
  view: CommandView,
  { world: { stdin } }: CommandContext,
): Promise<number> {
  const editor = await stdin.edit((before) => session.completions(before));
  let lines: string[] = [];
  try {
    for (;;) {
      const entered = await editor.next(lines.length === 0 ? '> ' : ': ');
      if (entered === undefined) {
        // Ctrl-D exits; print a line so that the next prompt is on a new one:
        view.print('exit\n');
        return 0;
      }
      if (entered.kind === 'interrupt') {
        if (entered.text !== '') continue;
        if (lines.length === 0) return 0;
        lines = [];
        view.print('(multi-line entry canceled)\n');
        continue;
      }
      lines.push(entered.text);
      if (expressionContinues(lines)) continue;
      const answer = await session.handle(`${lines.join('\n')}\n`);
      lines = [];
      if (answer === 'exit') return 0;
      view.line(answer ?? '');
    }
  } finally {
    editor.close();
  }
}

class Session {
  readonly #console: Console;
  readonly #view: CommandView;

  constructor(console: Console, view: CommandView) {
    this.#console = console;
    this.#view = view;
  }

  /**
   * Evaluates a line and returns the text to print; 'exit' ends the console. Returns undefined after errors, which it
   * has already printed.
   */
  async handle(line: string): Promise<string | undefined> {
    switch (line.trim()) {
      case '':
        return '';
      case 'exit':
        return 'exit';
      case 'help':
        return this.#view.named(HELP);
    }
    const { value, diagnostics } = await this.#console.ask(
      new Source('<console-input>', line, { unshown: true }),
    );
    this.#view.separateDiagnostics(diagnostics);
    if (value === undefined || hasErrors(diagnostics)) return undefined;
    return this.#text(value);
  }

  /** Returns completions of a line, given the text before the cursor. */
  completions(before: string): ReturnType<Console['completions']> {
    const { partial, candidates } = this.#console.completions(before);
    const keywords = before === partial && partial !== '' ? ['exit', 'help'] : [];
    const commands = keywords.filter((name) => name.startsWith(partial));
    return { partial, candidates: [...commands, ...candidates] };
  }

  #text(value: Value): string | undefined {
    const type = typeInside(value);
    if (type !== undefined) return typeText(type);
    if (!value.containsMarked() || !hasTypeMark(value)) return valueText(value, this.#view.style);
    this.#view.separateDiagnostics([
      errorDiagnostic(
        'Invalid use of type function',
        'The console-only "type" function cannot be used as part of an expression.',
      ),
    ]);
    return undefined;
  }
}

/** Returns true if a value that `type` returned is anywhere inside. */
function hasTypeMark(value: Value): boolean {
  const { paths } = value.unmarkDeepWithPaths();
  return paths.some(({ marks }) =>
    [...marks].some((mark) => typeof mark === 'object' && mark.kind === 'typeValue'),
  );
}
