import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyTextChanges, ProjectModel, renameChanges } from '@terrane/analysis';
import { openWorkingDirectory } from '@terrane/ops';
import { memoryHost } from '@terrane/testkit';

/** The result for one directory: why it is not used, or the renames with what their plans would change. */
export type RenamedCase =
  | { readonly unused: string }
  | { readonly renamed: number; readonly refused: number; readonly problems: readonly string[] };

/** Files over this size are no configurations that somebody wrote. */
const MAX_BYTES = 100_000;

/**
 * Applies the configuration in a directory, if it can be applied without providers that must be installed, and renames
 * randomly chosen symbols, one after another. Each plan must have the same changes as before: none.
 */
export async function renameInCase(
  directory: string,
  renames: number,
  next: (limit: number) => number,
): Promise<RenamedCase> {
  const host = memoryHost({ cwd: '/r' });
  await host.files.makeDirectory('/r');
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const isRead = /\.(?:tf|tofu|tfvars|tf\.json|txt|tftpl)$/.test(name);
    if (!isRead || name.startsWith('.terraform')) continue;
    const bytes = readFileSync(join(directory, name));
    if (bytes.length > MAX_BYTES) return { unused: 'large' };
    const path = `/r/${name.replaceAll('\\', '/')}`;
    await host.files.makeDirectory(path.slice(0, path.lastIndexOf('/')));
    await host.files.writeFile(path, bytes);
  }
  const opened = openWorkingDirectory('/r', { host });
  const changesOf = async (): Promise<readonly string[]> =>
    (await opened.plan()).changes.map(({ action, address }) => `${action} ${address}`);
  try {
    await opened.init();
    await opened.apply();
    if ((await changesOf()).length > 0) return { unused: 'not stable' };
  } catch {
    return { unused: 'not applicable' };
  }
  const directories = (await moduleDirectories(host, '/r')).toSorted();
  const problems: string[] = [];
  let renamed = 0;
  let refused = 0;
  for (let turn = 0; turn < renames; turn++) {
    const project = new ProjectModel(host.files);
    project.setDirectories(directories);
    const targets = directories.flatMap((each) =>
      [...project.module(each).declarations.keys()].map((key) => ({ directory: each, key })),
    );
    const target = targets[next(targets.length)];
    if (target === undefined || /^provider\.[^.]+$/.test(target.key)) continue;
    const result = renameChanges(project, target, `renamed_${turn}`);
    if ('problem' in result) {
      refused++;
      continue;
    }
    for (const [path, changes] of result.changes)
      await host.files.writeFile(
        path,
        applyTextChanges(project.document(path)?.text ?? '', changes),
      );
    renamed++;
    try {
      // Calls of modules are recorded by their names.
      if (target.key.startsWith('module.')) await opened.init();
      for (const change of await changesOf()) problems.push(`${target.key}: ${change}`);
    } catch (error) {
      problems.push(`${target.key}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (problems.length > 0) break;
  }
  return { renamed, refused, problems };
}

async function moduleDirectories(
  host: ReturnType<typeof memoryHost>,
  directory: string,
): Promise<readonly string[]> {
  const entries = await host.files.readDirectory(directory);
  const inner = await Promise.all(
    entries
      .filter(({ name, kind }) => kind === 'directory' && !name.startsWith('.'))
      .map(({ name }) => moduleDirectories(host, `${directory}/${name}`)),
  );
  const isModule = entries.some(({ name }) => /\.(?:tf|tofu|tf\.json)$/.test(name));
  return [...(isModule ? [directory] : []), ...inner.flat()];
}
