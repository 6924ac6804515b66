// Machines that provisioners reach over WinRM and that attack the run: answers without end, XML that takes all time or
// memory, redirects that ask for credentials, text that is for the terminal.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Terminal } from '../terminal/terminal.ts';
import { ACCOUNT, PASSWORD } from '../winrm/winrm-server.ts';
import { challengeMessage } from '../winrm/ntlm-login.ts';
import { type Ended, Work } from './fixture.ts';
import { watchMemory } from './memory.ts';
import { flood } from './ssh-server.ts';

const SOAP = 'application/soap+xml;charset=UTF-8';
const STATE = 'http://schemas.microsoft.com/wbem/wsman/1/windows/shell/CommandState';
const SHELL = '<Selector Name="ShellId">S</Selector>';
const COMMAND = '<CommandId>C</CommandId>';

/** Answers a request of one kind; every other one is answered as it should be. */
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

interface Machine {
  readonly port: number;
  /** requests by what they ask for */
  readonly asked: string[];
  /** what requests brought to log in */
  readonly logins: string[];
}

const xml = (body: string, status = 200): Answer => {
  return (response) => {
    response
      .writeHead(status, { 'content-type': SOAP })
      .end(`<s:Envelope xmlns:s="s"><s:Body>${body}</s:Body></s:Envelope>`);
  };
};

const USUAL: Readonly<Record<string, Answer>> = {
  Create: xml(SHELL),
  Command: xml(COMMAND),
  Receive: xml(`<CommandState State="${STATE}/Done"><ExitCode>0</ExitCode></CommandState>`),
  Signal: xml('<x/>'),
  Delete: xml('<x/>'),
};

