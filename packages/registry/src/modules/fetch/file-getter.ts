import type { GoUrl } from '@terrane/addresses';
import { copyDirectory } from '../copy-directory.ts';
import type { FetchContext } from './fetch-context.ts';
import { FetchFailed } from './fetch-failed.ts';
import type { Getter } from './getter.ts';

/** Local packages. A directory is not copied but linked, as in Terraform, wherever the file system has links. */
export const FILE_GETTER: Getter = {
  async directory(context, url, destination) {
    const path = pathOf(url);
    const { files } = context.host;
    const stat = await present(context, path);
    if (stat.kind !== 'directory') throw new FetchFailed('source path must be a directory');
    // Some file systems of Windows have no links.
    await files
      .symbolicLink(path, destination)
      .catch(() => copyDirectory(files, path, destination));
  },
  async file(context, url) {
    const path = pathOf(url);
    const stat = await present(context, path);
    if (stat.kind === 'directory') throw new FetchFailed('source path must be a file');
    return await context.host.files.readFile(path);
  },
};

function pathOf({ path, rawPath }: GoUrl): string {
  return rawPath === '' ? path : rawPath;
}

async function present(
  { host }: FetchContext,
  path: string,
): Promise<{ readonly kind: 'file' | 'directory' | 'other' }> {
  const stat = await host.files.stat(path);
  if (stat !== undefined) return stat;
  throw new FetchFailed(`source path error: stat ${path}: no such file or directory`);
}
