import { errorDiagnostic, warningDiagnostic, type Diagnostic } from '@terrane/hcl';
import { parseHostname } from '@terrane/addresses';
import { goPaths, userErrorText } from '@terrane/host';
import {
  anyValue,
  bool,
  decode,
  integer,
  list,
  map,
  string,
  struct,
} from './legacy-syntax/decode.ts';
import { LegacySyntaxError, type LegacyFile, placeText } from './legacy-syntax/node.ts';
import { parseLegacy } from './legacy-syntax/parse.ts';
import { givenConfigFile, userConfigFile, userDirectory, type UserPorts } from './locations.ts';
import type { CliConfig, InstallationMethod, PolicyCheckerConfig } from './model.ts';
import {
  AMBIENT_OCI_CREDENTIALS,
  ociCredentials,
  ociDefaultCredentials,
} from './oci-credentials.ts';
import {
  expandVariables,
  providerInstallations,
  type WrittenInstallation,
} from './provider-installation.ts';
import { parseSourcePatterns } from './source-pattern.ts';
import { mergeConfigs, NOTHING, type WrittenConfig } from './written-config.ts';

/**
 * Reads the user's CLI configuration: the file of an environment variable, or the one in the home directory and all
 * `*.tfrc` and `*.tfrc.json` files in its configuration directory; and environment variables. Paths in environment
 * variables are relative to the directory in which the program was started.
 */
export function readCliConfig(ports: UserPorts, startedIn: string): CliConfig {
  const diagnostics: Diagnostic[] = [];
  let config = mainFile(ports, startedIn, diagnostics);
  const directory = userDirectory(ports);
  if (givenConfigFile(ports) === undefined && directory !== undefined) {
    config = mergeConfigs(config, filesIn(ports, directory, diagnostics));
  }
  config = withEnvironment(ports, config);
  check(ports, config, startedIn, diagnostics);
  const installationDiagnostics: Diagnostic[] = [];
  const [installation] = config.installations;
  const [helper] = config.helpers;
  return {
    hosts: normalised(config.hosts),
    credentials: new Map(
      [...normalised(config.credentials)].map(([host, block]) => {
        const token = block.get('token');
        return [host, typeof token === 'string' ? token : undefined] as const;
      }),
    ),
    credentialsHelper: helper === undefined ? undefined : { name: helper[0], args: helper[1] },
    providerInstallation:
      installation === undefined
        ? undefined
        : {
            methods: installation.methods.flatMap((method) =>
              parsedMethod(method, installationDiagnostics),
            ),
            developmentOverrides: installation.developmentOverrides,
          },
    defaultRegistry: config.defaultRegistry === '' ? undefined : config.defaultRegistry,
    moduleLocks: moduleLocksOf(config.moduleLocks, diagnostics),
    pluginCacheDirectory:
      config.pluginCacheDirectory === '' ? undefined : config.pluginCacheDirectory,
    pluginCacheMayBreakLockFile: config.pluginCacheMayBreakLockFile,
    registryProtocols: {
      retryCount: config.retryCount ?? 1,
      requestTimeoutMs: config.requestTimeoutMs ?? 10_000,
    },
    downloadRetries: positive(ports, 'TF_PROVIDER_DOWNLOAD_RETRY') ?? 2,
    disableCheckpoint: config.disableCheckpoint,
    policies: config.policies,
    policyCheckers: config.policyCheckers,
    ociCredentials: config.ociCredentials,
    ociDefaultCredentials: config.ociDefaults[0] ?? AMBIENT_OCI_CREDENTIALS,
    diagnostics,
    installationDiagnostics,
    directory,
  };
}

function moduleLocksOf(text: string, diagnostics: Diagnostic[]): CliConfig['moduleLocks'] {
  if (text === '') return undefined;
  if (text === 'separate' || text === 'shared' || text === 'off') return text;
  diagnostics.push(
    plain(
      `The module_locks setting ${JSON.stringify(text)} is invalid. It must be "separate", "shared" or "off".`,
    ),
  );
  return undefined;
}

