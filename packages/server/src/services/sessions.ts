import { principalOf, type Principal } from '../access/principal.ts';
import { tokenHash } from './sealing.ts';
import { newId, randomText, type Services } from './services.ts';

const VALID_MS = 12 * 60 * 60 * 1000;

/** A session of the web interface. */
export interface Session {
  readonly token: string;
  readonly principal: Principal;
}

/**
 * Starts a session of the user whose API token is given; undefined for another token. The session ends with the API
 * token, when the user signs out, and after 12 hours.
 */
export async function startSession(
  services: Pick<Services, 'db' | 'random' | 'clock'>,
  apiToken: string,
): Promise<Session | undefined> {
  const principal = await principalOf(services, apiToken);
  if (principal?.kind !== 'user' || principal.isSession === true) return undefined;
  const { db, random, clock } = services;
  const now = clock.now();
  await db
    .deleteFrom('tokens')
    .where('kind', '=', 'session')
    .where('expires_at', '<', now)
    .execute();
  const token = `session.${randomText(random, 48)}`;
  await db
    .insertInto('tokens')
    .values({
      id: newId(services, 'at'),
      kind: 'session',
      owner_id: principal.user.id,
      // The API token, with which the session ends.
      description: principal.tokenId,
      hash: tokenHash(token),
      created_by: principal.user.id,
      last_used_at: now,
      expires_at: new Date(now.getTime() + VALID_MS),
      created_at: now,
    })
    .execute();
  return { token, principal };
}

/** Ends the session of a principal; does nothing for other tokens. */
export async function endSession(
  { db }: Pick<Services, 'db'>,
  principal: Principal,
): Promise<void> {
  if (principal.kind !== 'user') return;
  await db
    .deleteFrom('tokens')
    .where('kind', '=', 'session')
    .where('id', '=', principal.tokenId)
    .execute();
}
