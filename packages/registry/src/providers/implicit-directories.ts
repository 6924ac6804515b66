import type { Environment } from '@terrane/host';

/**
 * Returns the directories to search for providers if the CLI configuration names none, in order: `terraform.d/plugins`,
 * `plugins` of the CLI configuration directory, those of OpenTofu if `XDG_DATA_HOME` is set, and the data directories
 * of this system (XDG directories, Application Support, AppData), under Terraform's names.
 */
export function implicitDirectories(
  environment: Environment,
  cliConfigDirectory: string | undefined,
): string[] {
  const directories = ['terraform.d/plugins'];
  if (cliConfigDirectory !== undefined) directories.push(`${cliConfigDirectory}/plugins`);
  const data = variable(environment, 'XDG_DATA_HOME');
  if (data !== undefined && environment.platform !== 'win32')
    directories.push(`${data}/opentofu/plugins`);
  return [...directories, ...systemDirectories(environment)];
}

function variable(environment: Environment, name: string): string | undefined {
  const value = environment.get(name) ?? '';
  return value === '' ? undefined : value;
}

function systemDirectories(environment: Environment): string[] {
  const home = environment.homeDirectory ?? '';
  switch (environment.platform) {
    case 'darwin':
      return [
        `${home}/Library/Application Support/io.terraform/plugins`,
        '/Library/Application Support/io.terraform/plugins',
      ];
    case 'win32':
      return [
        `${variable(environment, 'APPDATA') ?? `${home}/AppData/Roaming`}/HashiCorp/Terraform/plugins`,
      ];
    default: {
      const dataHome = variable(environment, 'XDG_DATA_HOME');
      const shared = variable(environment, 'XDG_DATA_DIRS') ?? '/usr/local/share:/usr/share';
      return [
        dataHome !== undefined && dataHome.startsWith('/') ? dataHome : `${home}/.local/share`,
        // Relative ones are to be ignored.
        ...shared.split(':').filter((path) => path.startsWith('/')),
      ].map((base) => `${base}/terraform/plugins`);
    }
  }
}