function mainFile(ports: UserPorts, startedIn: string, diagnostics: Diagnostic[]): WrittenConfig {
  const configured = givenConfigFile(ports);
  const path = configured ?? userConfigFile(ports);
  if (path === undefined) return NOTHING;
  const full = goPaths(ports.environment).absolute(startedIn, path);
  if (ports.files.statSync(full) === undefined) {
    diagnostics.push(
      warningDiagnostic(
        'Unable to open CLI configuration file',
        `The CLI configuration file at ${JSON.stringify(path)} does not exist.`,
      ),
    );
    return NOTHING;
  }
  return readFile(ports, full, path, diagnostics);
}

function filesIn(ports: UserPorts, directory: string, diagnostics: Diagnostic[]): WrittenConfig {
  if (ports.files.statSync(directory)?.kind !== 'directory') return NOTHING;
  let config = NOTHING;
  let names: readonly string[];
  try {
    names = ports.files.readDirectorySync(directory).map(({ name }) => name);
  } catch (error) {
    diagnostics.push(plain(`Error reading ${directory}: ${userErrorText(error)}`));
    return NOTHING;
  }
  for (const name of [...names].sort((a, b) => (a < b ? -1 : 1))) {
    if (!name.endsWith('.tfrc') && !name.endsWith('.tfrc.json')) continue;
    const path = `${directory}/${name}`;
    config = mergeConfigs(config, readFile(ports, path, path, diagnostics));
  }
  return config;
}

const host = struct({ services: map(anyValue) });
const SETTINGS = {
  Providers: map(string),
  Provisioners: map(string),
  disable_checkpoint: bool,
  disable_checkpoint_signature: bool,
  default_registry: string,
  module_locks: string,
  plugin_cache_dir: string,
  plugin_cache_may_break_dependency_lock_file: bool,
  host: map(host),
  credentials: map(map(anyValue)),
  credentials_helper: map(struct({ args: list(string) })),
  policies: list(string),
  policy_checker: map(
    struct({ command: list(string), enforcement_level: string, timeout_seconds: integer }),
  ),
};

function readFile(
  ports: UserPorts,
  path: string,
  displayPath: string,
  diagnostics: Diagnostic[],
): WrittenConfig {
  let text: string;
  try {
    text = new TextDecoder().decode(ports.files.readFileSync(path));
  } catch (error) {
    diagnostics.push(plain(`Error reading ${displayPath}: ${userErrorText(error)}`));
    return NOTHING;
  }
  try {
    const file = parseLegacy(text);
    const read = decode(struct(SETTINGS), file);
    const { environment } = ports;
    const paths = goPaths(environment);
    const directory = paths.directory(path);
    return {
      hosts: mapValues(read.host, ({ services }) => Object.fromEntries(services ?? [])),
      credentials: read.credentials ?? new Map(),
      helpers: mapValues(read.credentials_helper, ({ args }) => args ?? []),
      ...registryProtocols(file, diagnostics),
      installations: providerInstallations(file, environment, diagnostics),
      defaultRegistry: read.default_registry ?? '',
      moduleLocks: read.module_locks ?? '',
      pluginCacheDirectory: expandVariables(
        read.plugin_cache_dir ?? '',
        (name) => environment.get(name) ?? '',
      ),
      pluginCacheMayBreakLockFile: read.plugin_cache_may_break_dependency_lock_file === true,
      disableCheckpoint: read.disable_checkpoint === true,
      policies: (read.policies ?? []).map((each) =>
        paths.absolute(
          directory,
          expandVariables(each, (name) => environment.get(name) ?? ''),
        ),
      ),
      policyCheckers: new Map(
        [...(read.policy_checker ?? [])].map(([name, checker]) => [
          name,
          policyChecker(name, checker, diagnostics),
        ]),
      ),
      ociDefaults: ociDefaultCredentials(file, directory, paths, diagnostics),
      ociCredentials: ociCredentials(file, diagnostics),
    };
  } catch (error) {
    if (!(error instanceof LegacySyntaxError)) throw error;
    diagnostics.push(plain(`Error parsing ${displayPath}: ${error.message}`));
    return NOTHING;
  }
}

const LEVELS = ['advisory', 'mandatory_overridable', 'mandatory'] as const;
const CHECKER_TIMEOUT_SECONDS = 60;

