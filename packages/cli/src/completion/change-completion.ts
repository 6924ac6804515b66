import { projectOf } from '../run/project-of.ts';
import type { World } from '../world.ts';
import { installCompletion, removeCompletion } from './install-completion.ts';

/** Installs or removes shell completion for the user's shells, and reports the changes. */
export async function changeCompletion(
  world: World,
  operation: 'install' | 'remove',
): Promise<number> {
  const { HOME: home = '', XDG_CONFIG_HOME: config, SHELL: shell } = world.environment;
  if (home === '') {
    world.stderr.write('Error executing CLI: HOME says nothing of where the shells are set up.\n');
    return 1;
  }
  const { files } = projectOf({
    world,
    directory: world.directory,
    originalDirectory: world.directory,
  }).host;
  const change = operation === 'install' ? installCompletion : removeCompletion;
  const places = { home, config: config === '' ? undefined : config, shell };
  const { changed, problem } = await change(files, places);
  for (const path of changed) world.stdout.write(`Changed ${path}\n`);
  if (problem === undefined) {
    if (operation === 'install')
      world.stdout.write('New shells complete the command lines of terrane.\n');
    return 0;
  }
  world.stderr.write(`Error executing CLI: ${problem}\n`);
  return 1;
}
