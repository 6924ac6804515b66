// Machines that provisioners reach over SSH and that attack the run: they never answer, never end, answer with what was
// not asked for, show another key, or reach for what was not offered.
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Connection } from 'ssh2';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Terminal } from '../terminal/terminal.ts';
import { type Ended, Work } from './fixture.ts';
import { watchMemory } from './memory.ts';
import { flood, keyPair, startSsh } from './ssh-server.ts';

/** How long a run may take on a machine that other tests occupy. */
const LIMIT_MS = 240_000;
const INLINE = 'provisioner "remote-exec" {\n    inline = ["true"]\n  }';
const FILE = 'provisioner "file" {\n    content     = "x"\n    destination = "/tmp/never"\n  }';

/**
 * A resource that is provisioned on a server of this machine. By default, connection attempts have as much time as a slow
 * machine needs for a login.
 */
function config(port: number, provisioner = INLINE, connection = '', timeout = '60s'): string {
  return `resource "terraform_data" "a" {
  connection {
    host     = "127.0.0.1"
    port     = ${port}
    user     = "someone"
    password = "s3cret"
    timeout  = "${timeout}"
    ${connection}
  }
  ${provisioner}
}
`;
}

interface Applied extends Ended {
  readonly peakKiB: number;
}

/** Applies; a run that takes too long is killed, and has no exit code then. */
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
  // The object is known and tainted, and nothing is locked.
  if (ended.code === 1) {
    const { resources } = JSON.parse(work.read('terraform.tfstate')) as {
      resources: { instances: { status?: string }[] }[];
    };
    expect(resources[0]?.instances[0]?.status).toBe('tainted');
    expect(existsSync(work.at('.terraform.tfstate.lock.info'))).toBe(false);
  }
  return { ...ended, peakKiB: peak() };
}

/** A server that does not speak SSH. */
async function rawServer(conduct: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).resume();
    conduct(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A server that listens on a port has an address.
  return (server.address() as AddressInfo).port;
}

const MAX_KIB = 300_000;

