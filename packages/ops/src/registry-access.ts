import {
  defaultRegistry,
  IMPLIED_HOST,
  type InstalledCall,
  ModuleInstaller,
  type OciCredentialsOf,
  ociLogins,
  ServiceDirectory,
  type ModuleRecord,
  type ModuleVerifier,
} from '@terrane/registry';
import { cliConfigOf, credentialsOf } from './cli-config/cli-config-of.ts';
import type { Project } from './project.ts';

/** Returns the service directory with the user's hosts and credentials. */
export function serviceDirectory(project: Project): ServiceDirectory {
  const { hosts, registryProtocols } = cliConfigOf(project);
  const { retryCount, requestTimeoutMs } = registryProtocols;
  return new ServiceDirectory({
    host: project.host,
    credentials: credentialsOf(project).credentials,
    overrides: hosts,
    requests: { retries: retryCount, timeoutMs: requestTimeoutMs },
  });
}

/** Returns the user's credentials for OCI registries. */
export function ociCredentialsOf(project: Project): OciCredentialsOf {
  const { ociCredentials, ociDefaultCredentials } = cliConfigOf(project);
  return ociLogins(project.host, ociCredentials, ociDefaultCredentials);
}

/** Returns an installer of modules into a directory. */
export function moduleInstaller(
  project: Project,
  directory: string,
  {
    signal,
    records = [],
    verifier,
  }: {
    readonly signal: AbortSignal;
    readonly records?: Iterable<ModuleRecord>;
    readonly verifier?: ModuleVerifier | undefined;
  },
): ModuleInstaller {
  return new ModuleInstaller({
    host: project.host,
    directory,
    records,
    services: serviceDirectory(project),
    ociCredentials: ociCredentialsOf(project),
    registryHost: (call) => hostOf(project, call),
    signal,
    verifier,
  });
}

/** Returns the host of a registry module: the explicit one, otherwise the default or its replacement. */
function hostOf(project: Project, call: InstalledCall): ReturnType<typeof defaultRegistry> {
  const host = call.source?.kind === 'registry' ? call.source.host : IMPLIED_HOST;
  const isExplicit = call.sourceText.toLowerCase().startsWith(`${IMPLIED_HOST}/`);
  return host === IMPLIED_HOST && !isExplicit
    ? defaultRegistry(project.host.environment, cliConfigOf(project).defaultRegistry)
    : host;
}
