import { type GoUrl, goUrlText, queryEncode, queryOf } from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import { absolute, findProgram, type Program, type RunOptions } from './run-program.ts';
import { type FetchContext, scratchPath } from './fetch-context.ts';
import { FetchFailed } from './fetch-failed.ts';
import type { Getter } from './getter.ts';

interface Request {
  readonly git: Program;
  readonly url: string;
  readonly ref: string;
  /** 0: the complete history */
  readonly depth: number;
  readonly options: RunOptions;
}

/** Git repositories, by the user's own `git` with its configuration and credentials, as Terraform fetches them. */
export const GIT_GETTER: Getter = {
  async directory(context, address, destination) {
    const git = await findProgram(context, 'git');
    const port = /:([^\]]*)$/.exec(address.host)?.[1] ?? '';
    if (port !== '' && Number(port) > 65_535) {
      throw new FetchFailed(
        `invalid port number ${quoteText(port)}; if using the "scp-like" git address scheme where a colon introduces the path instead, remove the ssh:// portion and use just the git:: prefix`,
      );
    }
    const { url, ref, sshKey, depth } = argumentsOf(address);
    // Git would take it for an option.
    if (ref.startsWith('-')) throw new FetchFailed(`invalid ref: ${quoteText(ref)}`);
    const keyFile = sshKey === '' ? undefined : await writeKey(context, git, sshKey);
    try {
      const options = keyFile === undefined ? {} : { env: keyEnvironment(context, keyFile) };
      const request: Request = { git, url: goUrlText(url), ref, depth, options };
      await clone(context, request, destination);
      const inside = { ...options, cwd: destination };
      const shallow = depth > 0 ? ['--depth', String(depth)] : [];
      await git.run(['submodule', 'update', '--init', '--recursive', ...shallow], inside);
    } finally {
      if (keyFile !== undefined) await context.host.files.remove(keyFile);
    }
  },
  async file(context, url) {
    const slash = url.path.lastIndexOf('/');
    const repository = { ...url, path: url.path.slice(0, slash) || '/', rawPath: '' };
    const checkout = scratchPath(context);
    try {
      await GIT_GETTER.directory(context, repository, checkout);
      return await context.host.files.readFile(`${checkout}/${url.path.slice(slash + 1)}`);
    } finally {
      await context.host.files.removeTree(checkout);
    }
  },
};

function argumentsOf(address: GoUrl): {
  readonly url: GoUrl;
  readonly ref: string;
  readonly sshKey: string;
  readonly depth: number;
} {
  const query = queryOf(address);
  if (query.size === 0) return { url: address, ref: '', sshKey: '', depth: 0 };
  const take = (name: string): string => {
    const value = query.get(name)?.[0] ?? '';
    query.delete(name);
    return value;
  };
  const ref = take('ref');
  const sshKey = take('sshkey');
  const depth = take('depth');
  return {
    url: { ...address, rawQuery: queryEncode(query) },
    ref,
    sshKey,
    depth: /^[+-]?[0-9]+$/.test(depth) ? Number(depth) : 0,
  };
}

async function clone(context: FetchContext, request: Request, destination: string): Promise<void> {
  const { git, url, ref, depth, options } = request;
  const shallow = depth > 0;
  const branch = ref === '' && shallow ? await defaultBranch(git, url) : ref;
  const limits = shallow ? ['--depth', String(depth), '--branch', branch] : [];
  const target = absolute(context, destination);
  try {
    await git.run(['clone', ...limits, '--', url, target], options);
  } catch (error) {
    if (error instanceof FetchFailed && shallow && /^[0-9a-fA-F]{7,40}$/.test(ref)) {
      throw new FetchFailed(
        `${error.message} (note that setting 'depth' requires 'ref' to be a branch or tag name)`,
        error,
      );
    }
    throw error;
  }
  if (ref !== '') await git.run(['checkout', ref], { cwd: destination });
}

/** The branch that a repository's HEAD is. */
async function defaultBranch(git: Program, url: string): Promise<string> {
  const answer = await git.output(['ls-remote', '--symref', '--', url, 'HEAD']);
  return /ref: refs\/heads\/([^\s]+).*/.exec(answer ?? '')?.[1] ?? 'master';
}

async function writeKey(context: FetchContext, git: Program, encoded: string): Promise<string> {
  const version = /^git version ([0-9]+)\.([0-9]+)/.exec((await git.output(['version'])) ?? '');
  const [, major = '0', minor = '0'] = version ?? [];
  if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < 3)) {
    throw new FetchFailed(
      `Error using ssh key: Required git version = 2.3, have ${major}.${minor}`,
    );
  }
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded)) {
    throw new FetchFailed('illegal base64 data in the argument "sshkey"');
  }
  const path = scratchPath(context);
  await context.host.files.writeFile(path, '', { mode: 0o600 });
  await context.host.files.writeFile(path, Buffer.from(encoded, 'base64'));
  return absolute(context, path);
}

function keyEnvironment({ host }: FetchContext, keyFile: string): Record<string, string> {
  const sshCommand = host.environment.get('GIT_SSH_COMMAND') ?? '';
  const path = keyFile.replaceAll('\\', '/');
  // Git has a shell run it, also on Windows.
  const quoted = `'${path.replaceAll("'", String.raw`'\''`)}'`;
  return { GIT_SSH_COMMAND: `${sshCommand === '' ? 'ssh' : sshCommand} -i ${quoted}` };
}
