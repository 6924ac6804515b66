import type { Environment } from '@terrane/host';

/**
 * The directories that are looked into for providers where the CLI configuration names none, in order:
 * `terraform.d/plugins`, `plugins` of the CLI configuration directory, those of OpenTofu where `XDG_DATA_HOME` is set,
 * and where this system keeps data of programs (XDG directories, Application Support, AppData), under Terraform's names.
 */
export function implicitDirectories(
  environment: Environment,
  cliConfigDirectory: string | undefined,
): string[] {
  const directories = ['terraform.d/plugins'];
  if (cliConfigDirectory !== undefined) directories.push(`${cliConfigDirectory}/plugins`);
  const data = given(environment, 'XDG_DATA_HOME');
  if (data !== undefined && environment.platform !== 'win32')
    directories.push(`${data}/opentofu/plugins`);
  return [...directories, ...systemDirectories(environment)];
}

function given(environment: Environment, name: string): string | undefined {
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
        `${given(environment, 'APPDATA') ?? `${home}/AppData/Roaming`}/HashiCorp/Terraform/plugins`,
      ];
    default: {
      const own = given(environment, 'XDG_DATA_HOME');
      const shared = given(environment, 'XDG_DATA_DIRS') ?? '/usr/local/share:/usr/share';
      return [
        own !== undefined && own.startsWith('/') ? own : `${home}/.local/share`,
        // Relative ones are to be ignored.
        ...shared.split(':').filter((path) => path.startsWith('/')),
      ].map((base) => `${base}/terraform/plugins`);
    }
  }
}
