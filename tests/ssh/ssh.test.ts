// remote-exec and file against real OpenSSH servers, as Terraform does it.
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, connect, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { apply, applyByBoth, type Outcome, type Project, TERRANE } from './both-programs.ts';
import { freePort } from '../interop/free-port.ts';
import { hasServer, OpenSsh, type Server } from './openssh.ts';

test('an SSH server is available for tests in CI', () => {
  if (process.env['CI'] === 'true') expect(hasServer).toBe(true);
});

describe.skipIf(!hasServer)('over SSH', () => {
  let ssh: OpenSsh;
  let main: Server;
  let bastion: Server;
  let proxy: TcpServer;
  let proxyPort: number;
  const asked: string[] = [];

  beforeAll(async () => {
    ssh = new OpenSsh();
    ssh.key('ed25519');
    ssh.key('rsa', '-t', 'rsa', '-b', '2048', '-m', 'PEM');
    ssh.key('ecdsa', '-t', 'ecdsa', '-b', '384', '-m', 'PEM');
    ssh.key('stranger');
    ssh.key('encrypted', '-t', 'ed25519', '-N', 'secret');
    for (const [name, kind] of [
      ['pkcs8-rsa', 'rsa'],
      ['pkcs8-ed25519', 'ed25519'],
    ] as const) {
      const { privateKey } =
        kind === 'rsa'
          ? generateKeyPairSync('rsa', { modulusLength: 2048 })
          : generateKeyPairSync('ed25519');
      const path = join(ssh.folder, name);
      writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
      // ssh-keygen of Debian reads no Ed25519 key in this form: its public key is written by hand.
      const { x } = privateKey.export({ format: 'jwk' });
      const blob = Buffer.concat([
        Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20', 'latin1'),
        Buffer.from(x ?? '', 'base64url'),
      ]);
      const line =
        kind === 'rsa'
          ? execFileSync('ssh-keygen', ['-y', '-f', path], { encoding: 'utf8' })
          : `ssh-ed25519 ${blob.toString('base64')}`;
      writeFileSync(`${path}.pub`, line);
    }
    const known = ['ed25519', 'rsa', 'ecdsa', 'encrypted', 'pkcs8-rsa', 'pkcs8-ed25519'];
    main = await ssh.server(
      'main',
      known,
      'PasswordAuthentication yes',
      'KbdInteractiveAuthentication no',
    );
    bastion = await ssh.server('bastion', ['ed25519'], 'PasswordAuthentication no');
    // A proxy that tunnels with the right password only.
    proxy = createServer((socket) => {
      socket.once('data', (head: Buffer) => {
        const text = head.toString('latin1');
        asked.push(text);
        const port = Number(/^CONNECT 127\.0\.0\.1:(\d+) /.exec(text)?.[1]);
        const secret = Buffer.from('someone:secret').toString('base64');
        if (!text.includes(`Proxy-Authorization: Basic ${secret}`)) {
          socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
          return;
        }
        const tunnel = connect(port, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          socket.pipe(tunnel).pipe(socket);
        });
        tunnel.on('error', () => socket.destroy());
        socket.on('error', () => tunnel.destroy());
      });
    });
    proxyPort = await freePort();
    await new Promise<void>((done) => proxy.listen(proxyPort, '127.0.0.1', done));
  });

  afterAll(() => {
    proxy?.close();
    ssh?.end();
  });

  /** A resource with a connection and provisioners. */
  function config(connection: string, provisioners: string): string {
    return `variable "target" {}
resource "terraform_data" "x" {
  input = "the input"
  connection {
    host = "127.0.0.1"
    port = ${main.port}
    user = "${ssh.user}"
    ${connection}
  }
${provisioners}
}
`;
  }

  /** By a key, and without an agent unless the test says otherwise. */
  function keyed(name: string, more = ''): string {
    return `private_key = file("${join(ssh.folder, name)}")
    agent = false
    ${more}`;
  }

  const TOUCH = `  provisioner "remote-exec" {
    inline = ["echo done > \${var.target}/done"]
  }`;
  const DONE = { done: '644 done\n' };

  /** Applies by both programs, which must do and say the same. */
  async function applied(project: Project): Promise<Outcome> {
    const [ours, theirs] = await applyByBoth(project);
    // Terraform does not wait until what a script said last is shown: it may come among what comes next.
    const steady = (outcome: Outcome): Outcome => ({ ...outcome, shown: outcome.shown.toSorted() });
    if (theirs !== undefined) expect(steady(ours)).toEqual(steady(theirs));
    return ours;
  }

  it('scripts of every kind run, and their output is printed', async () => {
    const {
      code,
      shown,
      left: written,
      problems,
    } = await applied({
      files: {
        'one.sh': '#!/bin/sh\necho one > "$TARGET_OF_TEST"\n'.replace('$TARGET_OF_TEST', '$0.out'),
        'two.sh': 'echo "two: $0"\n',
        'three.sh': '#!/usr/bin/env bash\nset -u\necho three >&2\n',
      },
      config: config(
        keyed('ed25519'),
        `  provisioner "remote-exec" {
    inline = [
      "echo 'hello \${self.output}'",
      "echo to standard error >&2",
      "echo; echo 'Grüße, 世界'",
      "echo ran > \${var.target}/inline",
      "tty > /dev/null && echo a terminal",
      "printf 'no end of line'",
    ]
  }
  provisioner "remote-exec" {
    script = "two.sh"
  }
  provisioner "remote-exec" {
    scripts = ["\${path.module}/two.sh", "three.sh"]
    connection {
      host        = "127.0.0.1"
      script_path = "\${var.target}/script-%RAND%"
    }
  }`,
      ).replaceAll('script-%RAND%', 'script'),
    });
    expect(problems).toBe('');
    expect(code).toBe(0);
    expect(shown).toContain('terraform_data.x (remote-exec): Connected!');
    expect(shown).toContain('terraform_data.x (remote-exec): hello the input');
    expect(shown).toContain('terraform_data.x (remote-exec): Grüße, 世界');
    expect(shown).toContain('terraform_data.x (remote-exec): a terminal');
    expect(shown).toContain('terraform_data.x (remote-exec): no end of line');
    expect(shown).toContain('terraform_data.x (remote-exec): three');
    expect(written).toEqual({ inline: '644 ran\n', script: '777 ' });
  });

  it('files, texts and directories are uploaded to their destination', async () => {
    const {
      code,
      left: written,
      problems,
    } = await applied({
      files: {
        'a.txt': 'a\n',
        'large.txt': 'x'.repeat(300_000),
        'dir/b.txt': 'b\n',
        'dir/sub/c.txt': '',
        'dir/sub/deep/name with spaces': "it's d\n",
      },
      config: config(
        keyed('ed25519'),
        `  provisioner "remote-exec" {
    inline = ["mkdir -p '\${var.target}/there' '\${var.target}/contents' \\"\${var.target}/it's here\\""]
  }
${[
  ['source = "a.txt"', 'a-copy.txt'],
  ['source = "large.txt"', 'large.txt'],
  ['source = "${path.module}/dir/b.txt"', "it's here/b ~ $HOME.txt"],
  ['content = "text of \\u00e9\\n"', 'text'],
  ['content = ""', 'empty'],
  ['source = "dir"', 'there'],
  ['source = "dir/"', 'contents'],
  ['source = "dir"', 'renamed'],
]
  .map(
    ([what, where]) => `  provisioner "file" {
    ${what}
    destination = "\${var.target}/${where}"
  }`,
  )
  .join('\n')}`,
      ),
    });
    expect(problems).toBe('');
    expect(code).toBe(0);
    expect(written).toMatchObject({
      'a-copy.txt': '644 a\n',
      'large.txt': `644 ${'x'.repeat(300_000)}`,
      "it's here/b ~ $HOME.txt": '644 b\n',
      text: '644 text of é\n',
      empty: '644 ',
      'there/dir/sub/deep/name with spaces': "644 it's d\n",
    });
    expect(Object.keys(written)).toEqual(
      expect.arrayContaining(['renamed/b.txt', 'contents/sub/c.txt']),
    );
  });

  it.each([['rsa'], ['ecdsa'], ['pkcs8-rsa'], ['pkcs8-ed25519']])(
    'a key of the kind %s lets in',
    async (name) => {
      const { left: written, problems } = await applied({ config: config(keyed(name), TOUCH) });
      expect(problems).toBe('');
      expect(written).toEqual(DONE);
    },
  );

  it('an encrypted key is an error immediately', async () => {
    const { code, problems } = await applied({ config: config(keyed('encrypted'), TOUCH) });
    expect(code).toBe(1);
    expect(problems).toContain(
      'Failed to parse ssh private key: ssh: this private key is passphrase protected',
    );
  });

  it('the known key of the host is accepted', async () => {
    const right = await applied({
      config: config(keyed('ed25519', `host_key = "${main.hostKey}"`), TOUCH),
    });
    expect(right.problems).toBe('');
    expect(right.shown).toContain('terraform_data.x (remote-exec):   Checking Host Key: true');
    expect(right.left).toEqual(DONE);
  });

  it.concurrent('another key of the host is an error after the time-out', async () => {
    const wrong = await applied({
      config: config(keyed('ed25519', `host_key = "${bastion.hostKey}"\ntimeout = "15s"`), TOUCH),
    });
    expect(wrong.code).toBe(1);
    expect(wrong.problems).toContain('knownhosts: key mismatch');
    expect(wrong.left).toEqual({});
  });

  it.concurrent.each([
    ['a key that the server does not know', (): string => keyed('stranger'), 'none publickey'],
    ['a wrong password', (): string => 'password = "wrong"\nagent = false', 'none password'],
    ['nothing to log in with', (): string => 'agent = false', 'none'],
  ])('%s is an error after the time-out', async (_name, login, methods) => {
    const { code, problems } = await applied({
      config: config(`${login()}\ntimeout = "15s"`, TOUCH),
    });
    expect(code).toBe(1);
    expect(problems).toContain(
      `timeout - last error: SSH authentication failed (${ssh.user}@127.0.0.1:${main.port}): ssh: handshake failed: ssh: unable to authenticate, attempted methods [${methods}], no supported methods remain`,
    );
    expect(problems).not.toContain('wrong');
  });

  it.each([['password'], ['keyboard-interactive']] as const)(
    'the right password lets in by the method %s',
    async (method) => {
      // A server of its own: OpenSSH asks the system, which knows no password of this user.
      const hostKeys = [readFileSync(ssh.key('main-host'))];
      const server = new ssh2.Server({ hostKeys }, (client) => {
        client.on('error', () => {});
        client.on('authentication', (login) => {
          if (login.method !== method) login.reject([method]);
          else if (login.method === 'password') {
            if (login.password === 'right') login.accept();
            else login.reject([method]);
          } else if (login.method === 'keyboard-interactive') {
            login.prompt([{ prompt: 'Password: ', echo: false }], (answers) => {
              if (answers[0] === 'right') login.accept();
              else login.reject([method]);
            });
          }
        });
        client.on('session', (accept) => {
          accept().on('exec', (take) => {
            const channel = take();
            channel.exit(127);
            channel.end();
          });
        });
      });
      const port = await freePort();
      await new Promise<void>((done) => server.listen(port, '127.0.0.1', () => done()));
      try {
        const { shown, problems } = await applied({
          config: config('password = "right"\nagent = false\ntimeout = "60s"', TOUCH).replace(
            `port = ${main.port}`,
            `port = ${port}`,
          ),
        });
        expect(shown).toContain('terraform_data.x (remote-exec): Connected!');
        expect(problems).toContain('Failed to upload script: SCP failed to start.');
      } finally {
        server.close();
      }
    },
  );

  it('commands that fail are reported; later ones do not run, or run with on_failure', async () => {
    const failed = await applied({
      config: config(
        keyed('ed25519'),
        `  provisioner "remote-exec" {
    inline = ["echo before", "exit 3"]
  }
${TOUCH}`,
      ),
    });
    expect(failed.code).toBe(1);
    expect(failed.problems).toContain(
      'error executing "/tmp/terraform_RAND.sh": Process exited with status 3',
    );
    expect(failed.left).toEqual({});
    const killed = await applied({
      config: config(
        keyed('ed25519'),
        `  provisioner "remote-exec" {
    inline     = ["kill -TERM $$"]
    on_failure = continue
  }
${TOUCH}`,
      ),
    });
    expect(killed.code).toBe(0);
    expect(killed.left).toEqual(DONE);
    const signal = await applied({
      config: config(
        keyed('ed25519'),
        '  provisioner "remote-exec" {\n    inline = ["kill -TERM $$"]\n  }',
      ),
    });
    expect(signal.problems).toContain('Process exited with status 143 from signal TERM');
  });

  it.each([
    ['a destination in no directory', 'content = "x"', '/none/such/file'],
    ['a source that is not there', 'source = "none"', '/x'],
    ['a directory into a file', 'source = "dir"', '/../project/main.tf'],
  ])('%s is an error of file', async (_name, what, where) => {
    const { code, problems } = await applied({
      files: { 'dir/a': 'a' },
      config: config(
        keyed('ed25519'),
        `  provisioner "file" {
    ${what}
    destination = "\${var.target}${where}"
  }`,
      ),
    });
    expect(code).toBe(1);
    expect(problems).toContain('file provisioner error');
  });

  it('an empty script is an error', async () => {
    const { problems } = await applied({
      config: config(keyed('ed25519'), '  provisioner "remote-exec" {\n    inline = []\n  }'),
    });
    expect(problems).toContain('Failed to upload script: Error reading script: EOF');
  });

  it('sensitive values hide the output', async () => {
    const { shown } = await applied({
      config: config(
        keyed('ed25519'),
        `  provisioner "remote-exec" {
    inline = ["echo \${sensitive("hush")}"]
  }`,
      ),
    });
    expect(shown.join('\n')).not.toContain('hush');
    expect(shown).toContain(
      'terraform_data.x (remote-exec): (output suppressed due to sensitive value in config)',
    );
  });

  it.each([
    [
      'a command',
      'inline = ["echo begun", "sleep 60"]',
      '(remote-exec): begun',
      'wait: remote command exited without exit status or exit signal',
    ],
    ['attempts to connect', 'inline = ["true"]', 'Target Platform', 'interrupted - last error: '],
  ])('an interrupt ends %s', async (what, script, interruptAt, expected) => {
    const provisioner = `  provisioner "remote-exec" {\n    ${script}\n  }`;
    const text = config(keyed('ed25519'), provisioner);
    const [ours, theirs] = await applyByBoth({
      interruptAt,
      config: what === 'a command' ? text : text.replace(`port = ${main.port}`, 'port = 1'),
    });
    for (const { code, problems } of theirs === undefined ? [ours] : [ours, theirs]) {
      expect(code).toBe(1);
      expect(problems).toContain(expected);
    }
  });

  it.concurrent('a bastion connects to the machine, or its error is reported', async () => {
    const through = `bastion_host = "127.0.0.1"\nbastion_port = ${bastion.port}`;
    const led = await applied({ config: config(keyed('ed25519', through), TOUCH) });
    expect(led.problems).toBe('');
    expect(led.left).toEqual(DONE);
    expect(led.shown).toContain('terraform_data.x (remote-exec): Using configured bastion host...');
    const refused = await applied({
      config: config(keyed('rsa', `${through}\ntimeout = "15s"`), TOUCH),
    });
    expect(refused.problems).toContain(
      'timeout - last error: Error connecting to bastion: ssh: handshake failed: ssh: unable to authenticate, attempted methods [none publickey], no supported methods remain',
    );
    const nobody = await freePort();
    const beyond = await applied({
      config: config(keyed('ed25519', `${through}\ntimeout = "15s"`), TOUCH).replace(
        `port = ${main.port}`,
        `port = ${nobody}`,
      ),
    });
    expect(beyond.problems).toContain(
      'timeout - last error: ssh: rejected: connect failed (Connection refused)',
    );
  });

  it.concurrent('a bastion must have the key that bastion_host_key names', async () => {
    const through = (key: string, timeout: string): string =>
      keyed(
        'ed25519',
        `bastion_host = "127.0.0.1"
bastion_port     = ${bastion.port}
bastion_host_key = "${key}"
host_key         = "${main.hostKey}"
timeout          = "${timeout}"`,
      );
    // Terraform 1.11 asks the bastion for the machine's key, so only Terrane is asked.
    const right = await apply(TERRANE, { config: config(through(bastion.hostKey, '60s'), TOUCH) });
    expect(right.problems).toBe('');
    expect(right.left).toEqual(DONE);
    const wrong = await apply(TERRANE, {
      config: config(through(main.hostKey, '15s'), TOUCH),
    });
    expect(wrong.problems).toContain(
      'Error connecting to bastion: ssh: handshake failed: knownhosts: key mismatch',
    );
  });

  it.concurrent('a proxy leads to the machine, with the right password only', async () => {
    const through = (password: string, timeout: string): string =>
      keyed(
        'ed25519',
        `proxy_host = "127.0.0.1"
proxy_port          = ${proxyPort}
proxy_user_name     = "someone"
proxy_user_password = "${password}"
timeout             = "${timeout}"`,
      );
    const led = await applied({ config: config(through('secret', '60s'), TOUCH) });
    expect(led.problems).toBe('');
    expect(led.left).toEqual(DONE);
    expect(asked.join('')).toContain(`CONNECT 127.0.0.1:${main.port} HTTP/1.1\r\n`);
    const refused = await applied({ config: config(through('other', '15s'), TOUCH) });
    expect(refused.problems).toContain('timeout - last error: Connection Error: StatusCode: 407');
  });

  it.concurrent('the listening program need not be an SSH server', async () => {
    const { problems } = await applied({
      config: config(keyed('ed25519', 'timeout = "15s"'), TOUCH).replace(
        `port = ${main.port}`,
        `port = ${proxyPort}`,
      ),
    });
    expect(problems).toContain('ssh: handshake failed: ');
  });

  it('the known key is requested from a server with keys of two types', async () => {
    ssh.key('second-rsa', '-t', 'rsa', '-b', '2048');
    const both = await ssh.server('both', ['ed25519'], `HostKey ${join(ssh.folder, 'second-rsa')}`);
    for (const known of [both.hostKey, ssh.publicKey('second-rsa')]) {
      const ours = await apply(TERRANE, {
        config: config(keyed('ed25519', `host_key = "${known}"\ntimeout = "60s"`), TOUCH).replace(
          `port = ${main.port}`,
          `port = ${both.port}`,
        ),
      });
      expect(ours.problems).toBe('');
      expect(ours.left).toEqual(DONE);
    }
  });

  it('the agent authenticates with the configured key first, and is forwarded', async () => {
    const socket = await ssh.agent('stranger', 'ed25519');
    const {
      problems,
      shown,
      left: written,
    } = await applied({
      env: { SSH_AUTH_SOCK: socket },
      config: config(
        'agent_identity = "ed25519"',
        `  provisioner "remote-exec" {
    inline = ["ssh-add -l | wc -l > \${var.target}/done"]
  }`,
      ),
    });
    expect(problems).toBe('');
    expect(shown).toContain('terraform_data.x (remote-exec):   SSH Agent: true');
    expect(written).toEqual({ done: '644 2\n' });
  });
});
