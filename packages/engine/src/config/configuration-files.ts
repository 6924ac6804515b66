import { cleanPath, isQueryFile } from '@terrane/addresses';
import { compareText } from '@terrane/cty';
import type { FileSystem } from '@terrane/host';

/** The files of a module directory that are configuration, in the order in which they are read. */
export interface ConfigurationFiles {
  readonly primary: readonly string[];
  readonly overrides: readonly string[];
  /** query files, which most commands ignore */
  readonly queries: readonly string[];
}

const EXTENSIONS = ['.tf', '.tf.json', '.tofu', '.tofu.json'] as const;

/**
 * Selects configuration files by name: a `.tofu` file hides the `.tf` file of the same stem (and so with `.tofu.json`),
 * `override` and `*_override` are separate, hidden files and backups of editors are ignored. Undefined if the directory
 * cannot be read.
 */
export function configurationFiles(
  files: Pick<FileSystem, 'readDirectorySync'>,
  directory: string,
  allowOpenTofu: boolean = true,
): ConfigurationFiles | undefined {
  let names: string[];
  try {
    names = files
      .readDirectorySync(directory)
      .filter((entry) => entry.kind !== 'directory')
      .map((entry) => entry.name)
      .sort(compareText);
  } catch {
    return undefined;
  }
  const present = new Set(names);
  const primary: string[] = [];
  const overrides: string[] = [];
  const queries: string[] = [];
  for (const name of names) {
    if (isQueryFile(name) && !isIgnoredFile(name)) queries.push(cleanPath(`${directory}/${name}`));
    const extension = EXTENSIONS.find((candidate) => name.endsWith(candidate));
    if (extension === undefined || isIgnoredFile(name)) continue;
    const stem = name.slice(0, -extension.length);
    if (extension.startsWith('.tofu')) {
      if (!allowOpenTofu) continue;
    } else if (allowOpenTofu && present.has(`${stem}${extension.replace('.tf', '.tofu')}`)) {
      continue;
    }
    const isOverride = stem === 'override' || stem.endsWith('_override');
    (isOverride ? overrides : primary).push(cleanPath(`${directory}/${name}`));
  }
  return { primary, overrides, queries };
}

/** Returns true if a file is hidden, or a backup of an editor. */
export function isIgnoredFile(name: string): boolean {
  return name.startsWith('.') || name.endsWith('~') || (name.startsWith('#') && name.endsWith('#'));
}
