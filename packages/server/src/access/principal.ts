import type { Selectable } from 'kysely';
import type { UserTable } from '../database/schema.ts';
import type { Services } from '../services/services.ts';
import { tokenHash } from '../services/sealing.ts';

/** The sender of a request. */
export type Principal =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'user';
      readonly user: Selectable<UserTable>;
      readonly tokenId: string;
      /** true in the web interface: the token is that of a session */
      readonly isSession?: boolean;
    }
  | { readonly kind: 'team'; readonly teamId: string; readonly tokenId: string }
  | { readonly kind: 'organization'; readonly organizationId: string; readonly tokenId: string }
  | { readonly kind: 'audit-trails'; readonly organizationId: string; readonly tokenId: string }
  /** an agent of a pool; of the built-in pool, which serves every organization, if null */
  | { readonly kind: 'agent'; readonly poolId: string | null; readonly tokenId: string }
  /** may read the metrics of the installation, and nothing else */
  | { readonly kind: 'metrics'; readonly tokenId: string }
  /** a run task, for the run that it checks */
  | { readonly kind: 'task'; readonly resultId: string; readonly tokenId: string }
  /** the engine of a running job, which may read what its workspace may */
  | { readonly kind: 'run'; readonly runId: string; readonly tokenId: string };

/** The owner of the tokens of agents that serve all organizations. */
export const BUILT_IN_POOL = 'built-in';

/** Returns the principal of a bearer token; undefined if the token is invalid or has expired. */
export async function principalOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  token: string,
): Promise<Principal | undefined> {
  const tokenRow = await db
    .selectFrom('tokens')
    .selectAll()
    .where('hash', '=', tokenHash(token))
    .executeTakeFirst();
  if (tokenRow === undefined) return undefined;
  const now = clock.now();
  if (tokenRow.expires_at !== null && tokenRow.expires_at <= now) return undefined;
  const isSession = tokenRow.kind === 'session';
  // A session that began with an API token ends with it.
  const parent = isSession ? tokenRow.description : '';
  if (parent !== '' && !(await isValidToken({ db }, parent, now))) return undefined;
  // Written at most once a minute, so that reading does not become writing.
  if (tokenRow.last_used_at === null || now.getTime() - tokenRow.last_used_at.getTime() > 60_000) {
    await db
      .updateTable('tokens')
      .set({ last_used_at: now })
      .where('id', '=', tokenRow.id)
      .execute();
  }
  const tokenId = tokenRow.id;
  switch (tokenRow.kind) {
    case 'user':
    case 'session': {
      const user = await db
        .selectFrom('users')
        .selectAll()
        .where('id', '=', tokenRow.owner_id)
        .executeTakeFirst();
      return user === undefined
        ? undefined
        : { kind: 'user', user, tokenId, ...(isSession && { isSession }) };
    }
    case 'team':
      return { kind: 'team', teamId: tokenRow.owner_id, tokenId };
    case 'organization':
      return { kind: 'organization', organizationId: tokenRow.owner_id, tokenId };
    case 'audit-trails':
      return { kind: 'audit-trails', organizationId: tokenRow.owner_id, tokenId };
    case 'agent': {
      const poolId = tokenRow.owner_id === BUILT_IN_POOL ? null : tokenRow.owner_id;
      return { kind: 'agent', poolId, tokenId };
    }
    case 'metrics':
      return { kind: 'metrics', tokenId };
    case 'task':
      return { kind: 'task', resultId: tokenRow.owner_id, tokenId };
    case 'run':
      return { kind: 'run', runId: tokenRow.owner_id, tokenId };
    default:
      return undefined;
  }
}

/** Returns true if a token exists and has not expired. */
async function isValidToken({ db }: Pick<Services, 'db'>, id: string, now: Date): Promise<boolean> {
  const token = await db
    .selectFrom('tokens')
    .select('expires_at')
    .where('id', '=', id)
    .executeTakeFirst();
  return token !== undefined && (token.expires_at === null || token.expires_at > now);
}

/** The name of a principal in the audit log. */
export function principalName(principal: Principal): {
  readonly id: string | null;
  readonly name: string;
} {
  switch (principal.kind) {
    case 'anonymous':
    case 'metrics':
      return { id: null, name: principal.kind };
    case 'user':
      return { id: principal.user.id, name: principal.user.username };
    case 'team':
      return { id: principal.teamId, name: `team ${principal.teamId}` };
    case 'organization':
    case 'audit-trails':
      return { id: principal.organizationId, name: `${principal.kind} token` };
    case 'agent':
      return { id: principal.poolId, name: 'agent' };
    case 'task':
      return { id: principal.resultId, name: `run task ${principal.resultId}` };
    case 'run':
      return { id: principal.runId, name: `run ${principal.runId}` };
  }
}
