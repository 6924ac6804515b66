// Installs providers with Terrane's installer and with the real terraform.
import type { Diagnostic } from '@terrane/hcl';
import { type Host, nodeHost, setProgramName } from '@terrane/host';
import {
  authenticationText,
  type InstallationMethod,
  type InstallEvent,
  installProviders,
  type InstallOptions,
  readDependencyLock,
  sameLocks,
  ServiceDirectory,
  thirdPartyKey,
  writeDependencyLock,
} from '@terrane/registry';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProviderSource } from '@terrane/addresses';
import type { RegistryServer } from './registry-server.ts';

// Advice in messages is compared with that of Terraform.
setProgramName('terraform');

/** The providers to install. */
export interface Wanted {
  /** constraints by address */
  readonly required: Readonly<Record<string, string>>;
  readonly upgrade?: boolean;
  readonly cache?: string;
  readonly cacheMayBreakLock?: boolean;
  readonly methods?: readonly InstallationMethod[];
  readonly pluginDirectories?: readonly string[];
  readonly tokens?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** The result of an installation. */
export interface Result {
  /** in order of the alphabet: terraform's is another each time */
  readonly messages: readonly string[];
  readonly problems: readonly {
    readonly severity: string;
    readonly summary: string;
    readonly detail: string;
  }[];
  /** providers of which the lock file knows this platform only */
  readonly incomplete: readonly string[];
  readonly lock: string | undefined;
}

const INCOMPLETE = 'Incomplete lock file information for providers';

/** A directory that is gone at the end. */
export async function scratch(): Promise<string> {
  return await realpath(await mkdtemp(join(tmpdir(), 'terrane-registry-')));
}

export async function discard(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

export function address(text: string): ProviderSource {
  const source = ProviderSource.parse(text);
  if ('error' in source) throw new Error(source.error);
  return source;
}

/** This machine, with variables of its own. */
export function hostIn(directory: string, variables: Readonly<Record<string, string>>): Host {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return nodeHost({ cwd: directory });
  } finally {
    for (const name of Object.keys(process.env)) {
      if (!(name in before)) delete process.env[name];
    }
    Object.assign(process.env, before);
  }
}

async function certificateBeside(directory: string, server: RegistryServer): Promise<string> {
  const path = join(directory, '..', 'ca.pem');
  if (!existsSync(path)) await writeFile(path, server.certificate);
  return path;
}

/** Installs with Terrane, as `init` does. */
export async function installWithTerrane(
  /** undefined: the environment says whom to trust */
  server: RegistryServer | undefined,
  directory: string,
  wanted: Wanted,
  more: Partial<InstallOptions> = {},
): Promise<Result> {
  const variables: Record<string, string> = { HOME: directory };
  if (server !== undefined) variables['SSL_CERT_FILE'] = await certificateBeside(directory, server);
  const host = hostIn(directory, { ...variables, ...wanted.env });
  const services = new ServiceDirectory({
    host,
    credentials: async (name) => {
      await Promise.resolve();
      const token = wanted.tokens?.[name];
      return token === undefined ? undefined : { token };
    },
  });
  const messages: string[] = [];
  const before = readDependencyLock(host.files);
  const outcome = await installProviders({
    host,
    services,
    required: new Map(
      Object.entries(wanted.required).map(([text, constraint]) => [
        address(text),
        { constraints: constraint === '' ? [] : [constraint], explicitHost: true },
      ]),
    ),
    lock: before.providers,
    installation:
      wanted.pluginDirectories !== undefined
        ? { kind: 'directories', paths: wanted.pluginDirectories }
        : wanted.methods === undefined
          ? { kind: 'implied' }
          : { kind: 'explicit', methods: wanted.methods },
    dataDirectory: '.terraform',
    upgrade: wanted.upgrade ?? false,
    cacheDirectory: wanted.cache,
    cacheMayBreakLock: wanted.cacheMayBreakLock,
    builtIn: new Set(['terraform']),
    events: (event) => {
      const text = messageOf(event);
      if (text !== undefined) messages.push(text);
    },
    ...more,
  });
  const failed = outcome.diagnostics.some(({ severity }) => severity === 'error');
  if (!failed && !sameLocks(before.providers, outcome.lock)) {
    await writeDependencyLock(host.files, outcome.lock);
  }
  return {
    messages: messages.sort(),
    problems: inOrder([...before.diagnostics, ...outcome.diagnostics].map(problemOf)),
    incomplete: !failed && !sameLocks(before.providers, outcome.lock) ? outcome.incomplete : [],
    lock: await readLock(directory),
  };
}

/** Terraform's order is another each time. */
function inOrder(problems: Result['problems']): Result['problems'] {
  return [...problems].sort((a, b) => (a.detail < b.detail ? -1 : 1));
}

function problemOf({ severity, summary, detail }: Diagnostic): Result['problems'][number] {
  return { severity, summary, detail };
}

async function readLock(directory: string): Promise<string | undefined> {
  return await readFile(join(directory, '.terraform.lock.hcl'), 'utf8').catch(() => undefined);
}

/** Terraform's words in the `-json` stream. */
function messageOf(event: InstallEvent): string | undefined {
  switch (event.kind) {
    case 'begin':
    case 'progress':
    case 'waiting-for-cache':
      return undefined;
    case 'third-party-signed':
      return 'Partner and community providers are signed by their developers.';
    case 'built-in':
      return `${event.provider.display} is built in to Terraform`;
    case 'reusing':
      return `${event.provider.display}: Reusing previous version from the dependency lock file`;
    case 'finding':
      return event.constraints === ''
        ? `${event.provider.display}: Finding latest version...`
        : `Finding matching versions for provider: ${event.provider.display}, version_constraint: ${JSON.stringify(event.constraints)}`;
    case 'already-installed':
      return `${event.provider.display} v${event.version}: Using previously-installed provider version`;
    case 'from-cache':
      return `${event.provider.display} v${event.version}: Using from the shared cache directory`;
    case 'installing':
      return `Installing provider version: ${event.provider.display} v${event.version}...`;
    case 'installed': {
      const key = thirdPartyKey(event.authentication);
      const suffix = key === undefined ? '' : `key_id: ${key}`;
      return `Installed provider version: ${event.provider.display} v${event.version} (${authenticationText(event.authentication)}${suffix})`;
    }
  }
}

/** Installs with the real terraform. */
export async function installWithTerraform(
  server: RegistryServer,
  directory: string,
  wanted: Wanted,
): Promise<Result> {
  const certificate = await certificateBeside(directory, server);
  const blocks = Object.entries(wanted.required).map(([source, version], i) => {
    const constraint = version === '' ? '' : `\n      version = ${JSON.stringify(version)}`;
    return `    p${i} = {\n      source = ${JSON.stringify(source)}${constraint}\n    }\n`;
  });
  await writeFile(
    join(directory, 'main.tf'),
    `terraform {\n  required_providers {\n${blocks.join('')}  }\n}\n`,
  );
  const config = join(directory, '..', 'terraform.rc');
  await writeFile(config, cliConfig(wanted));
  const args = [
    'init',
    '-json',
    ...(wanted.upgrade === true ? ['-upgrade'] : []),
    ...(wanted.pluginDirectories ?? []).map((path) => `-plugin-dir=${path}`),
  ];
  const output = await run('terraform', args, directory, {
    PATH: process.env['PATH'] ?? '',
    HOME: directory,
    CHECKPOINT_DISABLE: '1',
    SSL_CERT_FILE: certificate,
    TF_CLI_CONFIG_FILE: config,
    ...(wanted.cache !== undefined && { TF_PLUGIN_CACHE_DIR: wanted.cache }),
    ...wanted.env,
  });
  const messages: string[] = [];
  const problems: Result['problems'][number][] = [];
  for (const line of output.split('\n')) {
    if (!line.startsWith('{')) continue;
    const parsed: Record<string, unknown> = JSON.parse(line);
    const diagnostic = parsed['diagnostic'] as Diagnostic | undefined;
    if (diagnostic !== undefined) problems.push(problemOf(diagnostic));
    else if (typeof parsed['@message'] === 'string') messages.push(parsed['@message']);
  }
  return {
    messages: messages
      .filter(isAboutProviders)
      .map((text) => text.split('\n', 1)[0] ?? '')
      .sort(),
    problems: inOrder(problems.filter(({ summary }) => summary !== INCOMPLETE)),
    incomplete: problems.flatMap(({ summary, detail }) =>
      summary === INCOMPLETE
        ? [...detail.matchAll(/^ {2}- (.*)$/gm)].map(([, name = '']) => name)
        : [],
    ),
    lock: await readLock(directory),
  };
}

function isAboutProviders(text: string): boolean {
  return /^(?:Finding|Install|Partner and)|: (?:Finding|Reusing|Using)|is built in/.test(text);
}

function cliConfig({ methods, tokens, cacheMayBreakLock }: Wanted): string {
  const patterns = (name: string, list: InstallationMethod['include']): string =>
    list === undefined
      ? ''
      : `    ${name} = [${list.map((each) => `"${each.hostname}/${each.namespace}/${each.type}"`).join(', ')}]\n`;
  const blocks = (methods ?? []).map((method) => {
    const rest = `${patterns('include', method.include)}${patterns('exclude', method.exclude)}`;
    switch (method.kind) {
      case 'direct':
        return `  direct {\n${rest}  }\n`;
      case 'filesystem_mirror':
        return `  filesystem_mirror {\n    path = "${method.path}"\n${rest}  }\n`;
      case 'network_mirror':
        return `  network_mirror {\n    url = "${method.url}"\n${rest}  }\n`;
      default:
        throw new Error('not of Terraform');
    }
  });
  const credentials = Object.entries(tokens ?? {}).map(
    ([host, token]) => `credentials "${host}" {\n  token = "${token}"\n}\n`,
  );
  const installation =
    methods === undefined ? '' : `provider_installation {\n${blocks.join('')}}\n`;
  const may =
    cacheMayBreakLock === true ? 'plugin_cache_may_break_dependency_lock_file = true\n' : '';
  return `${may}${credentials.join('')}${installation}`;
}

/** Runs a program, and gives all that it says. */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}
