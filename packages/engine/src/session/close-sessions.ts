import type { Ephemerals } from './ephemerals.ts';
import type { ProviderSessions } from './provider-sessions.ts';

/**
 * Ends what a run holds open, also where it broke off: first the ephemeral objects, then the providers
 * that hold them. What closing an ephemeral object says is lost here; who wants to tell it closes them
 * before.
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
