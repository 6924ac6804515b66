import type { Duplex } from 'node:stream';
import ssh2, {
  type AnyAuthMethod,
  type BaseAgent,
  type Client,
  type CompressionAlgorithm,
  type ConnectConfig,
} from 'ssh2';
import type { Login } from './connection-settings.ts';
import { type PinnedKey, pinnedKey } from './host-key.ts';
import { readPrivateKey } from './private-key.ts';

const KEEP_ALIVE_MS = 2_000;
/** The number of unanswered keep-alive requests after which a machine counts as unreachable: two minutes of them. */
const KEEP_ALIVE_LIMIT = 60;

/** Login settings with all keys parsed. */
export interface Credentials {
  readonly user: string;
  readonly pinned: PinnedKey | undefined;
  readonly agent: BaseAgent | undefined;
  /** authentication methods, in order */
  readonly methods: readonly AnyAuthMethod[];
}

/** Reads the keys of a login; throws for invalid ones. */
export function credentialsOf(login: Login, agent: BaseAgent | undefined): Credentials {
  const { user: username, password } = login;
  const methods: AnyAuthMethod[] = [];
  if (login.privateKey !== '') {
    if (login.certificate !== '') {
      throw new Error(
        'Logging in with a certificate is not supported yet. Remove "certificate" and let the machine accept the key itself, or add key and certificate to an SSH agent.',
      );
    }
    methods.push({ type: 'publickey', username, key: readPrivateKey(login.privateKey) });
  }
  if (password !== '') {
    methods.push({ type: 'password', username, password });
    methods.push({
      type: 'keyboard-interactive',
      username,
      prompt: (_name, _instructions, _language, prompts, finish) => {
        finish(prompts.map(() => password));
      },
    });
  }
  if (agent !== undefined) methods.push({ type: 'agent', username, agent });
  const pinned = login.hostKey === '' ? undefined : pinnedKey(login.hostKey);
  return { user: username, pinned, agent, methods };
}

/** Logs in over an open connection, which is closed when that fails. */
export async function handshake(
  socket: Duplex,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<Client> {
  const client = new ssh2.Client();
  const tried: string[] = [];
  let hasWrongHostKey = false;
  const { pinned, agent } = credentials;
  // A few compressed bytes could unpack to any number. Terraform offers no compression either.
  const compress: CompressionAlgorithm[] = ['none'];
  const options: ConnectConfig = {
    sock: socket,
    username: credentials.user,
    readyTimeout: 0,
    keepaliveInterval: KEEP_ALIVE_MS,
    keepaliveCountMax: KEEP_ALIVE_LIMIT,
    ...(agent === undefined ? {} : { agent }),
    authHandler: (remainingMethods, _isPartial, next) => {
      const method = nextMethod(credentials, tried, remainingMethods);
      if (method !== undefined) next(method);
      // The library's type omits the value that ends the authentication.
      else Reflect.apply(next, undefined, [false]);
    },
    algorithms: { compress, ...(pinned && { serverHostKey: pinned.algorithms }) },
    ...(pinned === undefined
      ? {}
      : {
          hostVerifier: (key: Buffer): boolean => {
            hasWrongHostKey = !key.equals(pinned.blob);
            return !hasWrongHostKey;
          },
        }),
  };
  return await new Promise((resolve, reject) => {
    const removeListener = (): void => signal.removeEventListener('abort', stop);
    const fail = (reason: string): void => {
      removeListener();
      socket.destroy();
      reject(new Error(`ssh: handshake failed: ${reason}`));
    };
    const stop = (): void => fail('interrupted');
    signal.addEventListener('abort', stop, { once: true });
    client.on('error', (error) => {
      // A key that the agent does not sign with: the next one is tried.
      if (error.level === 'agent') return;
      fail(hasWrongHostKey ? 'knownhosts: key mismatch' : problemOf(error, tried));
    });
    client.once('close', () => fail('EOF'));
    client.once('ready', () => {
      removeListener();
      resolve(client);
    });
    client.connect(options);
    if (signal.aborted) stop();
  });
}

/** Returns the next authentication method: each is tried once, and only if the machine accepts it. */
function nextMethod(
  { user, methods }: Credentials,
  tried: string[],
  remainingMethods: readonly string[] | null,
): AnyAuthMethod | undefined {
  if (remainingMethods === null) {
    tried.push('none');
    return { type: 'none', username: user };
  }
  const next = methods.find(
    (method) => remainingMethods.includes(nameOf(method)) && !tried.includes(nameOf(method)),
  );
  if (next !== undefined) tried.push(nameOf(next));
  return next;
}

/** The name by which servers know a method. */
function nameOf({ type }: AnyAuthMethod): string {
  return type === 'agent' ? 'publickey' : type;
}

function problemOf(
  error: Error & { level?: string; code?: unknown },
  tried: readonly string[],
): string {
  if (error.level === 'client-authentication' && tried.length > 0) {
    return `ssh: unable to authenticate, attempted methods [${tried.join(' ')}], no supported methods remain`;
  }
  if (typeof error.code === 'number') {
    return `ssh: disconnect, reason ${error.code}: ${error.message}`;
  }
  if (error.level === 'protocol' && error.message.includes('before handshake')) return 'EOF';
  if (error.code === 'ECONNRESET') return 'read: connection reset by peer';
  return error.message;
}
