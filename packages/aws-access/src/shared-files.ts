import type { AwsHost } from './aws-host.ts';
import type { CredentialPorts } from './credential-ports.ts';

/** Profiles of the shared files, and under which names the libraries find those. */
export async function sharedFiles({
  aws,
  host,
  connection,
}: Pick<CredentialPorts, 'aws' | 'host' | 'connection'>): Promise<{
  readonly filepath: string;
  readonly configFilepath: string;
  readonly profiles: ReadonlySet<string>;
  /** regions of those that say one */
  readonly regions: ReadonlyMap<string, string>;
}> {
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
  const read = await aws.loadSharedConfigFiles({ filepath, configFilepath, ignoreCache: true });
  const profiles = [...Object.keys(read.configFile), ...Object.keys(read.credentialsFile)];
  const regions = Object.entries(read.configFile).flatMap(([name, { region }]) =>
    region === undefined ? [] : [[name, region] as const],
  );
  return { filepath, configFilepath, profiles: new Set(profiles), regions: new Map(regions) };
}

/** What is in a file as text. */
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
