import type { Selectable } from 'kysely';
import type { UserTable } from '../database/schema.ts';
import { ApiError } from '../http/json-api.ts';
import { fields } from '../http/request.ts';
import type * as Library from './libraries/server-oidc.ts';
import { loadOidc } from './oidc-library.ts';
import type { SignInAttempt, SignOn, VerifiedUser } from './sign-on.ts';
import { newId, type Services } from './services.ts';

/** The settings of single sign-on with an OpenID Connect provider. */
export interface OidcOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** empty: a public client, which PKCE protects */
  readonly clientSecret: string;
  /** the claim with the groups of a user, which are matched with the SSO team IDs of teams */
  readonly groupsClaim: string;
  /** Sends a request to the provider. */
  readonly send: (url: string, init: RequestInit) => Promise<Response>;
}

/** A client of the provider: authorization code flow with PKCE. */
export class SingleSignOn implements SignOn {
  readonly #options: OidcOptions;
  readonly #callback: string;
  #configuration: Promise<Library.Configuration> | undefined;

  constructor(options: OidcOptions, callback: string) {
    this.#options = options;
    this.#callback = callback;
  }

  /** Returns the URL of the provider, and the values that verify its response. */
  async begin(target: string): Promise<{ readonly url: URL; readonly attempt: SignInAttempt }> {
    const library = await loadOidc();
    const configuration = await this.#discover();
    const attempt = {
      state: library.randomState(),
      nonce: library.randomNonce(),
      verifier: library.randomPKCECodeVerifier(),
      target,
    };
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#callback,
      scope: 'openid email profile',
      code_challenge: await library.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      state: attempt.state,
      nonce: attempt.nonce,
    });
    return { url, attempt };
  }

  /** Exchanges the code of the answer, and verifies the ID token. Throws an ApiError if the provider refused. */
  async finish(search: string, attempt: SignInAttempt): Promise<VerifiedUser> {
    const library = await loadOidc();
    const configuration = await this.#discover();
    let claims: Readonly<Record<string, unknown>>;
    try {
      const tokens = await library.authorizationCodeGrant(
        configuration,
        new URL(`${this.#callback}${search}`),
        {
          pkceCodeVerifier: attempt.verifier,
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          idTokenExpected: true,
        },
      );
      claims = fields(tokens.claims());
    } catch {
      // any-error: the reasons are those of the provider and of attackers, and name neither a defect nor a remedy.
      throw new ApiError(
        403,
        'sign-in failed',
        'The identity provider did not confirm the sign-in. Start it again.',
      );
    }
    const text = (name: string): string => {
      const value = claims[name];
      return typeof value === 'string' ? value : '';
    };
    const groups = claims[this.#options.groupsClaim];
    return {
      issuer: text('iss'),
      subject: text('sub'),
      email: claims['email_verified'] === true ? text('email').toLowerCase() : undefined,
      username: text('preferred_username') || text('email').split('@')[0] || 'user',
      groups: Array.isArray(groups)
        ? groups.filter((each: unknown) => typeof each === 'string').slice(0, 1_000)
        : [],
    };
  }

  /** Reads the metadata of the provider once; after an error, with the next attempt. */
  #discover(): Promise<Library.Configuration> {
    this.#configuration ??= this.#read().catch((error: unknown) => {
      this.#configuration = undefined;
      throw error;
    });
    return this.#configuration;
  }

  async #read(): Promise<Library.Configuration> {
    const library = await loadOidc();
    const { issuer, clientId, clientSecret, send } = this.#options;
    const url = new URL(issuer);
    const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
    try {
      return await library.discovery(
        url,
        clientId,
        {},
        clientSecret === '' ? library.None() : library.ClientSecretPost(clientSecret),
        {
          [library.customFetch]: (target, init) => send(target, init as RequestInit), // A subset of it.
          ...(isLocal && { execute: [library.allowInsecureRequests] }),
        },
      );
    } catch {
      // any-error: every failure disables this sign-in; the message may contain data of the provider.
      throw new ApiError(
        502,
        'identity provider unavailable',
        `The identity provider ${url.host} does not answer as an OpenID Connect provider. Try again, or sign in with an API token.`,
      );
    }
  }
}

type Db = Pick<Services, 'db' | 'clock' | 'random'>;
type User = Selectable<UserTable>;

/**
 * Returns the user of a verified identity: the one that was linked to it, or the one with its e-mail address, or a new
 * one. Without an address that the provider has verified, only a linked user is found.
 */
export async function userOfIdentity(
  services: Db,
  identity: VerifiedUser,
): Promise<User | undefined> {
  const { db, clock } = services;
  const { issuer, subject, email } = identity;
  if (issuer === '' || subject === '') return undefined;
  const linked = await db
    .selectFrom('user_identities')
    .innerJoin('users', 'users.id', 'user_identities.user_id')
    .selectAll('users')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  if (linked !== undefined) return linked;
  if (email === undefined || email === '') return undefined;
  const now = clock.now();
  return await db.transaction().execute(async (transaction) => {
    const existing = await transaction
      .selectFrom('users')
      .selectAll()
      .where((where) => where(where.fn<string>('lower', ['email']), '=', email))
      .executeTakeFirst();
    const user =
      existing ??
      (await transaction
        .insertInto('users')
        .values({
          id: newId(services, 'user'),
          username: await freeName({ ...services, db: transaction }, identity.username),
          email,
          is_site_admin: false,
          is_service_account: false,
          created_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow());
    await transaction
      .insertInto('user_identities')
      .values({ issuer, subject, user_id: user.id, created_at: now })
      .execute();
    return user;
  });
}

async function freeName({ db, random }: Pick<Db, 'db' | 'random'>, wanted: string) {
  const name = wanted.replaceAll(/[^\w.-]/g, '-').slice(0, 60);
  const taken = await db
    .selectFrom('users')
    .select('id')
    .where('username', '=', name)
    .executeTakeFirst();
  return taken === undefined ? name : `${name}-${newId({ random }, 'u').slice(2, 8)}`;
}

/**
 * Makes the memberships of a user in teams with an SSO team ID those that its groups say. Teams without such an ID are
 * managed in the server, and stay as they are.
 */
export async function synchronizeTeams(
  services: Db,
  userId: string,
  groups: readonly string[],
): Promise<void> {
  const teams = await services.db
    .selectFrom('teams')
    .select(['id', 'organization_id', 'settings'])
    .execute();
  const mapped = teams.flatMap(({ id, organization_id: organizationId, settings }) => {
    const group = settings['sso-team-id'];
    return typeof group === 'string' && group !== ''
      ? [{ id, organizationId, isMember: groups.includes(group) }]
      : [];
  });
  if (mapped.length === 0) return;
  await services.db.transaction().execute(async (db) => {
    for (const { id, organizationId, isMember } of mapped) {
      if (!isMember) {
        await db
          .deleteFrom('team_members')
          .where('team_id', '=', id)
          .where('user_id', '=', userId)
          .execute();
        continue;
      }
      await db
        .insertInto('memberships')
        .values({
          id: newId(services, 'ou'),
          organization_id: organizationId,
          user_id: userId,
          status: 'active',
          created_at: services.clock.now(),
        })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'user_id']).doUpdateSet({ status: 'active' }),
        )
        .execute();
      await db
        .insertInto('team_members')
        .values({ team_id: id, user_id: userId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
}