describe('a machine over SSH', () => {
  it.each([
    ['says nothing', () => undefined],
    ['greets without end', (socket: Socket) => void flood(socket, 'x')],
    ['greets with endless lines', (socket: Socket) => void flood(socket, 'welcome\r\n')],
    [
      'greets a byte at a time',
      (socket: Socket) => {
        const timer = setInterval(() => socket.write('x'), 50);
        socket.once('close', () => clearInterval(timer));
      },
    ],
    [
      'sends endless packets after its greeting',
      (socket: Socket) => {
        socket.write('SSH-2.0-evil\r\n');
        flood(socket, '\u007f');
      },
    ],
    ['ends the connection at once', (socket: Socket) => void socket.destroy()],
  ])('that %s fails after the time-out', async (_, conduct) => {
    const { code, stderr, peakKiB } = await apply(
      config(await rawServer(conduct), INLINE, '', '3s'),
    );
    expect(stderr).toContain('timeout - last error: ');
    expect(code).toBe(1);
    expect(peakKiB).toBeLessThan(MAX_KIB);
  });

  it.each(['never answers a login', 'asks for passwords without end'])(
    'that %s fails after the time-out',
    async (what) => {
      const server = await startSsh({
        login(context) {
          if (what === 'asks for passwords without end') {
            if (context.method !== 'keyboard-interactive')
              return context.reject(['keyboard-interactive']);
            const ask = (): void => context.prompt('Password: ', ask);
            ask();
          }
        },
      });
      const { code, stderr, peakKiB } = await apply(config(server.port, INLINE, '', '3s'));
      expect(stderr).toContain('timeout - last error: ');
      expect(code).toBe(1);
      expect(peakKiB).toBeLessThan(MAX_KIB);
    },
  );

  it('that never responds to a command fails after the time-out', async () => {
    const server = await startSsh({ command: () => true });
    const { code, stderr } = await apply(config(server.port, INLINE, '', '10s'));
    expect(stderr).toContain('no answer to a command within 10s');
    expect(code).toBe(1);
  });

  it('that ends a session and then stops responding fails after the time-out', async () => {
    const server = await startSsh({
      connection(client, number) {
        if (number > 0) client.removeAllListeners('authentication');
      },
      login(context) {
        if (server.connections === 1) context.accept();
      },
      session(_session, client) {
        client.end();
        return true;
      },
    });
    const { code, stderr } = await apply(config(server.port, INLINE, '', '10s'));
    expect(stderr).toContain('remote-exec provisioner error');
    expect(code).toBe(1);
    expect(server.connections).toBe(2);
  });

  it('that breaks off a session and is silent afterwards does not outlive an interrupt', async () => {
    const server = await startSsh({
      login(context) {
        if (server.connections === 1) context.accept();
      },
      session(_session, client) {
        client.end();
        return true;
      },
    });
    const work = new Work({ 'main.tf': config(server.port, INLINE, '', '10m') });
    const { code } = await work.run(['apply', '-auto-approve', '-no-color'], {
      started(child) {
        const watch = setInterval(() => {
          if (server.connections < 2) return;
          clearInterval(watch);
          setTimeout(() => child.kill('SIGINT'), 300);
        }, 50);
        const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
        child.once('close', () => {
          clearInterval(watch);
          clearTimeout(timer);
        });
      },
    });
    expect(code).toBe(1);
  });

  it.each([
    ['an endless error', '\u0001', 'x'],
    ['endless consent', '\0', '\0'],
  ])('that answers a file with %s is refused in bounded memory', async (_, first, rest) => {
    let taken = (): number => 0;
    const server = await startSsh({
      command(command, accept) {
        if (!command.startsWith('scp ')) return false;
        const channel = accept();
        channel.on('error', () => undefined);
        channel.write(first);
        taken = flood(channel, rest);
        return true;
      },
    });
    const { code, stderr, peakKiB } = await apply(config(server.port, FILE));
    expect(stderr).toMatch(
      /Upload failed: (?:scp on the machine sent more than 65536 unexpected bytes|wait: remote command exited)/,
    );
    expect(stderr.length).toBeLessThan(10_000);
    expect(code).toBe(1);
    expect(peakKiB).toBeLessThan(MAX_KIB);
    expect(taken()).toBeLessThan(50_000_000);
  });

  it('cannot make an upload read or write files here', async () => {
    // A file that a malicious receiver would send to a sender: it is meant for this side.
    const server = await startSsh({
      command(command, accept) {
        if (!command.startsWith('scp ')) return false;
        const channel = accept();
        channel.write('C0644 5 ../planted\nhello\0');
        channel.on('data', () => undefined);
        return true;
      },
    });
    const work = new Work({ 'main.tf': config(server.port, FILE) });
    const { code } = await work.run(['apply', '-auto-approve', '-no-color']);
    expect(code).toBe(1);
    expect(existsSync(work.at('planted'))).toBe(false);
    expect(existsSync(join(work.path, '..', 'planted'))).toBe(false);
  });

  it('whose output never has a line end takes bounded memory', async () => {
    const LENGTH = 300_000_000;
    const server = await startSsh({
      command(command, accept) {
        if (
          !command.includes('terraform_') ||
          command.startsWith('scp') ||
          command.startsWith('chmod')
        )
          return false;
        const channel = accept();
        const taken = flood(channel, 'x');
        const watch = setInterval(() => {
          if (taken() < LENGTH) return;
          clearInterval(watch);
          channel.exit(0);
          channel.close();
        }, 20);
        channel.once('close', () => clearInterval(watch));
        return true;
      },
    });
    const work = new Work({ 'main.tf': config(server.port) });
    let peak = (): number => 0;
    const { code } = await work.run(['apply', '-auto-approve', '-no-color'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      started: (child) => (peak = watchMemory(child)),
    });
    expect(code).toBe(0);
    expect(peak()).toBeLessThan(400_000);
  });

  it('gets no password if it shows another key than the one that is known', async () => {
    const known = keyPair();
    const server = await startSsh();
    const { code, stderr } = await apply(
      config(server.port, INLINE, `host_key = ${JSON.stringify(known.public)}`, '10s'),
    );
    expect(stderr).toContain('knownhosts: key mismatch');
    expect(code).toBe(1);
    expect(server.seen).toEqual([]);
  });

  it('receives no password if its key changes on reconnection', async () => {
    const known = keyPair();
    const server = await startSsh(
      {
        session(_session, client) {
          client.end();
          return true;
        },
      },
      [known.private, keyPair().private],
    );
    const { code, stderr } = await apply(
      config(server.port, INLINE, `host_key = ${JSON.stringify(known.public)}`, '10s'),
    );
    expect(stderr).toContain('knownhosts: key mismatch');
    expect(code).toBe(1);
    expect(server.connections).toBe(2);
    expect(server.seen.filter((each) => each.startsWith('login'))).toEqual(['login none']);
  });

  it('cannot use an agent or a tunnel that it is not offered', async () => {
    let agents = 0;
    const agent = createServer((socket) => {
      agents++;
      socket.destroy();
    });
    const tunnels: string[] = [];
    const server = await startSsh({
      command(_command, _accept, client) {
        openAgent(client);
        client.forwardOut('127.0.0.1', 1, '127.0.0.1', server.port, (error) => {
          tunnels.push(error === undefined ? 'open' : 'refused');
        });
        return false;
      },
    });
    const work = new Work({ 'main.tf': config(server.port, INLINE, 'agent = false') });
    await new Promise<void>((resolve) => agent.listen(work.at('agent'), resolve));
    onTestFinished(() => void agent.close());
    const { code, stderr } = await work.run(['apply', '-auto-approve', '-no-color'], {
      env: { SSH_AUTH_SOCK: work.at('agent') },
    });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(server.seen).not.toContain('agent offered');
    expect(tunnels.length).toBeGreaterThan(0);
    expect(new Set(tunnels)).toEqual(new Set(['refused']));
    expect(agents).toBe(0);
  });

  it('cannot write to the terminal, and is quoted in short', async () => {
    const EVIL = 'safe\u001b[1A\u001b[2K\u009b2K\u202e\r';
    const server = await startSsh({
      command(command, accept) {
        if (command.startsWith('scp ') || command.startsWith('chmod ')) return false;
        const channel = accept();
        channel.write(`${EVIL}\n`);
        channel.stderr.write(`${EVIL}\n`);
        channel.exit('KILL', false, EVIL + 'y'.repeat(20_000));
        channel.end();
        return true;
      },
    });
    const work = new Work({ 'main.tf': config(server.port) });
    const terminal = await Terminal.start(['apply', '-auto-approve'], {
      cwd: work.path,
      columns: 200,
    });
    onTestFinished(() => terminal.close());
    expect(await terminal.ended()).toBe(1);
    expect(terminal.raw).toContain('safe');
    expect(terminal.raw).toContain('from signal KILL');
    expect(terminal.raw).not.toContain('\u001b[2K');
    expect(terminal.raw).not.toMatch(/[\u0080-\u009f\u202e]|\r(?!\n|\u001b)/);
    expect(terminal.raw.length).toBeLessThan(40_000);
  });
});

/** Requests the agent of the connected client, for which the library has a message but no method. */
function openAgent(client: Connection): void {
  const { _protocol: protocol } = client as unknown as {
    readonly _protocol: {
      openssh_authAgent(channel: number, window: number, packet: number): void;
    };
  };
  protocol.openssh_authAgent(99, 1024 * 1024, 32 * 1024);
}
