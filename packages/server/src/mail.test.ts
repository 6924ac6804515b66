// E-mail notifications, with a mail server on this machine.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server as NetServer } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailUrlProblem, openMailer } from './services/mailer.ts';
import { notify } from './services/notifications.ts';
import { testServer, type TestServer } from './testing.ts';

/** An e-mail that the server received. */
interface Received {
  readonly to: readonly string[];
  readonly content: string;
}

const received: Received[] = [];
let mailServer: NetServer;
let test: TestServer;
let workspace: string;

/** A mail server of the few commands that clients need; it rejects `full@example.com`. */
function startMailServer(): NetServer {
  return createServer((socket) => {
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    let to: string[] = [];
    let content: string[] | undefined;
    socket.on('error', () => undefined);
    say('220 mail.test');
    createInterface({ input: socket }).on('line', (line) => {
      if (content !== undefined) {
        if (line !== '.') {
          content.push(line.replace(/^\.\./, '.'));
          return;
        }
        received.push({ to, content: content.join('\n') });
        [to, content] = [[], undefined];
        say('250 accepted');
      } else if (line.startsWith('RCPT')) {
        const address = /<(.*)>/.exec(line)?.[1] ?? '';
        if (address.startsWith('full@')) return say('452 mailbox full');
        to.push(address);
        say('250 ok');
      } else if (line.startsWith('DATA')) {
        content = [];
        say('354 go on');
      } else if (line.startsWith('QUIT')) {
        say('221 bye');
        socket.end();
      } else say('250 ok');
    });
  });
}

const resource = (type: string, attributes: object, relationships: object = {}) => ({
  data: { type, attributes, relationships },
});

beforeAll(async () => {
  mailServer = startMailServer().listen(0, '127.0.0.1');
  await once(mailServer, 'listening');
  const { port } = mailServer.address() as AddressInfo; // A server of TCP has an address with a port.
  test = await testServer({
    sendMail: await openMailer({
      url: `smtp://127.0.0.1:${port}`,
      password: '',
      from: 'Runs <runs@example.com>',
    }),
  });
  const body = resource('workspaces', { name: 'mailed' });
  const created = await test.call('POST', '/api/v2/organizations/acme/workspaces', body);
  workspace = created.json.data.id;
});
afterAll(async () => {
  mailServer.close();
  await test[Symbol.asyncDispose]();
});

async function invite(email: string): Promise<{ readonly user: string; readonly id: string }> {
  const { json } = await test.call(
    'POST',
    '/api/v2/organizations/acme/organization-memberships',
    resource('organization-memberships', { email }),
  );
  const user: string = json.data.relationships.user.data.id;
  await test.server.services.db
    .updateTable('memberships')
    .set({ status: 'active' })
    .where('user_id', '=', user)
    .execute();
  return { user, id: json.data.id };
}

async function addToTeam(user: string, access: 'read' | undefined): Promise<void> {
  const team = await test.call(
    'POST',
    '/api/v2/organizations/acme/teams',
    resource('teams', { name: `team-${user}` }),
  );
  const { id } = team.json.data;
  await test.call('POST', `/api/v2/teams/${id}/relationships/organization-memberships`, {
    data: await memberships(user),
  });
  if (access === undefined) return;
  await test.call(
    'POST',
    '/api/v2/team-workspaces',
    resource(
      'team-workspaces',
      { access },
      {
        team: { data: { type: 'teams', id } },
        workspace: { data: { type: 'workspaces', id: workspace } },
      },
    ),
  );
}

async function memberships(user: string) {
  const rows = await test.server.services.db
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', user)
    .execute();
  return rows.map(({ id }) => ({ type: 'organization-memberships', id }));
}

async function configure(users: readonly string[], attributes: object = {}) {
  return await test.call(
    'POST',
    `/api/v2/workspaces/${workspace}/notification-configurations`,
    resource(
      'notification-configurations',
      {
        name: 'mail',
        enabled: true,
        'destination-type': 'email',
        triggers: ['run:errored'],
        ...attributes,
      },
      { users: { data: users.map((id) => ({ type: 'users', id })) } },
    ),
  );
}

