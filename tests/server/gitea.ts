// A Gitea for a test, on loopback, empty and gone afterwards. `scripts/install-gitea.sh` builds it.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../interop/free-port.ts';
import { startPostgresql } from '../interop/postgresql.ts';

const run = promisify(execFile);
/** the version in scripts/install-gitea.sh */
const VERSION = '1.26.0';
const CACHE = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
const INSTALLED = join(CACHE, 'terrane-servers', `gitea-${VERSION}`);

// oxlint-disable-next-line typescript/no-explicit-any -- tests navigate documents whose form they assert
type Json = any;

/** A running Gitea. */
export interface Gitea extends AsyncDisposable {
  readonly url: string;
  /** the token of the administrator `ada` */
  readonly token: string;
  /** Sends a request to the API, as `ada` or with the token of another user. Rejects for a response that is no success. */
  call(method: string, path: string, body?: object, as?: string): Promise<Json>;
  /** Creates another user, and returns a token. */
  createUser(name: string): Promise<string>;
  /** Commits a file on a branch; replaces an existing one. Returns the commit. */
  commit(file: GiteaFile, as?: string): Promise<string>;
}

/** A file to commit. */
export interface GiteaFile {
  readonly repository: string;
  readonly branch: string;
  readonly path: string;
  readonly text: string;
  readonly message: string;
}

/** The password of users. */
export const PASSWORD = 'a-password-1';

/** Gitea refuses to run as root: root runs it as the user of PostgreSQL, whose program root may not be either. */
function asUser(program: string, args: readonly string[]): [string, string[]] {
  return process.getuid?.() === 0
    ? ['runuser', ['-u', 'postgres', '--', program, ...args]]
    : [program, [...args]];
}

/** Starts Gitea with a database, without anything in it but the administrator `ada`. */
export async function startGitea(): Promise<Gitea> {
  const database = await startPostgresql();
  const folder = await mkdtemp(join(tmpdir(), 'gitea-'));
  const port = await freePort();
  const program = join(folder, 'gitea');
  await run('cp', ['-r', `${INSTALLED}/.`, folder]);
  await mkdir(join(folder, 'work'));
  await writeFile(
    join(folder, 'app.ini'),
    `RUN_USER = ${process.getuid?.() === 0 ? 'postgres' : userInfo().username}
RUN_MODE = prod
WORK_PATH = ${join(folder, 'work')}
[server]
PROTOCOL = http
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${port}
ROOT_URL = http://127.0.0.1:${port}/
STATIC_ROOT_PATH = ${folder}
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = postgres
HOST = 127.0.0.1:${database.port}
NAME = postgres
USER = postgres
SSL_MODE = disable
[security]
INSTALL_LOCK = true
SECRET_KEY = a-secret-of-a-test
INTERNAL_TOKEN = eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJuYmYiOjE3MDAwMDAwMDB9.0QYBCHn4wHtJjHF3aWUwWl2WgHLNcAbzPPvqkIbDo1A
[oauth2]
JWT_SECRET = aVeryLongSecretOfATestThatHas43Charactersxx
[webhook]
ALLOWED_HOST_LIST = loopback
SKIP_TLS_VERIFY = true
[log]
LEVEL = warn
[queue]
TYPE = channel
[indexer]
ISSUE_INDEXER_TYPE = db
[cron.update_checker]
ENABLED = false
[service]
DISABLE_REGISTRATION = true
`,
  );
  chmodSync(folder, 0o755);
  if (process.getuid?.() === 0) await run('chown', ['-R', 'postgres', folder]);
  const base = ['--config', join(folder, 'app.ini'), '--work-path', join(folder, 'work')];
  const environment = { PATH: process.env['PATH'], HOME: join(folder, 'work') };
  const admin = async (...args: readonly string[]): Promise<string> => {
    const [command, parameters] = asUser(program, [...args.slice(0, 2), ...base, ...args.slice(2)]);
    return (await run(command, parameters, { env: environment, cwd: folder })).stdout;
  };
  const [command, parameters] = asUser(program, ['web', ...base]);
  const child: ChildProcess = spawn(command, parameters, {
    env: environment,
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  const end = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) {
      const ended = once(child, 'exit');
      process.kill(-child.pid, 'SIGKILL');
      await ended;
    }
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (let tries = 0; ; tries++) {
      const isReady = await fetch(`${url}/api/v1/version`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isReady) break;
      if (tries > 2_400 || child.exitCode !== null)
        throw new Error(`Gitea did not start: ${output}`);
      await sleep(100);
    }
    const createUser = async (name: string, ...flags: readonly string[]): Promise<string> => {
      const user = ['--username', name, '--password', PASSWORD, '--email', `${name}@example.com`];
      await admin('admin', 'user', 'create', '--must-change-password=false', ...flags, ...user);
      const printed = await admin(
        'admin',
        'user',
        'generate-access-token',
        ...['--username', name, '--scopes', 'all', '--raw'],
      );
      return printed.trim().split('\n').at(-1) ?? '';
    };
    const token = await createUser('ada', '--admin');
    const call: Gitea['call'] = async (method, path, body, as = token) => {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `token ${as}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    };
    return {
      url,
      token,
      call,
      createUser,
      async commit({ repository, branch, path, text, message }, as = token) {
        const content = Buffer.from(text).toString('base64');
        const at = `/repos/${repository}/contents/${path}`;
        const existing = await call('GET', `${at}?ref=${branch}`, undefined, as).catch(
          () => undefined,
        );
        const body = { content, message, branch, ...(existing && { sha: existing.sha }) };
        return (await call(existing ? 'PUT' : 'POST', at, body, as)).commit.sha;
      },
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
