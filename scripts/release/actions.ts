// The GitHub Actions, as files of their repositories.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../root.ts';
import { thirdPartyNotices } from '../third-party-notices.ts';
import type { ArchiveFile } from './archive.ts';
import { type Identity } from './identity.ts';
import { publishedReadme } from './manifest.ts';

const FOLDER = 'actions';

/** Entry points: the action itself, and programs that it installs. */
const ENTRIES = ['index.ts', 'wrapper.ts'];

/** Returns the names of the actions. */
export function actionNames(): readonly string[] {
  return readdirSync(join(root, FOLDER)).sort();
}

/** Bundles the scripts of an action and returns the files of its repository, with paths in it. */
export async function packAction(
  name: string,
  identity: Identity,
): Promise<readonly ArchiveFile[]> {
  const folder = `${FOLDER}/${name}`;
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const sources = readdirSync(join(root, folder, 'src'));
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES.filter((entry) => sources.includes(entry)).map(
      (entry) => `${folder}/src/${entry}`,
    ),
    outdir: join(root, folder, 'dist'),
    bundle: true,
    // A file without a manifest beside it is CommonJS to every Node.
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    define: { 'import.meta.dirname': '__dirname' },
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const file = (path: string, text: string): ArchiveFile => ({ path, contents: Buffer.from(text) });
  return [
    file('action.yml', read(`${folder}/action.yml`)),
    file('README.md', publishedReadme(read(`${folder}/README.md`), folder, identity)),
    file('LICENSE', read('LICENSE')),
    file('THIRD-PARTY-NOTICES.txt', thirdPartyNotices(root, Object.keys(metafile.inputs))),
    ...outputFiles.map(({ path, contents }) => ({
      path: path.replaceAll('\\', '/').split(`/${folder}/`).at(-1) ?? path,
      contents,
    })),
  ];
}