/** Validates a `policy_checker` block. */
function policyChecker(
  name: string,
  written: {
    readonly command?: readonly string[] | undefined;
    readonly enforcement_level?: string | undefined;
    readonly timeout_seconds?: number | undefined;
  },
  diagnostics: Diagnostic[],
): PolicyCheckerConfig {
  const { command = [], enforcement_level: writtenLevel = 'mandatory', timeout_seconds } = written;
  const level = LEVELS.find((each) => each === writtenLevel);
  const seconds = timeout_seconds ?? CHECKER_TIMEOUT_SECONDS;
  const summary = `Invalid policy_checker "${name}"`;
  if (command.length === 0 || command[0] === '') {
    const detail = 'The argument "command" is a list with the program and its arguments.';
    diagnostics.push(errorDiagnostic(summary, detail));
  }
  if (level === undefined) {
    const detail =
      'The argument "enforcement_level" is "advisory", "mandatory_overridable" or "mandatory".';
    diagnostics.push(errorDiagnostic(summary, detail));
  }
  if (seconds <= 0 || seconds > 3600) {
    const detail = 'The argument "timeout_seconds" is a number between 1 and 3600.';
    diagnostics.push(errorDiagnostic(summary, detail));
  }
  return { command, level: level ?? 'mandatory', timeoutMs: seconds * 1000 };
}

function registryProtocols(
  file: LegacyFile,
  diagnostics: Diagnostic[],
): Pick<WrittenConfig, 'retryCount' | 'requestTimeoutMs'> {
  const summary = 'Invalid registry_protocols block';
  let settings: Pick<WrittenConfig, 'retryCount' | 'requestTimeoutMs'> | undefined;
  let foundAt = '';
  for (const { keys, value } of file.items) {
    if (keys[0]?.text !== 'registry_protocols') continue;
    const at = placeText(keys[0].place);
    if (settings !== undefined) {
      const detail = `The registry protocol settings were already defined at ${foundAt}.`;
      diagnostics.push(errorDiagnostic('Duplicate registry_protocols block', detail));
      continue;
    }
    if (value.kind !== 'object') {
      const detail = `The registry_protocols item at ${at} must have an open brace after the block type.`;
      diagnostics.push(errorDiagnostic(summary, detail));
      continue;
    }
    foundAt = at;
    try {
      const read = decode(
        struct({ retry_count: integer, request_timeout_seconds: integer }),
        value,
      );
      const seconds = read.request_timeout_seconds;
      settings = {
        retryCount: read.retry_count,
        requestTimeoutMs: seconds === undefined ? undefined : seconds * 1000,
      };
    } catch (error) {
      if (!(error instanceof LegacySyntaxError)) throw error;
      const detail = `Invalid registry protocol settings at ${placeText(value.place)}: ${error.message}.`;
      diagnostics.push(errorDiagnostic(summary, detail));
      settings = { retryCount: undefined, requestTimeoutMs: undefined };
    }
  }
  return settings ?? { retryCount: undefined, requestTimeoutMs: undefined };
}

function withEnvironment(ports: UserPorts, config: WrittenConfig): WrittenConfig {
  const { environment } = ports;
  const cache = environment.get('TF_PLUGIN_CACHE_DIR') ?? '';
  const mayBreak = environment.get('TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE') ?? '';
  const seconds = positive(ports, 'TF_REGISTRY_CLIENT_TIMEOUT');
  const moduleLocks = environment.get('TERRANE_MODULE_LOCKS') ?? '';
  return {
    ...config,
    moduleLocks: moduleLocks === '' ? config.moduleLocks : moduleLocks,
    pluginCacheDirectory: cache === '' ? config.pluginCacheDirectory : cache,
    pluginCacheMayBreakLockFile:
      config.pluginCacheMayBreakLockFile || (mayBreak !== '' && mayBreak !== '0'),
    retryCount: positive(ports, 'TF_REGISTRY_DISCOVERY_RETRY') ?? config.retryCount,
    requestTimeoutMs: seconds === undefined ? config.requestTimeoutMs : seconds * 1000,
  };
}

