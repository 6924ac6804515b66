import type { Environment, FileSystem } from '@terrane/host';

/** The host ports needed to locate the user's files. */
export interface UserPorts {
  readonly environment: Environment;
  readonly files: Pick<FileSystem, 'statSync' | 'readFileSync' | 'readDirectorySync'>;
}

/** The file that an environment variable names; undefined where none does. */
export function givenConfigFile({ environment }: UserPorts): string | undefined {
  for (const name of ['TF_CLI_CONFIG_FILE', 'TERRAFORM_CONFIG']) {
    const path = environment.get(name);
    if (path !== undefined && path !== '') return path;
  }
  return undefined;
}

/**
 * Returns the path of the user's configuration file, if it exists: Terraform's, otherwise OpenTofu's in the home
 * directory, otherwise that in the XDG directory.
 */
export function userConfigFile(ports: UserPorts): string | undefined {
  const { environment, files } = ports;
  const home = homeOf(environment);
  const candidates: string[] = [];
  if (environment.platform === 'win32') {
    const data = environment.get('APPDATA');
    if (data !== undefined) candidates.push(`${data}\\terraform.rc`, `${data}\\tofu.rc`);
  } else if (home !== undefined) candidates.push(`${home}/.terraformrc`, `${home}/.tofurc`);
  const xdg = environment.get('XDG_CONFIG_HOME');
  if (xdg !== undefined && xdg !== '') candidates.push(`${xdg}/opentofu/tofurc`);
  return candidates.find((path) => files.statSync(path) !== undefined);
}

/** Returns the directory of the user's files: `~/.terraform.d`, or OpenTofu's XDG directory if that is missing. */
export function userDirectory(ports: UserPorts): string | undefined {
  const { environment, files } = ports;
  if (environment.platform === 'win32') {
    const data = environment.get('APPDATA');
    return data === undefined ? undefined : `${data}\\terraform.d`;
  }
  const home = homeOf(environment);
  const defaultDirectory = home === undefined ? undefined : `${home}/.terraform.d`;
  const xdg = environment.get('XDG_CONFIG_HOME');
  if (xdg === undefined || xdg === '') return defaultDirectory;
  if (defaultDirectory !== undefined && files.statSync(defaultDirectory) !== undefined)
    return defaultDirectory;
  const other = `${xdg}/opentofu`;
  // The OpenTofu directory is not created for users of other programs.
  return defaultDirectory === undefined || files.statSync(other) !== undefined
    ? other
    : defaultDirectory;
}

/** Returns the home directory; the environment variable has precedence. */
export function homeOf(environment: Environment): string | undefined {
  const home = environment.get('HOME');
  return home === undefined || home === '' ? environment.homeDirectory : home;
}
