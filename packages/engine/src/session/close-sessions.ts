import type { Ephemerals } from './ephemerals.ts';
import type { ProviderSessions } from './provider-sessions.ts';

/**
 * Closes all sessions of a run, also after an abort: first the ephemeral objects, then their providers. Diagnostics of
 * closing ephemeral objects are discarded; close them before to report them.
 */
export async function closeSessions(run: {
  readonly ephemerals: Ephemerals;
  readonly sessions: ProviderSessions;
}): Promise<void> {
  try {
    await run.ephemerals.close();
  } finally {
    await run.sessions.close();
  }
}