async function start(answers: Readonly<Record<string, Answer>>): Promise<Machine> {
  const asked: string[] = [];
  const logins: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    logins.push(request.headers.authorization ?? '');
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const action = /Action[^>]*>[^<]*?(\w+)<\//.exec(body)?.[1] ?? '';
      asked.push(action);
      (answers[action] ?? answers['any'] ?? USUAL[action] ?? xml(''))(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address.
  return { port: (server.address() as AddressInfo).port, asked, logins };
}

/** Enough for a request on a slow machine, in tests that wait for the time-out. */
const SHORT = '10s';

/** A resource that is provisioned on a server of this machine. By default, the time-out is never reached. */
const config = (
  port: number,
  more = '',
  timeout = '60s',
): string => `resource "terraform_data" "a" {
  connection {
    type     = "winrm"
    host     = "127.0.0.1"
    port     = ${port}
    user     = "${ACCOUNT.name}"
    password = ${JSON.stringify(PASSWORD)}
    timeout  = "${timeout}"
    ${more}
  }
  provisioner "remote-exec" {
    inline = ["true"]
  }
}
`;

/** How long a run may take on a machine that other tests occupy. */
const LIMIT_MS = 240_000;

interface Applied extends Ended {
  readonly peakKiB: number;
}

async function apply(text: string): Promise<Applied> {
  const work = new Work({ 'main.tf': text });
  let peak = (): number => 0;
  const ended = await work.run(['apply', '-auto-approve', '-no-color'], {
    started(child) {
      peak = watchMemory(child);
      const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
      child.once('close', () => clearTimeout(timer));
    },
  });
  return { ...ended, peakKiB: peak() };
}

const endless: Answer = (response) => {
  response.writeHead(200, { 'content-type': SOAP });
  flood(response, '<a>x');
};
const dripping: Answer = (response) => {
  response.writeHead(200, { 'content-type': SOAP });
  const timer = setInterval(() => response.write(' '), 100);
  response.once('close', () => clearInterval(timer));
};
const MIB = 1024 * 1024;

describe('a machine over WinRM', () => {
  it.each(['Create', 'Command', 'Receive'])(
    'whose answer to %s never ends is refused in bounded memory',
    async (action) => {
      const machine = await start({ [action]: endless });
      // Only the first request is repeated until the time-out.
      const timeout = action === 'Create' ? SHORT : undefined;
      const { code, stderr, peakKiB } = await apply(config(machine.port, '', timeout));
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain('the answer is longer than 1048576 bytes');
      expect(code).toBe(1);
      expect(peakKiB).toBeLessThan(300_000);
    },
  );

  it.each(['Create', 'Command'])(
    'whose response to %s never completes fails after the time-out',
    async (action) => {
      const machine = await start({ [action]: dripping });
      const { code } = await apply(config(machine.port, '', '3s'));
      expect(code).toBe(1);
    },
  );

  it.each([
    [
      'entities',
      `<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "${'&b;'.repeat(MIB / 5)}">]><a>&c;</a>`,
    ],
    ['elements in elements', '<a>'.repeat(MIB / 4)],
    ['texts in elements in elements', '<a>x'.repeat(MIB / 5)],
    ['angle brackets', '<'.repeat(MIB - 1000)],
    ['names', '<a'.repeat(MIB / 2 - 1000)],
    ['attributes', `<a ${'b="" '.repeat(MIB / 6)}`],
    ['spaces', `<a ${' '.repeat(MIB - 1000)}`],
    ['entities', '&#x110000;'.repeat(MIB / 11)],
  ])('that answers with endless %s is refused in bounded time', async (_, body) => {
    const machine = await start({ Receive: xml(body) });
    const { code, stderr, peakKiB } = await apply(config(machine.port));
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /not well-formed XML|nested more than 100 elements deep|has a document type/,
    );
    expect(code).toBe(1);
    expect(peakKiB).toBeLessThan(400_000);
  });

  it.each(['301', '302', '307', '308'])(
    'cannot send the password elsewhere by %s',
    async (status) => {
      const applied = async (more: string): Promise<void> => {
        const other = await start({});
        const machine = await start({
          any(response) {
            const location = `http://localhost:${other.port}/wsman`;
            response.writeHead(Number(status), { location, 'content-type': SOAP }).end();
          },
        });
        const { code } = await apply(config(machine.port, more, SHORT));
        expect(code).toBe(1);
        expect(machine.asked.length).toBeGreaterThan(0);
        expect(other.asked).toEqual([]);
      };
      await Promise.all([applied(''), applied('use_ntlm = true')]);
    },
  );

  it('that offers basic authentication gets no password of a user of NTLM', async () => {
    const machine = await start({
      any: (response) => {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="WSMAN"' }).end();
      },
    });
    const { code } = await apply(config(machine.port, 'use_ntlm = true', SHORT));
    expect(code).toBe(1);
    expect(new Set(machine.logins)).toEqual(new Set(['']));
  });

  it.each([
    ['garbage', Buffer.from('garbage')],
    ['lengths beyond its end', lying()],
    ['nothing', Buffer.alloc(0)],
  ])('whose challenge of NTLM is %s is refused', async (_, challenge) => {
    const machine = await start({
      any: (response, { headers }) => {
        const offer = headers.authorization === undefined ? '' : ` ${challenge.toString('base64')}`;
        response.writeHead(401, { 'www-authenticate': `Negotiate${offer}` }).end();
      },
    });
    const { code, stderr } = await apply(config(machine.port, 'use_ntlm = true', SHORT));
    expect(stderr).toContain('timeout - last error: ');
    expect(stderr).not.toContain('RangeError');
    expect(code).toBe(1);
  });

  it('cannot write to the terminal, and is quoted in short', async () => {
    const EVIL = 'safe\u001b[1A\u001b[2K\u009b2K\u202e\r';
    const reason = `${EVIL.replaceAll(/[\u001b\u009b\r]/g, (char) => `&#${char.charCodeAt(0)};`)}${'y'.repeat(500_000)}`;
    let asked = 0;
    const machine = await start({
      Receive: (response, request) => {
        if (asked++ === 0) {
          const data = Buffer.from(`${EVIL}\n`).toString('base64');
          xml(`<Stream Name="stdout">${data}</Stream>`)(response, request);
        } else xml(`<s:Fault><Reason>${reason}</Reason></s:Fault>`, 500)(response, request);
      },
    });
    // The upload of the script receives as well, so the script is run by the first command.
    const work = new Work({ 'main.tf': config(machine.port) });
    const terminal = await Terminal.start(['apply', '-auto-approve'], {
      cwd: work.path,
      columns: 200,
    });
    onTestFinished(() => terminal.close());
    expect(await terminal.ended()).toBe(1);
    expect(terminal.raw).toContain('safe');
    expect(terminal.raw).not.toContain('\u001b[2K');
    expect(terminal.raw).not.toMatch(/[\u0080-\u009f\u202e]|\r(?!\n|\u001b)/);
    expect(terminal.raw.length).toBeLessThan(60_000);
  });
});

/** A challenge whose fields end behind its end. */
function lying(): Buffer {
  const message = challengeMessage();
  message.writeUInt16LE(0xff_ff, 40);
  message.writeUInt32LE(0xff_ff_ff_f0, 44);
  return message;
}
