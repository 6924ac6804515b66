import type { Selectable } from 'kysely';
import type { UserTable } from '../database/schema.ts';
import { invalid, notFound, type ApiResource, type Resource } from '../http/json-api.ts';
import { type ApiRequest, ok } from '../http/request.ts';
import { AUTHENTICATED, type Route, SITE_ADMIN, USER } from '../http/route.ts';
import { audit } from '../services/audit.ts';

/** The avatar of every user: avatars from other services would disclose the users to them. */
const AVATAR =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='3' r='2'/%3E%3C/svg%3E";

type User = Selectable<UserTable>;

/** Presents a user. */
export function userResource(user: User, isSelf = false): ApiResource<'users'> {
  return {
    id: user.id,
    type: 'users',
    attributes: {
      username: user.username,
      ...(isSelf && { email: user.email, 'unconfirmed-email': user.unconfirmed_email }),
      'is-service-account': user.is_service_account,
      'auth-method': 'terrane',
      'avatar-url': AVATAR,
      'v2-only': false,
      'two-factor': { enabled: false, verified: false },
      permissions: {
        'can-create-organizations': true,
        'can-change-email': isSelf,
        'can-change-username': isSelf,
        'can-manage-user-tokens': isSelf,
      },
    },
    relationships: {
      'authentication-tokens': {
        links: { related: `/api/v2/users/${user.id}/authentication-tokens` },
      },
    },
    links: { self: `/api/v2/users/${user.id}` },
  };
}

/** Presents a user to other members of an organization, who see the e-mail address in the membership, too. */
export function memberResource(user: User): Resource {
  const { attributes, ...rest } = userResource(user);
  return { ...rest, attributes: { ...attributes, email: user.email } };
}

/** The account of the principal; teams and organizations have one that stands for them. */
function account({ principal }: ApiRequest) {
  switch (principal.kind) {
    case 'user':
      return ok({ data: userResource(principal.user, true) });
    case 'team':
    case 'organization': {
      const id = principal.kind === 'team' ? principal.teamId : principal.organizationId;
      return ok({
        data: {
          id: `user-${id}`,
          type: 'users',
          attributes: {
            username: `api-${principal.kind}-${id}`,
            email: '',
            'is-service-account': true,
          },
        },
      });
    }
    default:
      throw notFound();
  }
}

async function update(request: ApiRequest) {
  const { services, principal, input } = request;
  if (principal.kind !== 'user') throw notFound();
  const { user } = principal;
  const username = input.text('username') ?? user.username;
  const email = input.text('email') ?? user.email;
  if (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw invalid('email', 'has to be an e-mail address');
  }
  if (username === '') throw invalid('username', "can't be blank");
  if (email === '') throw invalid('email', "can't be blank");
  const taken = await services.db
    .selectFrom('users')
    .select('username')
    .where('id', '!=', user.id)
    .where((expression) =>
      expression.or([expression('username', '=', username), expression('email', '=', email)]),
    )
    .executeTakeFirst();
  if (taken !== undefined) {
    throw invalid(taken.username === username ? 'username' : 'email', 'has already been taken');
  }
  const updated = await services.db
    .updateTable('users')
    // An address that nobody has confirmed receives no invitations: it could be that of another person.
    .set({ username, unconfirmed_email: email === user.email ? null : email })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return ok({ data: userResource(updated, true) });
}

/** Confirms the new e-mail address of a user, which a site administrator has verified. */
async function confirmEmail(request: ApiRequest) {
  const { services, param, principal } = request;
  const user = await services.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', param('user'))
    .executeTakeFirst();
  if (user === undefined) throw notFound();
  const { unconfirmed_email: email } = user;
  if (email === null) throw invalid('email', 'has no change that waits for a confirmation');
  const taken = await services.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  if (taken !== undefined) throw invalid('email', 'has already been taken');
  const updated = await services.db
    .updateTable('users')
    .set({ email, unconfirmed_email: null })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit(services, principal, {
    organizationId: null,
    action: 'confirm-email',
    type: 'user',
    id: user.id,
  });
  return ok({ data: userResource(updated, true) });
}

export const USER_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/api/v2/account/details', rule: AUTHENTICATED, handle: account },
  { method: 'PATCH', path: '/api/v2/account/update', rule: USER, handle: update },
  {
    method: 'POST',
    path: '/api/v2/admin/users/:user/actions/confirm-email',
    rule: SITE_ADMIN,
    handle: confirmEmail,
  },
  {
    method: 'GET',
    path: '/api/v2/users/:user',
    rule: AUTHENTICATED,
    async handle({ services, param }) {
      const user = await services.db
        .selectFrom('users')
        .selectAll()
        .where('id', '=', param('user'))
        .executeTakeFirst();
      if (user === undefined) throw notFound();
      return ok({ data: userResource(user) });
    },
  },
];
