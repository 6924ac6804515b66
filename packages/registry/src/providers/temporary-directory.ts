import type { Environment, Host } from '@terrane/host';

/** Returns the directory for temporary files. */
function temporaryRoot({ get, platform }: Environment): string {
  for (const name of platform === 'win32' ? ['TMP', 'TEMP', 'USERPROFILE'] : ['TMPDIR']) {
    const value = get(name) ?? '';
    if (value !== '') return value.replace(/[\\/]$/, '');
  }
  return platform === 'win32' ? 'C:\\Windows\\Temp' : '/tmp';
}

/** Runs a task with a temporary directory, which is removed afterwards. */
export async function withTemporaryDirectory<T>(
  { files, environment, random }: Pick<Host, 'files' | 'environment' | 'random'>,
  prefix: string,
  task: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = `${temporaryRoot(environment)}/${prefix}${random.uuid()}`;
  await files.makeDirectory(directory);
  try {
    return await task(directory);
  } finally {
    await files.removeTree(directory);
  }
}
