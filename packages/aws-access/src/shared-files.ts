import type { AwsHost } from './aws-host.ts';
import type { CredentialPorts } from './credential-ports.ts';
import { firstVariable } from './read-connection.ts';

/** The keys of one section in the shared configuration files. */
export type Section = Readonly<Record<string, string>>;

/** The content of the shared files, and the paths that the libraries read them from. */
export interface SharedFiles {
  readonly filepath: string;
  readonly configFilepath: string;
  /** profiles; the credentials file has precedence over the configuration file */
  readonly profiles: ReadonlyMap<string, Section>;
  /** service endpoints, by section name: the `services` setting of a profile names a section */
  readonly services: ReadonlyMap<string, Section>;
}

const SERVICES = 'services.';
const SESSION = 'sso-session.';

/** Reads the shared files of a connection, or the default ones. Missing files are empty. */
export async function sharedFiles({
  aws,
  host,
  connection,
}: Pick<CredentialPorts, 'aws' | 'host' | 'connection'>): Promise<SharedFiles> {
  const home = host.environment.homeDirectory ?? '';
  const credentials =
    connection.credentialsFiles.length > 0
      ? connection.credentialsFiles
      : [`${home}/.aws/credentials`];
  const config =
    connection.configFiles.length > 0 ? connection.configFiles : [`${home}/.aws/config`];
  // The libraries read one file of each kind; of several, later ones add to and override earlier ones.
  const filepath = credentials.join(',');
  const configFilepath = config.join(',');
  aws.externalDataInterceptor.interceptFile(filepath, await textFiles(host, credentials));
  aws.externalDataInterceptor.interceptFile(configFilepath, await textFiles(host, config));
  const parsedFiles = await aws.loadSharedConfigFiles({
    filepath,
    configFilepath,
    ignoreCache: true,
  });
  const profiles = new Map<string, Section>();
  const services = new Map<string, Section>();
  for (const [name, section] of Object.entries(parsedFiles.configFile)) {
    if (name.startsWith(SERVICES)) services.set(name.slice(SERVICES.length), sectionOf(section));
    else if (!name.startsWith(SESSION)) profiles.set(name, sectionOf(section));
  }
  for (const [name, section] of Object.entries(parsedFiles.credentialsFile)) {
    profiles.set(name, { ...profiles.get(name), ...sectionOf(section) });
  }
  return { filepath, configFilepath, profiles, services };
}

/** Returns the explicit profile of the connection or the environment; undefined: there is none. */
export function namedProfile({
  host,
  connection,
}: Pick<CredentialPorts, 'host' | 'connection'>): string | undefined {
  return (
    connection.profile ?? firstVariable(host.environment, ['AWS_PROFILE', 'AWS_DEFAULT_PROFILE'])
  );
}

function sectionOf(parsed: Readonly<Partial<Record<string, string>>>): Section {
  return Object.fromEntries(
    Object.entries(parsed).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Reads a file as text. */
export async function textFile({ files }: AwsHost, path: string): Promise<string> {
  return new TextDecoder().decode(await files.readFile(path));
}

async function textFiles(host: AwsHost, paths: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const path of paths) {
    if ((await host.files.stat(path)) !== undefined) texts.push(await textFile(host, path));
  }
  return texts.join('\n');
}
