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
  return { token: await issueSession(services, principal.user.id, principal.tokenId), principal };
}

/** Starts a session of a user whom an identity provider has authenticated, and returns its token. */
export async function startSessionOf(
  services: Pick<Services, 'db' | 'random' | 'clock'>,
  userId: string,
): Promise<string> {
  return await issueSession(services, userId, '');
}

async function issueSession(
  { db, random, clock }: Pick<Services, 'db' | 'random' | 'clock'>,
  userId: string,
  apiTokenId: string,
): Promise<string> {
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
      id: newId({ random }, 'at'),
      kind: 'session',
      owner_id: userId,
      // The API token, with which the session ends; empty after single sign-on.
      description: apiTokenId,
      hash: tokenHash(token),
      created_by: userId,
      last_used_at: now,
      expires_at: new Date(now.getTime() + VALID_MS),
      created_at: now,
    })
    .execute();
  return token;
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
