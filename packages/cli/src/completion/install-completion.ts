import { basename } from 'node:path/posix';
import type { FileSystem } from '@terrane/host';

type Files = Pick<FileSystem, 'stat' | 'readText' | 'writeFile' | 'makeDirectory' | 'remove'>;

/** The result of installing or removing the completion. */
export interface CompletionChange {
  /** files that were changed */
  readonly changed: readonly string[];
  /** the reason why nothing was changed */
  readonly problem?: string;
}

/** The completion file of fish. */
export const FISH = `function __complete_terrane
    set -lx COMP_LINE (commandline -cp)
    test -z (commandline -ct)
    and set COMP_LINE "$COMP_LINE "
    terrane
end
complete -f -c terrane -a "(__complete_terrane)"
`;
/** The line that enables bash's `complete` in zsh; other programs need it too. */
const ZSH_PREREQUISITE = 'autoload -U +X bashcompinit && bashcompinit';
/** The lines that enable the completion in bash. */
export const BASH: readonly string[] = ['complete -o nospace -C terrane terrane'];
/** The lines that enable the completion in zsh. */
export const ZSH: readonly string[] = [ZSH_PREREQUISITE, ...BASH];

/** The start-up files of a user's shells. */
interface Places {
  readonly home: string;
  /** `$XDG_CONFIG_HOME`, if it is set */
  readonly config: string | undefined;
  /** `$SHELL`, the path of the login shell, if it is set */
  readonly shell: string | undefined;
}

/** Installs completion for bash, zsh and fish: in existing start-up files, or in a new one of the login shell. */
export async function installCompletion(files: Files, places: Places): Promise<CompletionChange> {
  const changed: string[] = [];
  const fish = fishDirectory(places);
  const hasFish = (await files.stat(fish))?.kind === 'directory';
  const existing = await startFiles(files, places);
  const shell = existing.length > 0 || hasFish ? undefined : basename(places.shell ?? '');
  const added = newStartFile(shell, places);
  for (const { path, lines } of [...existing, ...added]) {
    const text = added.length > 0 ? '' : await files.readText(path);
    const present = new Set(text.split('\n'));
    const missing = lines.filter((line) => !present.has(line));
    if (missing.length === 0) continue;
    const gap = text === '' || text.endsWith('\n') ? '' : '\n';
    await files.writeFile(path, `${text}${gap}${missing.join('\n')}\n`);
    changed.push(path);
  }
  if (hasFish || shell === 'fish') {
    const path = `${fish}/completions/terrane.fish`;
    const before = (await files.stat(path)) === undefined ? undefined : await files.readText(path);
    if (before !== FISH) {
      await files.makeDirectory(`${fish}/completions`);
      await files.writeFile(path, FISH);
      changed.push(path);
    }
  }
  if (changed.length > 0) return { changed };
  if (shell === undefined) return { changed, problem: 'It is installed already.' };
  return {
    changed,
    problem: `No start file of bash, zsh or fish exists in ${places.home}, and SHELL names none of these shells. Create the file of your shell, for example with "touch ~/.bashrc", and run the command again, or add this line to it yourself:\n  ${BASH[0]}`,
  };
}

/** The start file to create for a login shell, if it needs one. */
function newStartFile(
  shell: string | undefined,
  { home }: Places,
): readonly { readonly path: string; readonly lines: readonly string[] }[] {
  if (shell === 'bash') return [{ path: `${home}/.bashrc`, lines: BASH }];
  if (shell === 'zsh') return [{ path: `${home}/.zshrc`, lines: ZSH }];
  return [];
}

/** Removes the lines that {@link installCompletion} wrote. */
export async function removeCompletion(files: Files, places: Places): Promise<CompletionChange> {
  const changed: string[] = [];
  for (const { path, lines } of await startFiles(files, places)) {
    const text = await files.readText(path);
    const remaining = text
      .split('\n')
      .filter((line) => line === ZSH_PREREQUISITE || !lines.includes(line));
    const after = remaining.join('\n');
    if (after === text) continue;
    await files.writeFile(path, after);
    changed.push(path);
  }
  const fish = `${fishDirectory(places)}/completions/terrane.fish`;
  if ((await files.stat(fish)) !== undefined) {
    await files.remove(fish);
    changed.push(fish);
  }
  return changed.length > 0 ? { changed } : { changed, problem: 'It is not installed.' };
}

const BASH_FILES = ['.bashrc', '.bash_profile', '.bash_login', '.profile'];

async function startFiles(
  files: Files,
  { home }: Places,
): Promise<readonly { readonly path: string; readonly lines: readonly string[] }[]> {
  const startUpFiles = [];
  for (const name of BASH_FILES) {
    const path = `${home}/${name}`;
    if ((await files.stat(path)) === undefined) continue;
    startUpFiles.push({ path, lines: BASH });
    break;
  }
  const zsh = `${home}/.zshrc`;
  if ((await files.stat(zsh)) !== undefined) startUpFiles.push({ path: zsh, lines: ZSH });
  return startUpFiles;
}

function fishDirectory({ home, config }: Places): string {
  return `${config ?? `${home}/.config`}/fish`;
}
