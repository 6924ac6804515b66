import type { World } from '../world.ts';

/**
 * Returns true if a CLI configuration may exist: the file in the home directory, `*.tfrc` and `*.tfrc.json` files in
 * the configuration directories, or environment variables that name one. The reader is loaded only then. Terraform
 * creates `~/.terraform.d` for its own purposes, so that the directory alone means nothing.
 */
export function hasCliConfig({
  environment,
  kindOf,
  namesIn,
}: Pick<World, 'environment' | 'kindOf' | 'namesIn'>): boolean {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  if (isSet('TF_CLI_CONFIG_FILE') || isSet('TERRAFORM_CONFIG') || isSet('TF_PLUGIN_CACHE_DIR'))
    return true;
  const { HOME: home, XDG_CONFIG_HOME: xdg } = environment;
  if (home === undefined || isSet('APPDATA')) return true;
  if (['.terraformrc', '.tofurc'].some((name) => kindOf(`${home}/${name}`) !== undefined))
    return true;
  const directories = [`${home}/.terraform.d`, ...(xdg === undefined ? [] : [`${xdg}/opentofu`])];
  return directories.some((directory) => {
    if (kindOf(directory) === undefined) return false;
    const names = namesIn(directory);
    return names === undefined || names.some((name) => /\.tfrc(?:\.json)?$/.test(name));
  });
}
