import type { FileSystem } from '@terrane/host';
import { posix } from 'node:path';
import { type ProjectName, replaceNames } from './project-name.ts';

/** Options of a generated project. */
export interface GenerateOptions {
  readonly name: ProjectName;
  /** target directory, which must be empty or not exist */
  readonly directory: string;
  /** directory with the template */
  readonly template: string;
  /** version of the Terrane packages that the project depends on */
  readonly version: string;
}

/**
 * Writes a project. Returns its files, relative to the directory.
 *
 * @throws Error if the directory is not empty
 */
export async function generate(
  { name, directory, template, version }: GenerateOptions,
  files: FileSystem,
): Promise<readonly string[]> {
  if ((await files.stat(directory)) !== undefined) {
    const [first] = await files.readDirectory(directory);
    if (first !== undefined) {
      throw new Error(
        `${directory} is not empty (it contains ${first.name}). Choose another directory with --directory.`,
      );
    }
  }
  const written: string[] = [];
  for (const path of await filesIn(template, '', files)) {
    const target = replaceNames(path.replaceAll(/(^|\/)_/g, '$1.'), name);
    const text = await files.readText(posix.join(template, path));
    const destination = posix.join(directory, target);
    await files.makeDirectory(posix.dirname(destination));
    await files.writeFile(
      destination,
      replaceNames(text, name).replaceAll('TERRANE_VERSION', version),
    );
    written.push(target);
  }
  return written.sort();
}

/** Returns the files in a directory, with their paths in it, sorted. */
async function filesIn(
  directory: string,
  below: string,
  files: FileSystem,
): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const { name, kind } of await files.readDirectory(posix.join(directory, below))) {
    const path = posix.join(below, name);
    if (kind === 'directory') paths.push(...(await filesIn(directory, path, files)));
    else paths.push(path);
  }
  return paths.sort();
}
