import type { World } from '../world.ts';

/** Whether anything says how the program is to work; nothing is loaded for those who have no such files. */
export function hasCliConfig({
  environment,
  kindOf,
}: Pick<World, 'environment' | 'kindOf'>): boolean {
  const set = (name: string): boolean => (environment[name] ?? '') !== '';
  if (set('TF_CLI_CONFIG_FILE') || set('TERRAFORM_CONFIG') || set('TF_PLUGIN_CACHE_DIR'))
    return true;
  const { HOME: home, XDG_CONFIG_HOME: xdg } = environment;
  if (home === undefined || set('APPDATA')) return true;
  const places = ['.terraformrc', '.tofurc', '.terraform.d'].map((name) => `${home}/${name}`);
  if (xdg !== undefined) places.push(`${xdg}/opentofu`);
  return places.some((path) => kindOf(path) !== undefined);
}
