// Downloads and verifies a release, and keeps it in the tool cache of the runner.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { debug, info } from '@actions/core';
import {
  cacheDir,
  downloadTool,
  evaluateVersions,
  extractTar,
  extractZip,
  find,
} from '@actions/tool-cache';
import { checksumsOf, isExact, releasedVersion } from './versions.ts';

/** The URL of the releases. */
export interface Source {
  /** address of the repository */
  readonly repository: string;
  /** address of the files of one release, instead of the repository */
  readonly downloadUrl: string;
  /** address of the API, and its token, for ranges of versions */
  readonly api: string;
  readonly token: string;
}

/**
 * Returns the API that lists the releases of a repository, and its token. A workflow on GitHub Enterprise has an API and
 * a token of its own, which is not sent to another server.
 */
export function releaseApi(
  repository: string,
  environment: Readonly<Record<string, string | undefined>>,
  token: string,
): Pick<Source, 'api' | 'token'> {
  const { origin, hostname } = new URL(repository);
  const serverUrl = environment['GITHUB_SERVER_URL'] ?? 'https://github.com';
  const ownApi = hostname === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`;
  if (new URL(serverUrl).origin !== origin) return { api: ownApi, token: '' };
  return { api: environment['GITHUB_API_URL'] ?? ownApi, token };
}

/** The machine that the program runs on. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  /** true if executables for glibc run, on Linux */
  readonly hasGlibc: boolean;
}

/** An installed release. */
export interface Installation {
  readonly version: string;
  readonly directory: string;
  /** the program and its first arguments */
  readonly command: readonly string[];
  /** the same, as a program named "terraform" or "tofu" */
  readonly calledAs: (name: 'terraform' | 'tofu') => readonly string[];
}

/** Returns the name of the archive for a machine. The JavaScript program runs where no executable does. */
export function archiveFor(version: string, { platform, arch, hasGlibc }: Machine): string {
  const system = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[platform];
  const processor = { x64: 'amd64', arm64: 'arm64' }[arch];
  const isBuilt =
    system !== undefined &&
    processor !== undefined &&
    !(system === 'windows' && processor === 'arm64') &&
    !(system === 'linux' && !hasGlibc);
  if (!isBuilt) return `terrane_${version}_node.tar.gz`;
  return `terrane_${version}_${system}_${processor}${system === 'windows' ? '.zip' : '.tar.gz'}`;
}

/** Installs a version: exact, a range, or "latest". */
export async function install(
  wanted: string,
  source: Source,
  machine: Machine,
): Promise<Installation> {
  const { version, address } = await resolveVersion(wanted, source);
  const archive = archiveFor(version, machine);
  const kind = archive.endsWith('_node.tar.gz') ? 'node' : machine.arch;
  const cached = find('terrane', version, kind);
  if (cached !== '') {
    info(`Terrane ${version} is in the tool cache.`);
    return installation(version, cached, machine);
  }
  const checksums = checksumsOf(readFileSync(await download(`${address}/SHA256SUMS`), 'utf8'));
  const expected = checksums.get(archive);
  if (expected === undefined) throw new Error(`SHA256SUMS of ${address} does not list ${archive}.`);
  info(`Downloading ${address}/${archive}`);
  const path = await download(`${address}/${archive}`);
  const actual = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (actual !== expected) {
    throw new Error(
      `The checksum of ${archive} is ${actual} instead of ${expected}. Nothing was installed.`,
    );
  }
  const unpacked = archive.endsWith('.zip') ? await extractZip(path) : await extractTar(path);
  return installation(version, await cacheDir(unpacked, 'terrane', version, kind), machine);
}

async function download(address: string): Promise<string> {
  try {
    return await downloadTool(address);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${address} cannot be downloaded: ${reason}`, { cause: error });
  }
}

/** Returns the version to install, and the address of its files. */
async function resolveVersion(
  wanted: string,
  source: Source,
): Promise<{ readonly version: string; readonly address: string }> {
  const releases = `${source.repository}/releases`;
  const addressOf = (version: string): string => `${releases}/download/v${version}`;
  const exact = isExact(wanted) ? wanted.replace(/^v/, '') : undefined;
  if (source.downloadUrl !== '') {
    const address = source.downloadUrl.replace(/\/+$/, '');
    const version = await versionAt(address);
    const matches = wanted === 'latest' || evaluateVersions([version], exact ?? wanted) !== '';
    if (matches) return { version, address };
    throw new Error(`${address} has version ${version}, not ${wanted}.`);
  }
  if (exact !== undefined) return { version: exact, address: addressOf(exact) };
  if (wanted === 'latest') {
    const version = await versionAt(`${releases}/latest/download`);
    return { version, address: addressOf(version) };
  }
  const versions = await listVersions(source);
  const version = evaluateVersions([...versions], wanted);
  if (version === '') {
    throw new Error(
      `No version of Terrane matches "${wanted}". Released versions: ${versions.join(', ')}.`,
    );
  }
  return { version, address: addressOf(version) };
}

async function versionAt(address: string): Promise<string> {
  const text = readFileSync(await download(`${address}/SHA256SUMS`), 'utf8');
  const version = releasedVersion(checksumsOf(text));
  if (version === undefined) throw new Error(`${address}/SHA256SUMS lists no archive of Terrane.`);
  return version;
}

/** Returns the newest hundred released versions, without pre-releases. */
async function listVersions({ repository, api, token }: Source): Promise<readonly string[]> {
  const name = new URL(repository).pathname.replace(/^\/|\/$/g, '');
  const response = await fetch(`${api}/repos/${name}/releases?per_page=100`, {
    headers: {
      accept: 'application/vnd.github+json',
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    signal: AbortSignal.timeout(60_000),
  });
  if (!response.ok) {
    throw new Error(
      `The list of releases cannot be read: ${response.status} ${response.statusText}. State an exact version.`,
    );
  }
  // The documented form of the response; each member is checked below.
  const releases = (await response.json()) as readonly {
    readonly tag_name?: unknown;
    readonly draft?: unknown;
    readonly prerelease?: unknown;
  }[];
  return releases.flatMap(({ tag_name: tag, draft, prerelease }) =>
    typeof tag === 'string' && isExact(tag) && draft !== true && prerelease !== true
      ? [tag.replace(/^v/, '')]
      : [],
  );
}

function installation(version: string, directory: string, { platform }: Machine): Installation {
  const executable = join(directory, platform === 'win32' ? 'terrane.exe' : 'terrane');
  if (existsSync(executable)) {
    chmodSync(executable, 0o755);
    debug(`Executable: ${executable}`);
    return {
      version,
      directory,
      command: [executable],
      calledAs: (name) => [executable, `--called-as=${name}`],
    };
  }
  const script = (name: string): readonly string[] => [
    process.execPath,
    join(directory, 'dist', `${name}.js`),
  ];
  return { version, directory, command: script('terrane'), calledAs: script };
}
