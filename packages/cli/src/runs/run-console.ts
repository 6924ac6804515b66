import { errorDiagnostic, hasErrors, Source, warningDiagnostic } from '@terrane/hcl';
import { DEFAULT_STATE_OPTIONS, withConsole, type Console } from '@terrane/ops';
import type { Value } from '@terrane/cty';
import { typeInside } from '@terrane/engine';
import { valueText } from '@terrane/render';
import type { CommandContext } from '../command.ts';
import type { ConsoleFlags } from '../commands/console.ts';
import { View } from '../views/view.ts';
import { expressionContinues } from './expression-continues.ts';
import { variableOptions } from './operation-arguments.ts';
import { projectOf } from './project-of.ts';
import { typeText } from './type-text.ts';

const HELP = `The Terrane console evaluates expressions as they may be written in the
configuration, with the values that the state holds. For example,
"random_pet.name.id" gives the id of that resource if it exists in your state.

Type an expression and hit <enter> to see its value.

To leave the console, type "exit" and hit <enter>, or use Control-C or
Control-D.`;

/** Answers expressions from the input until it ends. */
export async function runConsole(parsed: ConsoleFlags, context: CommandContext): Promise<number> {
  const view = new View(context);
  const { values, given, rest, error } = parsed;
  if (error !== undefined) {
    view.complain(`Error parsing command line flags: ${error}\n`);
    return 1;
  }
  if (rest.length > 0) {
    view.complain('Too many command line arguments. Did you mean to use -chdir?');
    return 1;
  }
  const state =
    values.state === '' ? DEFAULT_STATE_OPTIONS : { ...DEFAULT_STATE_OPTIONS, path: values.state };
  const request = { state, variables: variableOptions(given) };
  let code = 0;
  const ports = { emit: () => undefined };
  const diagnostics = await withConsole(projectOf(context), request, ports, async (console) => {
    if (hasErrors(console.diagnostics)) {
      view.separateDiagnostics(console.diagnostics);
      view.separateDiagnostics([
        warningDiagnostic(
          'Due to the problems above, some expressions may produce unexpected results.',
          '',
        ),
      ]);
    } else {
      view.separateDiagnostics(console.diagnostics);
    }
    const session = new Session(console, view);
    code = context.world.stdin.isTerminal
      ? await converse(session, view)
      : await answerAll(session, view, context);
  });
  view.separateDiagnostics(diagnostics);
  return hasErrors(diagnostics) ? 1 : code;
}

/** From a pipe or file: all lines are evaluated, the last result is printed, the first error ends it. */
async function answerAll(session: Session, view: View, context: CommandContext): Promise<number> {
  let last = '';
  for (;;) {
    const line = await context.world.stdin.readLine();
    if (line === undefined) break;
    const answer = session.handle(line.trim());
    if (answer === 'exit') return 0;
    if (answer === undefined) return 1;
    last = answer;
  }
  view.line(last);
  return 0;
}

async function converse(session: Session, view: View): Promise<number> {
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  let lines: string[] = [];
  const prompt = (): void => {
    reader.setPrompt(lines.length === 0 ? '> ' : ': ');
    reader.prompt();
  };
  reader.on('SIGINT', () => {
    if (lines.length === 0) {
      reader.close();
      return;
    }
    lines = [];
    view.line('\n(multi-line entry canceled)');
    prompt();
  });
  prompt();
  for await (const line of reader) {
    lines.push(line);
    if (expressionContinues(lines)) {
      prompt();
      continue;
    }
    const answer = session.handle(`${lines.join('\n')}\n`);
    lines = [];
    if (answer === 'exit') break;
    view.line(answer ?? '');
    prompt();
  }
  reader.close();
  return 0;
}

class Session {
  readonly #console: Console;
  readonly #view: View;

  constructor(console: Console, view: View) {
    this.#console = console;
    this.#view = view;
  }

  /** What to print for a line; 'exit' to end; undefined after errors, which are shown already. */
  handle(line: string): string | undefined {
    switch (line.trim()) {
      case '':
        return '';
      case 'exit':
        return 'exit';
      case 'help':
        return HELP;
    }
    const { value, diagnostics } = this.#console.ask(
      new Source('<console-input>', line, { unshown: true }),
    );
    this.#view.separateDiagnostics(diagnostics);
    if (value === undefined || hasErrors(diagnostics)) return undefined;
    return this.#text(value);
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

/** Whether a value made by `type` is somewhere inside. */
function hasTypeMark(value: Value): boolean {
  const { paths } = value.unmarkDeepWithPaths();
  return paths.some(({ marks }) =>
    [...marks].some((mark) => typeof mark === 'object' && mark.kind === 'typeValue'),
  );
}
