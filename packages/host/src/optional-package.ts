import { errorText } from './error-text.ts';

const NOT_FOUND: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/**
 * Imports a module that requires optional packages.
 *
 * @param feature the subject of the error message, such as `The backend "s3"`
 * @param packages all packages that the module imports
 * @throws Error naming the missing package and the command that installs all of them
 */
export async function importOptional<T>(
  feature: string,
  packages: readonly string[],
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    const text = errorText(error);
    const missing = packages.find(
      (name) => text.includes(`'${name}'`) || text.includes(`'${name}/`),
    );
    if (!NOT_FOUND.has(code) || missing === undefined) throw error;
    throw new Error(
      `${feature} requires the package "${missing}", which is not installed. Install it with: npm install ${packages.join(' ')}`,
      { cause: error },
    );
  }
}
