import type { ProviderDiagnostic } from '@terrane/provider';
import { wireDiagnostics } from './to-wire.ts';

/**
 * Returns the response to a call that the provider failed to handle: the diagnostics, and if the protocol has an
 * object, the previous one, so that the caller retains it.
 */
export function failedAnswer(
  call: string,
  request: object,
  diagnostics: readonly ProviderDiagnostic[],
): object {
  const failure = { diagnostics: wireDiagnostics(diagnostics) };
  const text = diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join('\n');
  if (call === 'CallFunction') return { error: { text } };
  if (call === 'StopProvider') return { error: text };
  const { priorState, plannedPrivate, currentState } = request as Readonly<Record<string, unknown>>;
  switch (call) {
    case 'ApplyResourceChange':
      return { ...failure, newState: priorState, private: plannedPrivate };
    case 'PlanResourceChange':
      return { ...failure, plannedState: priorState };
    case 'ReadResource':
      return { ...failure, newState: currentState };
    default:
      return failure;
  }
}
