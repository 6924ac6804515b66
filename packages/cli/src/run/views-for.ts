import { type Diagnostic } from '@terrane/hcl';
import { BACKEND_SETUP, type Project } from '@terrane/ops';
import type { JsonValues } from '../arguments.ts';
import type { CommandContext } from '../command.ts';
import type { ParsedFlags } from '../flags/parse-flags.ts';
import type { CommandView } from '../views/command-view.ts';
import { commandView } from '../views/open-command-view.ts';
import { type JsonInto, jsonInto } from '../views/json-into.ts';
import { View } from '../views/view.ts';
import { flagProblems, variableOptions } from './operation-arguments.ts';
import { projectOf } from './project-of.ts';

/**
 * Returns the view for a command with valid options; undefined, after reporting the errors, if they were invalid: after
 * the help of the command, where Terraform shows them.
 */
export function viewFor(
  parsed: { readonly error?: string },
  context: CommandContext,
  withHelp?: 'with help',
): View | undefined {
  const view = new View(context);
  if (parsed.error === undefined) return view;
  if (withHelp !== undefined) view.complainPlainly(context.help);
  view.complain(`Error parsing command-line flags: ${parsed.error}\n`);
  return undefined;
}

/** The parsed flags that select the output format and set variables. */
export type CommandParsed = Pick<ParsedFlags<JsonValues>, 'values' | 'occurrences' | 'error'>;

/** Returns the view of a command that supports `-json` and `-json-into`. */
export function commandViewFor(
  parsed: CommandParsed,
  context: CommandContext,
  withHelp?: 'with help',
  into: JsonInto = jsonInto(parsed.values, context),
): CommandView | undefined {
  const { values, error } = parsed;
  const view = commandView(context, values.json, into.world);
  if (error !== undefined && values.json) view.diagnostics(flagProblems(parsed));
  else if (error !== undefined) {
    if (withHelp !== undefined) view.complainPlainly(context.help);
    view.complain(`Error parsing command-line flags: ${error}\n`);
  }
  view.separateDiagnostics(into.problems);
  return error === undefined && into.problems.length === 0 ? view : undefined;
}

/** Returns the project of a command line, with its variables. */
export function projectFor(
  parsed: Pick<CommandParsed, 'occurrences'>,
  context: CommandContext,
): Project {
  return projectOf(context, variableOptions(parsed.occurrences));
}

/** Ports that report waiting for the state lock. */
export function waitingPorts(view: Pick<CommandView, 'line'>): {
  readonly waiting: (subject: 'lock' | 'unlock') => void;
} {
  return {
    waiting: (subject) =>
      view.line(
        `${subject === 'lock' ? 'Acquiring' : 'Releasing'} state lock. This may take a few moments...`,
        { type: subject === 'lock' ? 'state_lock_acquire' : 'state_lock_release' },
      ),
  };
}

/** Prints plain messages as they are, and other diagnostics in their usual form. */
export function printDiagnostics(
  view: Pick<CommandView, 'complain' | 'separateDiagnostics'>,
  diagnostics: readonly Diagnostic[],
): void {
  for (const each of diagnostics) {
    const isLine = each.detail === '' && each.severity === 'error';
    if (isLine && each.extra?.kind !== BACKEND_SETUP) view.complain(each.summary);
    else view.separateDiagnostics([each]);
  }
}
