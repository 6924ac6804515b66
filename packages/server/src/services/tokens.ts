import type { Selectable } from 'kysely';
import type { TokenTable } from '../database/schema.ts';
import { tokenHash } from './sealing.ts';
import { newId, randomText, type Services } from './services.ts';

export type Token = Selectable<TokenTable>;

/** The input of a new token. */
export interface NewToken {
  readonly kind: 'user' | 'team' | 'organization' | 'agent' | 'audit-trails' | 'metrics' | 'task';
  readonly ownerId: string;
  readonly description: string;
  readonly createdBy: string | null;
  readonly expiresAt: Date | null;
}

/** Creates a token. Its text is returned once; the database has only its hash. */
export async function issueToken(
  services: Pick<Services, 'db' | 'random' | 'clock'>,
  { kind, ownerId, description, createdBy, expiresAt }: NewToken,
): Promise<{ readonly token: string; readonly row: Token }> {
  const token = `${randomText(services.random, 14)}.terrane.v1.${randomText(services.random, 60)}`;
  const row = await services.db
    .insertInto('tokens')
    .values({
      id: newId(services, 'at'),
      kind,
      owner_id: ownerId,
      description,
      hash: tokenHash(token),
      created_by: createdBy,
      last_used_at: null,
      expires_at: expiresAt,
      created_at: services.clock.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { token, row };
}
