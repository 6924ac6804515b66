import { type Host, pathsOf } from '@terrane/host';
import ssh2, {
  type GetStreamCallback,
  type IdentityCallback,
  type OpenSSHAgent,
  type ParsedKey,
  type SignCallback,
  type SigningRequestOptions,
} from 'ssh2';

/** An agent whose keys are tried in order. */
class OrderedAgent extends ssh2.BaseAgent<ParsedKey> {
  readonly #agent: OpenSSHAgent;
  readonly #keys: ParsedKey[];

  constructor(agent: OpenSSHAgent, keys: ParsedKey[]) {
    super();
    this.#agent = agent;
    this.#keys = keys;
  }

  override getIdentities(done: IdentityCallback<ParsedKey>): void {
    done(undefined, this.#keys);
  }

  override sign(
    key: ParsedKey,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    done?: SignCallback,
  ): void {
    if (typeof options === 'function') this.#agent.sign(key, data, options);
    else this.#agent.sign(key, data, options, done);
  }

  override getStream(done: GetStreamCallback): void {
    this.#agent.getStream(done);
  }
}

/**
 * Opens the user's SSH agent and reads its keys. `identity` (the path of a key file, or the comment of a key in the
 * agent) selects the key to try first.
 */
export async function userAgent(host: Host, identity: string): Promise<OrderedAgent> {
  const path = host.environment.get('SSH_AUTH_SOCK') ?? '';
  if (path === '' && host.environment.platform !== 'win32') {
    throw new Error('SSH agent requested but SSH_AUTH_SOCK not-specified');
  }
  const agent = path === '' ? new ssh2.PageantAgent('pageant') : new ssh2.OpenSSHAgent(path);
  const keys = await new Promise<ParsedKey[]>((done, fail) => {
    agent.getIdentities((error, identities) => {
      if (error != null) fail(new Error(`Error connecting to SSH_AUTH_SOCK: ${error.message}`));
      else done((identities ?? []).filter((key) => 'getPublicSSH' in key));
    });
  });
  return new OrderedAgent(agent, await orderKeys(host, keys, identity));
}

/** Exact matches first, then keys whose comment ends with the identity. */
async function orderKeys(host: Host, keys: ParsedKey[], identity: string): Promise<ParsedKey[]> {
  if (identity === '' || keys.length < 2) return keys;
  const identityPublicKey = await identityKey(host, identity);
  const exact = keys.find(
    (key) =>
      key.comment === identity ||
      (identityPublicKey !== undefined && key.getPublicSSH().equals(identityPublicKey)),
  );
  if (exact !== undefined) return [exact, ...keys.filter((key) => key !== exact)];
  const close = keys.filter((key) => key.comment.endsWith(identity));
  return [...close, ...keys.filter((key) => !close.includes(key))];
}

/** Returns the public key of a key file, or that of the `.pub` file beside it if the key is encrypted. */
async function identityKey(host: Host, identity: string): Promise<Buffer | undefined> {
  const path = pathsOf(host.environment).resolve(host.environment.cwd, identity);
  const paths = path.endsWith('.pub') ? [path] : [path, `${path}.pub`];
  for (const candidate of paths) {
    if ((await host.files.stat(candidate))?.kind !== 'file') continue;
    const key = ssh2.utils.parseKey(await host.files.readText(candidate).catch(() => ''));
    if (!(key instanceof Error)) return key.getPublicSSH();
  }
  return undefined;
}
