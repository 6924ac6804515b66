// OpenSSH on this machine: servers, keys and an agent for one test file, with nothing of the user's.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../interop/free-port.ts';

const SSHD = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'].find((path) =>
  existsSync(path),
);

/** True if an SSH server is installed; with CI=true its absence is a failure. */
export const hasServer: boolean = SSHD !== undefined;

/** A server on a free port of the loopback address. */
export interface Server {
  readonly port: number;
  /** its public key, as `host_key` takes it */
  readonly hostKey: string;
  readonly log: string;
}

/** Everything that was started and made; `end` ends and removes it. */
export class OpenSsh {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'terrane-ssh-'));
  readonly user: string = userInfo().username;
  readonly #started: ChildProcess[] = [];

  /** Generates a key pair and returns the path of the private key. */
  key(name: string, ...options: readonly string[]): string {
    const path = join(this.folder, name);
    if (!existsSync(path)) {
      const kind = options.length === 0 ? ['-t', 'ed25519'] : options;
      const secret = kind.includes('-N') ? [] : ['-N', ''];
      execFileSync('ssh-keygen', ['-q', '-C', name, '-f', path, ...secret, ...kind]);
    }
    return path;
  }

  publicKey(name: string): string {
    return readFileSync(join(this.folder, `${name}.pub`), 'utf8').trim();
  }

  /** Starts a server that lets the owners of some keys in. */
  async server(name: string, authorized: readonly string[], ...lines: string[]): Promise<Server> {
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
    this.key(`${name}-host`);
    const port = await freePort();
    const keys = join(this.folder, `${name}-authorized`);
    writeFileSync(keys, authorized.map((key) => `${this.publicKey(key)}\n`).join(''), {
      mode: 0o600,
    });
    // Shells would read what the user's own start-up files say, which may print, and be slow.
    const home = join(this.folder, 'home');
    mkdirSync(home, { recursive: true });
    const settings = join(this.folder, `${name}.conf`);
    const log = join(this.folder, `${name}.log`);
    writeFileSync(
      settings,
      [
        `Port ${port}`,
        'ListenAddress 127.0.0.1',
        `HostKey ${join(this.folder, `${name}-host`)}`,
        'PidFile none',
        `AuthorizedKeysFile ${keys}`,
        `SetEnv HOME=${home}`,
        'StrictModes no',
        'UsePAM no',
        'PermitRootLogin yes',
        'PrintMotd no',
        'PrintLastLog no',
        // However slow the machine is, nobody is turned away.
        'MaxStartups 1000',
        'LoginGraceTime 0',
        ...lines,
        '',
      ].join('\n'),
    );
    this.#started.push(spawn(SSHD ?? '', ['-D', '-f', settings, '-E', log], { stdio: 'ignore' }));
    await listening(port);
    return { port, hostKey: this.publicKey(`${name}-host`), log };
  }

  /** Starts an agent with some keys; the path of its socket. */
  async agent(...keys: readonly string[]): Promise<string> {
    const socket = join(this.folder, 'agent');
    this.#started.push(spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' }));
    while (!existsSync(socket)) await new Promise((done) => setTimeout(done, 20));
    for (const key of keys) {
      execFileSync('ssh-add', ['-q', this.key(key)], {
        env: { ...process.env, SSH_AUTH_SOCK: socket },
      });
    }
    return socket;
  }

  end(): void {
    for (const child of this.#started) child.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 3000; tries++) {
    const isThere = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        done(true);
      });
      socket.once('error', () => done(false));
    });
    if (isThere) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`no server came up on port ${port}`);
}
