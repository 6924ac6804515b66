import { missingVariables, type Configuration, type InputValue } from '@terrane/engine';
import type { RunPorts } from './run-ports.ts';

/** Asks for required variables that nobody gave, in the order of their names, where there is someone to ask. */
export async function askForVariables(
  configuration: Configuration,
  given: ReadonlyMap<string, InputValue>,
  ports: Pick<RunPorts, 'ask' | 'signal'>,
): Promise<ReadonlyMap<string, InputValue>> {
  const { ask, signal } = ports;
  if (ask === undefined) return given;
  const missing = missingVariables(configuration, given);
  if (missing.length === 0) return given;
  const all = new Map(given);
  for (const variable of missing) {
    const { name, description } = variable;
    const question = {
      id: `var.${name}`,
      query: `var.${name}${variable.ephemeral ? ' (ephemeral)' : ''}`,
      secret: variable.sensitive,
      ...(description === undefined ? {} : { description }),
    };
    const answer = await ask.input(question, signal);
    // Asking is a courtesy: what is still missing afterwards is reported as missing.
    if ('text' in answer) all.set(name, { source: 'input', text: answer.text });
  }
  return all;
}
