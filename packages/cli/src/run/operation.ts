import { plainError, type Project, type RunPorts } from '@terrane/ops';
import type { CommandContext } from '../command.ts';
import { terminalAsk } from '../views/terminal-ask.ts';
import type { OperationView } from '../views/operation-view.ts';
import { interruptible } from './interruptible.ts';
import { projectOf } from './project-of.ts';

/** The interaction of an operation with the user. */
export interface OperationOptions {
  /** true if prompts for values of variables are allowed */
  readonly input: boolean;
  readonly color: boolean;
}

/** Executes an operation on a project so that interrupts stop it. Returns the exit code of `work`. */
export async function runOperation(
  context: CommandContext,
  view: OperationView,
  options: OperationOptions,
  work: (project: Project, ports: RunPorts) => Promise<number>,
): Promise<number> {
  const { world } = view;
  const project = projectOf(context);
  const outcome = await interruptible(world, view, (signals) =>
    work(project, {
      emit: (event) => view.event(event),
      early: (diagnostics) => view.diagnostics(diagnostics),
      waiting: (subject) => view.waiting(subject),
      ...(options.input ? { ask: terminalAsk(world, options.color) } : {}),
      remote: {
        ...view.remote,
        // Prompts for cancellation after an interrupt that ended another prompt.
        ask: {
          input: (question, signal) => terminalAsk(world, options.color).input(question, signal),
        },
        input: options.input,
      },
      ...signals,
    }),
  );
  view.endProgress();
  if ('result' in outcome) return outcome.result;
  view.diagnostics([plainError('operation canceled')]);
  world.leave(1);
  return 1;
}

/** Returns true if prompts are allowed; `-input=false` and `TF_INPUT=0` forbid them. */
export function inputAllowed(context: CommandContext, flag: boolean): boolean {
  const variable = context.world.environment['TF_INPUT'] ?? '';
  return flag && !['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(variable);
}
