import { goUrlText, queryEncode, queryOf } from '@terrane/addresses';
import { scratchPath } from './fetch-context.ts';
import type { Getter } from './getter.ts';
import { absolute, findProgram } from './run-program.ts';

/** Fetches Mercurial repositories with the installed `hg`. */
export const MERCURIAL_GETTER: Getter = {
  async directory(context, address, destination) {
    const hg = await findProgram(context, 'hg');
    const query = queryOf(address);
    const revision = query.get('rev')?.[0] ?? '';
    query.delete('rev');
    const url =
      query.size === 0 && revision === '' ? address : { ...address, rawQuery: queryEncode(query) };
    await hg.run(['clone', '-U', '--', goUrlText(url), absolute(context, destination)]);
    const inside = { cwd: destination };
    await hg.run(['pull'], inside);
    await hg.run(['update', ...(revision === '' ? [] : ['--', revision])], inside);
  },
  async file(context, url) {
    const slash = url.path.lastIndexOf('/');
    const repository = { ...url, path: url.path.slice(0, slash) || '/', rawPath: '' };
    const checkout = scratchPath(context);
    try {
      await MERCURIAL_GETTER.directory(context, repository, checkout);
      return await context.host.files.readFile(`${checkout}/${url.path.slice(slash + 1)}`);
    } finally {
      await context.host.files.removeTree(checkout);
    }
  },
};
