import { createHmac } from 'node:crypto';
import type { Selectable } from 'kysely';
import { errorText } from '@terrane/host';
import { permissionsIn } from '../access/authorize.ts';
import { locate, organizationById, type Workspace } from '../access/place.ts';
import type { NotificationTable } from '../database/schema.ts';
import { runPath, workspacePath } from '../web/paths.ts';
import { fields } from '../http/request.ts';
import { deliver, type Delivery } from './outgoing.ts';
import { type Mail, newId, type RunListener, type RunTrigger, type Services } from './services.ts';
import { enqueue, type TaskKind } from './tasks.ts';

export type Notification = Selectable<NotificationTable>;

/** The destination whose notifications are e-mails to members of the organization. */
export const EMAIL = 'email';

/** Events of runs that notifications can be sent for. */
export const RUN_TRIGGERS: readonly RunTrigger[] = [
  'run:created',
  'run:planning',
  'run:needs_attention',
  'run:applying',
  'run:completed',
  'run:errored',
];
/** Events of health assessments. */
export const ASSESSMENT_TRIGGERS = [
  'assessment:drifted',
  'assessment:check_failure',
  'assessment:failed',
] as const;
/** Events of workspaces that are destroyed by a schedule. */
export const WORKSPACE_TRIGGERS = [
  'workspace:auto_destroy_reminder',
  'workspace:auto_destroy_run_results',
] as const;
/** All events that a notification configuration can name. */
export const TRIGGERS: ReadonlySet<string> = new Set<string>([
  ...RUN_TRIGGERS,
  ...ASSESSMENT_TRIGGERS,
  ...WORKSPACE_TRIGGERS,
]);

export const DESTINATIONS: readonly Notification['destination_type'][] = [
  'generic',
  'slack',
  'microsoft-teams',
  EMAIL,
];

/** The destination of a notification, which is stored encrypted: the URL of a chat is its password. */
export interface Destination {
  readonly url: string;
  /** the key of the signature; empty: requests are not signed */
  readonly token: string;
}

/** The source of runs that assess the health of a workspace. */
export const ASSESSMENT_SOURCE = 'tfe-assessment';

const KIND = 'notification';
const DELIVERIES_KEPT = 20;
const TITLES: Readonly<Record<string, string>> = {
  'run:created': 'Run Created',
  'run:planning': 'Run Planning',
  'run:needs_attention': 'Run Needs Attention',
  'run:applying': 'Run Applying',
  'run:completed': 'Run Completed',
  'run:errored': 'Run Errored',
  'assessment:drifted': 'Drift Detected',
  'assessment:check_failure': 'Check Failed',
  'assessment:failed': 'Health Assessment Failed',
};

export const sealDestination = (
  { sealing }: Pick<Services, 'sealing'>,
  id: string,
  destination: Destination,
): Buffer => sealing.seal(JSON.stringify(destination), id);

export function openDestination(
  { sealing }: Pick<Services, 'sealing'>,
  { id, secret }: Pick<Notification, 'id' | 'secret'>,
): Destination {
  const { url, token } = fields(JSON.parse(sealing.open(secret, id).toString('utf8')));
  return { url: String(url ?? ''), token: String(token ?? '') };
}

/** The parts of a notification that chats display. */
interface Message {
  readonly title: string;
  /** `organization/workspace`, with the message of the run */
  readonly text: string;
  readonly link: string;
}

/** Enqueues the notifications of a change of a run. */
export const notifyOfRun: RunListener = async (services, run, trigger) => {
  if (!RUN_TRIGGERS.includes(trigger) || run.source === ASSESSMENT_SOURCE) return;
  const organization = await services.db
    .selectFrom('workspaces')
    .innerJoin('organizations', 'organizations.id', 'workspaces.organization_id')
    .select(['organizations.name as organization', 'workspaces.name', 'workspaces.id'])
    .where('workspaces.id', '=', run.workspace_id)
    .executeTakeFirst();
  if (organization === undefined) return;
  const user =
    run.created_by === null
      ? undefined
      : await services.db
          .selectFrom('users')
          .select('username')
          .where('id', '=', run.created_by)
          .executeTakeFirst();
  const canceled = run.status === 'canceled' ? 'Run Canceled' : undefined;
  const title = canceled ?? TITLES[trigger] ?? trigger;
  const link = `${services.baseUrl}${runPath(organization.organization, organization.name, run.id)}`;
  const payload = {
    payload_version: 1,
    run_url: link,
    run_id: run.id,
    run_message: run.message,
    run_created_at: run.created_at.toISOString(),
    run_created_by: user?.username ?? null,
    workspace_id: run.workspace_id,
    workspace_name: organization.name,
    organization_name: organization.organization,
    notifications: [
      {
        message: title,
        trigger,
        run_status: run.status,
        run_updated_at: run.updated_at.toISOString(),
        run_updated_by: user?.username ?? null,
      },
    ],
  };
  await notify(services, run.workspace_id, {
    trigger,
    key: `${run.id} ${run.status}`,
    payload,
    message: {
      title,
      text: `${organization.organization}/${organization.name}: ${run.message}`,
      link,
    },
  });
};

