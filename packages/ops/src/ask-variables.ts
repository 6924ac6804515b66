import { missingVariables, type Configuration, type InputValue } from '@terrane/engine';
import type { RunPorts } from './run-ports.ts';

/** Prompts for required variables without a value, in the order of their names, if prompts are possible. */
export async function promptForVariables(
  configuration: Configuration,
  inputs: ReadonlyMap<string, InputValue>,
  ports: Pick<RunPorts, 'ask' | 'signal'>,
): Promise<ReadonlyMap<string, InputValue>> {
  const { ask, signal } = ports;
  if (ask === undefined) return inputs;
  const missing = missingVariables(configuration, inputs);
  if (missing.length === 0) return inputs;
  const all = new Map(inputs);
  for (const variable of missing) {
    const { name, description } = variable;
    const question = {
      id: `var.${name}`,
      query: `var.${name}${variable.ephemeral ? ' (ephemeral)' : ''}`,
      secret: variable.sensitive,
      ...(description === undefined ? {} : { description }),
    };
    const answer = await ask.input(question, signal);
    // Prompting is optional: values that are still missing are reported afterwards.
    if ('text' in answer) all.set(name, { source: 'input', text: answer.text });
  }
  return all;
}
