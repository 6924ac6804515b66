import type { FileSystem } from '@terrane/host';

/** Version control directories of a module, which are not copied. */
export const HISTORY: ReadonlySet<string> = new Set(['.git', '.hg']);

/** Copies the content of a directory into a new one; links and modes are preserved. */
export async function copyDirectory(files: FileSystem, from: string, to: string): Promise<void> {
  await files.makeDirectory(to);
  for (const { name, kind } of await files.readDirectory(from)) {
    const [source, target] = [`${from}/${name}`, `${to}/${name}`];
    if (kind === 'directory') {
      if (!HISTORY.has(name)) await copyDirectory(files, source, target);
    } else if (kind === 'link') {
      const linkTarget = await files.readLink(source);
      if (linkTarget !== undefined) await files.symbolicLink(linkTarget, target);
    } else if (kind === 'file') await files.copyFile(source, target);
  }
}
