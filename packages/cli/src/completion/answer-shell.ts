import { resolve } from 'node:path';
import { hasErrors } from '@terrane/hcl';
import { listWorkspaces, readState } from '@terrane/ops';
import { projectOf } from '../run/project-of.ts';
import type { World } from '../world.ts';
import { completeLine, type CompletionSources } from './complete-line.ts';

/**
 * Handles a completion request of a shell (bash's `complete -C`): the line is in `COMP_LINE`, the cursor position in
 * `COMP_POINT`, the word to replace is the second argument. Prints nothing on errors, which would disturb the prompt.
 */
export async function answerShell(world: World, args: readonly string[]): Promise<number> {
  const line = world.environment['COMP_LINE'] ?? '';
  const point = Number(world.environment['COMP_POINT'] ?? '');
  const before = Number.isSafeInteger(point) && point > 0 ? line.slice(0, point) : line;
  const candidates = await completeLine(before, sourcesOf(world));
  // A shell that splits words at `=` and `:` expects only the text after them.
  const word = before.split(/\s+/).at(-1) ?? '';
  const replaced = args[1];
  const known =
    replaced !== undefined && word.endsWith(replaced) ? word.length - replaced.length : 0;
  // Bash adds no space, because it does not know that a flag still needs its value. Shells that name no word add one.
  const end = (candidate: string): string =>
    replaced === undefined || /[=/]$/.test(candidate) ? '' : ' ';
  for (const candidate of candidates)
    world.stdout.write(`${candidate.slice(known)}${end(candidate)}\n`);
  return 0;
}

function sourcesOf(world: World): CompletionSources {
  const contextIn = (chdir: string): Parameters<typeof projectOf>[0] => ({
    world,
    directory: resolve(world.directory, chdir),
    originalDirectory: world.directory,
  });
  const { files } = projectOf(contextIn('.')).host;
  const orNothing = async (find: () => Promise<readonly string[]>): Promise<readonly string[]> => {
    try {
      return await find();
    } catch {
      return [];
    }
  };
  const stateIn = async (chdir: string) => {
    const { file, diagnostics } = await readState(projectOf(contextIn(chdir)));
    return hasErrors(diagnostics) ? undefined : file?.state;
  };
  return {
    workspaces: (chdir) =>
      orNothing(
        async () => (await listWorkspaces(projectOf(contextIn(chdir)))).result?.names ?? [],
      ),
    addresses: (chdir) =>
      orNothing(async () =>
        Array.from((await stateIn(chdir))?.instances() ?? [], ({ text }) => text),
      ),
    outputs: (chdir) => orNothing(async () => [...((await stateIn(chdir))?.outputs.keys() ?? [])]),
    paths: (beginning) =>
      orNothing(async () => {
        const slash = beginning.lastIndexOf('/') + 1;
        const [directory, name] = [beginning.slice(0, slash), beginning.slice(slash)];
        const entries = await files.readDirectory(directory === '' ? '.' : directory);
        return entries
          .filter((each) => each.name.startsWith(name))
          .filter((each) => name.startsWith('.') || !each.name.startsWith('.'))
          .map((each) => directory + each.name + (each.kind === 'directory' ? '/' : ''))
          .sort();
      }),
  };
}
