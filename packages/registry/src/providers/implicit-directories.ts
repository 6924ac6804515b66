import type { Environment } from '@terrane/host';

/**
 * The directories that are looked into for providers where the CLI configuration names none, in order:
 * `terraform.d/plugins`, `plugins` of the CLI configuration directory, and where this system keeps data of
 * programs (XDG directories, Application Support, AppData), under Terraform's names.
 */
export function implicitDirectories(
  environment: Environment,
  cliConfigDirectory: string | undefined,
): string[] {
  const directories = ['terraform.d/plugins'];
  if (cliConfigDirectory !== undefined) directories.push(`${cliConfigDirectory}/plugins`);
  return [...directories, ...systemDirectories(environment)];
}

function systemDirectories(environment: Environment): string[] {
  const home = environment.homeDirectory ?? '';
  const given = (name: string): string | undefined => {
    const value = environment.get(name) ?? '';
    return value === '' ? undefined : value;
  };
  switch (environment.platform) {
    case 'darwin':
      return [
        `${home}/Library/Application Support/io.terraform/plugins`,
        '/Library/Application Support/io.terraform/plugins',
      ];
    case 'win32':
      return [`${given('APPDATA') ?? `${home}/AppData/Roaming`}/HashiCorp/Terraform/plugins`];
    default: {
      const own = given('XDG_DATA_HOME');
      const shared = given('XDG_DATA_DIRS') ?? '/usr/local/share:/usr/share';
      return [
        own !== undefined && own.startsWith('/') ? own : `${home}/.local/share`,
        // Relative ones are to be ignored.
        ...shared.split(':').filter((path) => path.startsWith('/')),
      ].map((base) => `${base}/terraform/plugins`);
    }
  }
}
