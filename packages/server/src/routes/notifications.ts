import { isOneOf } from '../http/choice.ts';
import { ApiError, invalid, notFound, type ApiResource, toMany, toOne } from '../http/json-api.ts';
import { listOf } from '../http/listing.ts';
import { type Answer, type ApiRequest, created, NO_CONTENT, ok } from '../http/request.ts';
import { inWorkspace, type Route } from '../http/route.ts';
import { audit } from '../services/audit.ts';
import {
  DESTINATIONS,
  EMAIL,
  emailUsersOf,
  failureText,
  type Notification,
  openDestination,
  sealDestination,
  TRIGGERS,
  triggersOf,
  verify,
} from '../services/notifications.ts';
import { outgoingUrl } from '../services/outgoing.ts';
import { newId, type Services } from '../services/services.ts';
import { workspaceOf } from './workspace-resource.ts';

const MOST_CONFIGURATIONS = 20;
const MOST_RECIPIENTS = 100;

/** Presents a notification configuration. Its token is never returned. */
async function notificationResource(
  services: Services,
  notification: Notification,
): Promise<ApiResource<'notification-configurations'>> {
  const { id, name, enabled, destination_type: type } = notification;
  const last = await services.db
    .selectFrom('deliveries')
    .selectAll()
    .where('notification_id', '=', id)
    .orderBy('sent_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const { url } = openDestination(services, notification);
  return {
    id,
    type: 'notification-configurations',
    attributes: {
      name,
      enabled,
      'destination-type': type,
      url: type === EMAIL ? null : url,
      token: null,
      triggers: triggersOf(notification),
      'email-addresses': [],
      'email-all-members': false,
      'delivery-responses':
        last === undefined
          ? []
          : [
              {
                url,
                body: last.body,
                code: String(last.code),
                headers: {},
                'sent-at': last.sent_at.toISOString(),
                successful: String(last.is_successful),
              },
            ],
      'created-at': notification.created_at.toISOString(),
      'updated-at': notification.updated_at.toISOString(),
    },
    relationships: {
      subscribable: toOne('workspaces', notification.workspace_id),
      users: toMany('users', emailUsersOf(notification)),
    },
    links: { self: `/api/v2/notification-configurations/${id}` },
  };
}

async function rowOf({ services, param }: ApiRequest): Promise<Notification> {
  const row = await services.db
    .selectFrom('notifications')
    .selectAll()
    .where('id', '=', param('notification'))
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
}

/**
 * Reads the recipients of e-mails, who are members of the organization: none if the request names none, as in HCP
 * Terraform, whose clients leave the relationship out to remove them. Throws an ApiError.
 */
async function readUsers(request: ApiRequest): Promise<readonly string[]> {
  const { services, input } = request;
  if ((input.texts('email-addresses') ?? []).length > 0) {
    throw invalid('email-addresses', 'are not supported: name users of the organization');
  }
  const users = input.relatedMany('users') ?? [];
  const ids = [...new Set(users.map(({ id }) => id))];
  if (ids.length > MOST_RECIPIENTS) {
    throw new ApiError(422, 'invalid', `E-mails are sent to at most ${MOST_RECIPIENTS} users.`);
  }
  if (ids.length === 0) return ids;
  const members = await services.db
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', workspaceOf(request).organization_id)
    .where('user_id', 'in', ids)
    .execute();
  if (members.length !== ids.length) throw notFound();
  return ids;
}

/** Reads the attributes of a configuration, which complete those `before`. */
async function readNotification(request: ApiRequest, id: string, before: Notification | undefined) {
  const { services, input } = request;
  const type = before?.destination_type ?? input.text('destination-type') ?? '';
  if (!isOneOf(DESTINATIONS, type)) {
    throw invalid('destination-type', `has to be one of: ${DESTINATIONS.join(', ')}`);
  }
  const name = input.text('name') ?? before?.name ?? '';
  if (name === '') throw invalid('name', "can't be blank");
  const triggers = input.texts('triggers') ?? (before === undefined ? [] : triggersOf(before));
  const unknown = triggers.find((each) => !TRIGGERS.has(each));
  if (unknown !== undefined) throw invalid('triggers', `contain the unknown value ${unknown}`);
  if (type === EMAIL) {
    return {
      name,
      destination_type: type,
      enabled: input.boolean('enabled') ?? before?.enabled ?? false,
      secret: sealDestination(services, id, { url: '', token: '' }),
      settings: JSON.stringify({
        triggers: [...new Set(triggers)],
        users: await readUsers(request),
      }),
      updated_at: services.clock.now(),
    };
  }
  const earlier = before === undefined ? undefined : openDestination(services, before);
  const url = outgoingUrl('url', input.text('url') ?? earlier?.url);
  const token = input.has('token') ? (input.text('token') ?? '') : (earlier?.token ?? '');
  return {
    name,
    destination_type: type,
    enabled: input.boolean('enabled') ?? before?.enabled ?? false,
    secret: sealDestination(services, id, { url, token }),
    settings: JSON.stringify({ triggers: [...new Set(triggers)] }),
    updated_at: services.clock.now(),
  };
}

/** Verifies the destination of an enabled configuration. Throws an ApiError if it does not accept a request. */
async function requireDelivery(request: ApiRequest, notification: Notification): Promise<void> {
  const delivery = await verify(request.services, notification, workspaceOf(request));
  if (delivery.isSuccessful) return;
  throw new ApiError(
    422,
    'invalid attribute',
    `The destination could not be verified: ${failureText(delivery)}. Correct the URL, or disable the configuration.`,
    '/data/attributes/url',
  );
}

async function create(request: ApiRequest) {
  const { services } = request;
  const workspace = workspaceOf(request);
  const { count } = await services.db
    .selectFrom('notifications')
    .select((select) => select.fn.countAll().as('count'))
    .where('workspace_id', '=', workspace.id)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_CONFIGURATIONS) {
    throw new ApiError(422, 'invalid', `A workspace has at most ${MOST_CONFIGURATIONS} of them.`);
  }
  const id = newId(services, 'nc');
  const row = await services.db
    .insertInto('notifications')
    .values({
      id,
      workspace_id: workspace.id,
      created_at: services.clock.now(),
      ...(await readNotification(request, id, undefined)),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (row.enabled && row.destination_type !== EMAIL) {
    try {
      await requireDelivery(request, row);
    } catch (error) {
      await services.db.deleteFrom('notifications').where('id', '=', id).execute();
      throw error;
    }
  }
  await record(request, 'create', id);
  return created({ data: await notificationResource(services, row) });
}

async function update(request: ApiRequest) {
  const { services } = request;
  const before = await rowOf(request);
  const changes = await readNotification(request, before.id, before);
  if (changes.enabled && before.destination_type !== EMAIL) {
    const settings = { triggers: triggersOf(before) };
    await requireDelivery(request, { ...before, ...changes, settings });
  }
  const row = await services.db
    .updateTable('notifications')
    .set(changes)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(request, 'update', row.id);
  return ok({ data: await notificationResource(services, row) });
}

async function list(request: ApiRequest): Promise<Answer> {
  const { services, query } = request;
  const answer = await listOf(
    request,
    services.db
      .selectFrom('notifications')
      .selectAll()
      .where('workspace_id', '=', workspaceOf(request).id)
      .orderBy('created_at')
      .orderBy('id'),
    (row) => notificationResource(services, row),
  );
  // As documented for HCP Terraform, this list has pages only for those who ask for them.
  if (query.has('page[number]') || query.has('page[size]')) return answer;
  return ok({ data: answer.document?.['data'] });
}

async function remove(request: ApiRequest) {
  const { id } = await rowOf(request);
  await request.services.db.deleteFrom('notifications').where('id', '=', id).execute();
  await record(request, 'destroy', id);
  return NO_CONTENT;
}

async function record(request: ApiRequest, action: string, id: string): Promise<void> {
  const { id: workspace, organization_id: organizationId } = workspaceOf(request);
  await audit(request.services, request.principal, {
    organizationId,
    action,
    type: 'notification-configuration',
    id,
    details: { workspace },
  });
}

const OF_WORKSPACE = '/api/v2/workspaces/:workspace/notification-configurations';
const BY_ID = '/api/v2/notification-configurations/:notification';
const ofNotification = inWorkspace('workspace:admin', 'notification', 'notification');

export const NOTIFICATION_ROUTES: readonly Route[] = [
  { method: 'POST', path: OF_WORKSPACE, rule: inWorkspace('workspace:admin'), handle: create },
  // The address of a chat is its password, so that only administrators of the workspace read it.
  { method: 'GET', path: OF_WORKSPACE, rule: inWorkspace('workspace:admin'), handle: list },
  {
    method: 'GET',
    path: BY_ID,
    rule: ofNotification,
    handle: async (request) =>
      ok({ data: await notificationResource(request.services, await rowOf(request)) }),
  },
  { method: 'PATCH', path: BY_ID, rule: ofNotification, handle: update },
  { method: 'DELETE', path: BY_ID, rule: ofNotification, handle: remove },
  {
    method: 'POST',
    path: `${BY_ID}/actions/verify`,
    rule: ofNotification,
    async handle(request) {
      const row = await rowOf(request);
      await requireDelivery(request, row);
      return ok({ data: await notificationResource(request.services, row) });
    },
  },
];

export { list as listNotifications };