function positive({ environment }: UserPorts, name: string): number | undefined {
  const text = environment.get(name) ?? '';
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : 0;
  return value > 0 ? value : undefined;
}

function check(
  { environment, files }: UserPorts,
  config: WrittenConfig,
  startedIn: string,
  diagnostics: Diagnostic[],
): void {
  for (const [subject, names] of [
    ['host', config.hosts.keys()],
    ['credentials', config.credentials.keys()],
  ] as const) {
    for (const name of names) {
      const parsed = parseHostname(name);
      if (typeof parsed === 'string') continue;
      diagnostics.push(
        plain(
          `The ${subject} ${JSON.stringify(name)} block has an invalid hostname: ${parsed.error}`,
        ),
      );
    }
  }
  const requireSingle = (count: number, name: string): void => {
    if (count > 1) diagnostics.push(plain(`No more than one ${name} block may be specified`));
  };
  requireSingle(config.helpers.size, 'credentials_helper');
  requireSingle(config.installations.length, 'provider_installation');
  requireSingle(config.ociDefaults.length, 'oci_default_credentials');
  const prefixes = new Set<string>();
  for (const { repositoryPrefix } of config.ociCredentials) {
    if (prefixes.has(repositoryPrefix)) {
      diagnostics.push(
        plain(`Duplicate oci_credentials block for ${JSON.stringify(repositoryPrefix)}`),
      );
    }
    prefixes.add(repositoryPrefix);
  }
  const cache = config.pluginCacheDirectory;
  if (cache === '') return;
  const full = goPaths(environment).absolute(startedIn, cache);
  if (files.statSync(full) !== undefined) return;
  diagnostics.push(
    plain(
      `The specified plugin cache dir ${cache} cannot be opened: stat ${cache}: no such file or directory`,
    ),
  );
}

/** Returns a method with parsed patterns; undefined after errors. */
function parsedMethod(
  method: WrittenInstallation['methods'][number],
  diagnostics: Diagnostic[],
): readonly InstallationMethod[] {
  const { location } = method;
  if (location.kind === 'network_mirror') {
    const problem = mirrorProblem(location.url);
    if (problem !== undefined) {
      diagnostics.push(errorDiagnostic('Invalid URL for provider installation source', problem));
      return [];
    }
  }
  const include = parseSourcePatterns(method.include);
  if ('error' in include) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid provider source inclusion patterns',
        `CLI config specifies invalid provider inclusion patterns: ${include.error}.`,
      ),
    );
    return [];
  }
  const exclude = parseSourcePatterns(method.exclude);
  if ('error' in exclude) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid provider source exclusion patterns',
        `CLI config specifies invalid provider exclusion patterns: ${exclude.error}.`,
      ),
    );
    return [];
  }
  return [{ ...method, include, exclude }];
}

function mirrorProblem(url: string): string | undefined {
  const quoted = JSON.stringify(url);
  const parsed = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)/.exec(url);
  if (parsed?.[1]?.toLowerCase() === 'https' && parsed[2] !== '') {
    if (URL.canParse(url)) return undefined;
    const bad = /[^A-Za-z0-9._~%!$&'()*+,;=:@[\]-]/u.exec(parsed[2] ?? '')?.[0];
    const reason =
      bad === undefined ? 'invalid URL' : `invalid character ${JSON.stringify(bad)} in host name`;
    return `Cannot parse ${quoted} as a URL for a network provider mirror: parse ${quoted}: ${reason}.`;
  }
  return `Cannot use ${quoted} as a URL for a network provider mirror: the mirror must be at an https: URL.`;
}

function normalised<T>(entries: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  const result = new Map<string, T>();
  for (const [name, value] of entries) {
    const parsed = parseHostname(name);
    if (typeof parsed === 'string') result.set(parsed, value);
  }
  return result;
}

function mapValues<A, B>(
  entries: ReadonlyMap<string, A> | undefined,
  change: (value: A) => B,
): ReadonlyMap<string, B> {
  return new Map([...(entries ?? [])].map(([key, value]) => [key, change(value)]));
}

function plain(message: string): Diagnostic {
  return { severity: 'error', summary: message, detail: '' };
}
