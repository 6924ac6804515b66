import type { Project } from './project.ts';

/** Returns the path of the file that stores the directories of `init -plugin-dir`. */
function pathIn({ dataDirectory }: Project): string {
  return `${dataDirectory}/plugin_path`;
}

/** Returns the directories of the last `init -plugin-dir`; empty if there were none. */
export function rememberedPluginDirectories(project: Project): readonly string[] {
  const { files } = project.host;
  const path = pathIn(project);
  if (files.statSync(path)?.kind !== 'file') return [];
  try {
    const read: unknown = JSON.parse(new TextDecoder().decode(files.readFileSync(path)));
    return Array.isArray(read) ? read.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

/** Stores the directories of `-plugin-dir`, or removes the stored ones. */
export async function rememberPluginDirectories(
  project: Project,
  directories: readonly string[],
): Promise<void> {
  const { files } = project.host;
  if (directories.length === 0) {
    await files.remove(pathIn(project));
    return;
  }
  await files.makeDirectory(project.dataDirectory);
  await files.replaceFile(pathIn(project), JSON.stringify(directories, undefined, 2));
}