/** A notification to send to all configurations of a workspace that name its trigger. */
export interface Notice {
  readonly trigger: string;
  /** identifies the event */
  readonly key: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly message: Message;
}

export async function notify(
  services: Services,
  workspaceId: string,
  { trigger, key, payload, message }: Notice,
): Promise<void> {
  const rows = await services.db
    .selectFrom('notifications')
    .select(['id', 'settings', 'destination_type'])
    .where('workspace_id', '=', workspaceId)
    .where('enabled', '=', true)
    .execute();
  for (const { id, settings, destination_type: type } of rows) {
    if (!triggersOf({ settings }).includes(trigger)) continue;
    const event = { notification: id, trigger, payload, message };
    // Each recipient is a task, so that a failure repeats no e-mail to another one.
    const recipients = type === EMAIL ? emailUsersOf({ settings }) : [undefined];
    for (const user of recipients) {
      await enqueue(services, services.db, {
        kind: KIND,
        key: `${id} ${trigger} ${key}${user === undefined ? '' : ` ${user}`}`,
        payload: user === undefined ? event : { ...event, user },
      });
    }
  }
}

/** Returns the IDs of the users that e-mails are sent to. */
export function emailUsersOf({ settings }: Pick<Notification, 'settings'>): readonly string[] {
  const { users } = settings;
  return Array.isArray(users) ? users.map(String) : [];
}

/**
 * Sends an e-mail to a user who may still read the runs of the workspace; nothing to others, such as users who have left
 * the organization.
 */
async function sendEmail(
  services: Services,
  notification: Notification,
  userId: string,
  trigger: string,
  { title, text, link }: Message,
): Promise<Delivery> {
  const { db, sendMail } = services;
  const user = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
  const location = await locate(services, 'workspace', notification.workspace_id);
  if (user === undefined || location === undefined) return NOT_SENT;
  const { workspacePermissions } = await permissionsIn(
    services,
    // Without a token, the limits of tokens do not apply.
    { kind: 'user', user, tokenId: '', isSession: true },
    location,
  );
  if (!workspacePermissions.has('workspace:read-runs')) return NOT_SENT;
  const delivery = await mailDelivery(sendMail, {
    to: user.email,
    subject: oneLine(`${title}: ${text}`).slice(0, 200),
    text: `${title}\n${oneLine(text)}\n\n${link}\n`,
  });
  await recordDelivery(services, notification.id, trigger, delivery);
  return delivery;
}

const NOT_SENT: Delivery = { code: 204, body: '', isSuccessful: true };

async function mailDelivery(sendMail: Services['sendMail'], mail: Mail): Promise<Delivery> {
  if (sendMail === undefined) {
    return { code: 0, body: 'the server has no mail server (-smtp)', isSuccessful: false };
  }
  try {
    await sendMail(mail);
    return { code: 250, body: '', isSuccessful: true };
  } catch (error) {
    // any-error: whatever prevents a delivery is what its sender is told.
    return { code: 0, body: errorText(error).slice(0, 1_000), isSuccessful: false };
  }
}

/** Removes control characters: the message of a run may be of anybody. */
// oxlint-disable-next-line no-control-regex -- they are what is removed
const oneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ');

export function triggersOf({ settings }: Pick<Notification, 'settings'>): readonly string[] {
  const { triggers } = settings;
  return Array.isArray(triggers) ? triggers.map(String) : [];
}

/** Delivers notifications. */
export const NOTIFICATION_TASKS: Readonly<Record<string, TaskKind>> = {
  [KIND]: {
    async run(services, { notification: id, trigger, payload, message, user }) {
      const notification = await services.db
        .selectFrom('notifications')
        .selectAll()
        .where('id', '=', String(id))
        .executeTakeFirst();
      if (notification?.enabled !== true) return;
      const parts = fields(message);
      const [title, text, link] = [parts['title'], parts['text'], parts['link']].map(String);
      const content = { title: title ?? '', text: text ?? '', link: link ?? '' };
      const delivery =
        typeof user === 'string'
          ? await sendEmail(services, notification, user, String(trigger), content)
          : await send(services, notification, String(trigger), fields(payload), content);
      if (!delivery.isSuccessful) throw new Error(failureText(delivery));
    },
  },
};