const event = (text: string) => ({
  trigger: 'run:errored',
  key: text,
  payload: {},
  message: { title: 'Run Errored', text, link: 'https://server.test/app/acme' },
});

describe('e-mail notifications', () => {
  it('are sent to users who may read the runs of the workspace, one e-mail each', async () => {
    const [reader, outsider] = [await invite('grace@example.com'), await invite('eve@example.com')];
    await addToTeam(reader.user, 'read');
    await addToTeam(outsider.user, undefined);
    const { json, status } = await configure([reader.user, outsider.user]);
    expect([status, json.data.attributes.url]).toEqual([201, null]);
    const text = 'acme/mailed: Ping\r\nBcc: other@example.com\u001b[31m';
    await notify(test.server.services, workspace, event(text));
    await test.server.workOnce();
    expect(received.map(({ to }) => to)).toEqual([['grace@example.com']]);
    const [head = '', body = ''] = (received[0]?.content ?? '').split('\n\n');
    expect(head).toContain('Subject: Run Errored: acme/mailed: Ping Bcc: other@example.com [31m');
    expect(head).not.toMatch(/^Bcc:/m);
    expect(head).toContain('From: Runs <runs@example.com>');
    expect(body).toContain('Run Errored');
    expect(received[0]?.content).toContain('https://server.test/app/acme');
    received.length = 0;
    await test.call('DELETE', `/api/v2/organization-memberships/${reader.id}`);
    await notify(test.server.services, workspace, event('again'));
    await test.server.workOnce();
    expect(received).toEqual([]);
  });

  it('are tried again for the recipient whose mailbox did not accept them', async () => {
    const [full, other] = [await invite('full@example.com'), await invite('joan@example.com')];
    await addToTeam(full.user, 'read');
    await addToTeam(other.user, 'read');
    await configure([full.user, other.user], { name: 'second' });
    await notify(test.server.services, workspace, event('third'));
    await test.server.workOnce();
    const waiting = await test.server.services.db
      .selectFrom('tasks')
      .select(['key', 'status', 'error'])
      .where('kind', '=', 'notification')
      .execute();
    expect(received.map(({ to }) => to)).toEqual([['joan@example.com']]);
    expect(waiting).toMatchObject([{ status: 'waiting' }]);
    expect(waiting[0]?.key).toContain(full.user);
    expect(waiting[0]?.error).toContain('mailbox full');
  });

  it('have no recipients after a change that names none, as in HCP Terraform', async () => {
    const { user } = await invite('removed@example.com');
    const { json } = await configure([user], { enabled: false });
    const path = `/api/v2/notification-configurations/${json.data.id}`;
    const change = async (relationships: object) =>
      (
        await test.call('PATCH', path, {
          data: {
            type: 'notification-configurations',
            attributes: { name: 'other' },
            relationships,
          },
        })
      ).json.data.relationships.users.data;
    const users = { data: [{ type: 'users', id: user }] };
    expect(await change({ users })).toEqual(users.data);
    expect(await change({})).toEqual([]);
  });

  it('name members of the organization only, and no addresses', async () => {
    expect((await configure(['user-unknown'])).status).toBe(404);
    const addresses = await configure([], { 'email-addresses': ['x@example.com'] });
    expect([addresses.status, addresses.json.errors[0].detail]).toEqual([
      422,
      'Email addresses are not supported: name users of the organization',
    ]);
  });
});

describe('the URL of a mail server', () => {
  it('has no password, which command lines show', () => {
    expect(mailUrlProblem('smtps://ada:secret@mail.example.com')).toContain(
      'TERRANE_SMTP_PASSWORD',
    );
    expect(mailUrlProblem('https://mail.example.com')).toContain('smtps://');
    expect(mailUrlProblem('smtps://ada@mail.example.com:465')).toBeUndefined();
  });
});
