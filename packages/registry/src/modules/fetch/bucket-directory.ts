import { createPool } from '@terrane/host';
import type { FetchContext } from './fetch-context.ts';
import { pathProblem } from '../../file-names.ts';
import { FetchFailed } from './fetch-failed.ts';

/** A bucket as its objects are found and read. */
export interface Bucket {
  /** lists the names with the path as a prefix, by page; `next` is the token of the next page */
  list(
    token: string | undefined,
  ): Promise<{ readonly names: readonly string[]; readonly next?: string }>;
  read(name: string): Promise<Uint8Array>;
}

const AT_ONCE = 8;

/** Downloads all objects below a path of a bucket to a directory. */
export async function bucketDirectory(
  { host, signal }: FetchContext,
  destination: string,
  path: string,
  bucket: Bucket,
): Promise<void> {
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`;
  const pool = createPool(AT_ONCE);
  const reads: Promise<void>[] = [];
  let token: string | undefined;
  do {
    const page = await bucket.list(token);
    for (const name of page.names) {
      // Other names with the same prefix are not below the directory; a name with a trailing slash is not a file.
      if (!name.startsWith(prefix) || name.endsWith('/')) continue;
      const inside = name.slice(prefix.length);
      const parts = inside.split('/');
      const problem = pathProblem(inside, host.files.nameRules);
      if (problem !== undefined) throw new FetchFailed(problem);
      reads.push(
        pool.run(async () => {
          const target = `${destination}/${parts.filter((part) => part !== '').join('/')}`;
          const content = await bucket.read(name);
          await host.files.makeDirectory(target.slice(0, target.lastIndexOf('/')));
          await host.files.writeFile(target, content);
        }, signal),
      );
    }
    token = page.next;
  } while (token !== undefined);
  if (reads.length === 0) throw new FetchFailed(`no objects found below ${path}`);
  const failed = (await Promise.allSettled(reads)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
