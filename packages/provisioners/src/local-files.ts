import type { FileSystem } from '@terrane/host';
import { pathProblem } from './path-problem.ts';

/** The bytes of a file; failures read as Go's. */
export async function contentOf(files: FileSystem, path: string): Promise<Uint8Array> {
  try {
    return await files.readFile(path);
  } catch (error) {
    throw pathProblem('open', path, error);
  }
}

/** Returns the sorted entries of a directory; errors are worded as Go's. */
export async function listing(files: FileSystem, path: string): Promise<readonly string[]> {
  try {
    return (await files.readDirectory(path)).map(({ name }) => name);
  } catch (error) {
    throw pathProblem('open', path, error);
  }
}