export const failureText = ({ code, body }: Delivery): string =>
  code === 0 ? body : `the destination answered with status ${code}`;

/** Sends a verification request. Returns how the destination has answered. */
export async function verify(
  services: Services,
  notification: Notification,
  workspace: Workspace,
): Promise<Delivery> {
  const organization = await organizationById(services, workspace.organization_id);
  const title = `Verification of ${notification.name}`;
  const payload = {
    payload_version: 1,
    run_url: null,
    run_id: null,
    run_message: null,
    run_created_at: null,
    run_created_by: null,
    workspace_id: workspace.id,
    workspace_name: workspace.name,
    organization_name: organization?.name ?? null,
    notifications: [
      {
        message: title,
        trigger: 'verification',
        run_status: null,
        run_updated_at: null,
        run_updated_by: null,
      },
    ],
  };
  const link = `${services.baseUrl}${workspacePath(organization?.name ?? '', workspace.name)}`;
  const text = `${organization?.name ?? ''}/${workspace.name}`;
  const message = { title, text, link };
  if (notification.destination_type !== EMAIL) {
    return await send(services, notification, 'verification', payload, message);
  }
  for (const user of emailUsersOf(notification)) {
    const delivery = await sendEmail(services, notification, user, 'verification', message);
    if (!delivery.isSuccessful) return delivery;
  }
  return NOT_SENT;
}

async function send(
  services: Services,
  notification: Notification,
  trigger: string,
  payload: Readonly<Record<string, unknown>>,
  message: Message,
): Promise<Delivery> {
  const { url, token } = openDestination(services, notification);
  const content = contentOf(notification, payload, message);
  const body = JSON.stringify(content);
  const isSigned = notification.destination_type === 'generic' && token !== '';
  const delivery = await deliver(
    services,
    url,
    body,
    isSigned ? { 'x-tfe-notification-signature': signature(token, body) } : {},
  );
  await recordDelivery(services, notification.id, trigger, delivery);
  return delivery;
}

/** Returns the signature of a body: HMAC-SHA512, in hexadecimal. */
export const signature = (key: string, body: string): string =>
  createHmac('sha512', key).update(body).digest('hex');

function contentOf(
  { id, destination_type: type }: Notification,
  payload: Readonly<Record<string, unknown>>,
  { title, text, link }: Message,
): Readonly<Record<string, unknown>> {
  switch (type) {
    case 'slack': {
      const plain = `${slackText(title)}: ${slackText(text)}`;
      return {
        text: plain,
        blocks: [
          {
            type: 'section',
            text: {
              type: 'mrkdwn',
              text: `*${slackText(title)}*\n<${link}|${slackText(text)}>`.slice(0, 3000),
            },
          },
        ],
      };
    }
    case 'microsoft-teams':
      return {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              type: 'AdaptiveCard',
              version: '1.4',
              body: [
                { type: 'TextBlock', text: title, weight: 'Bolder', wrap: true },
                { type: 'TextBlock', text, wrap: true },
              ],
              actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }],
            },
          },
        ],
      };
    default: {
      const { payload_version: version, ...rest } = payload;
      return { payload_version: version, notification_configuration_id: id, ...rest };
    }
  }
}

/** Escapes Slack's markup; a message of a run is one line. */
const slackText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\r\n|]+/g, ' ')
    .slice(0, 500);

async function recordDelivery(
  services: Services,
  notificationId: string,
  trigger: string,
  { code, body, isSuccessful }: Delivery,
): Promise<void> {
  const { db, clock } = services;
  await db
    .insertInto('deliveries')
    .values({
      id: newId(services, 'dl'),
      notification_id: notificationId,
      trigger,
      code,
      body,
      is_successful: isSuccessful,
      sent_at: clock.now(),
    })
    .execute();
  await db
    .deleteFrom('deliveries')
    .where('notification_id', '=', notificationId)
    .where('id', 'not in', (rows) =>
      rows
        .selectFrom('deliveries')
        .select('id')
        .where('notification_id', '=', notificationId)
        .orderBy('sent_at', 'desc')
        .limit(DELIVERIES_KEPT),
    )
    .execute();
}
