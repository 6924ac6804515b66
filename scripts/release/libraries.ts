// The packages to publish, as archives for npm.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import { type ArchiveFile, tarGz } from './archive.ts';
import { type Identity, readJson } from './identity.ts';
import {
  type Manifest,
  publishedDeclarations,
  publishedManifest,
  publishedReadme,
  type SourcePackage,
} from './manifest.ts';
import { BUNDLED, bundleLibrary } from './bundle-library.ts';
import type { Platform } from './platforms.ts';

export type { SourcePackage } from './manifest.ts';

/** A package as an archive for npm. */
export interface PackedPackage {
  readonly name: string;
  /** such as "terrane-cty-0.1.0.tgz" */
  readonly file: string;
  readonly contents: Uint8Array;
}

/** Returns the packages of the repository that are published, the program among them. */
export function publicPackages(): readonly SourcePackage[] {
  const folders = ['packages', 'providers'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  );
  return folders
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readJson<Manifest>(`${folder}/package.json`) }))
    .filter(({ manifest }) => manifest.private !== true);
}

/** Returns the files in a directory of the repository, with paths relative to `folder`. */
export function filesIn(folder: string, directory: string): readonly ArchiveFile[] {
  const top = join(root, folder, directory);
  return readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(top, path)).isFile())
    .map((path) => ({
      path: `${directory}/${path.replaceAll('\\', '/')}`,
      contents: readFileSync(join(top, path)),
    }));
}

const json = (value: unknown): Uint8Array =>
  Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);

async function pack(manifest: Manifest, files: readonly ArchiveFile[]): Promise<PackedPackage> {
  const binaries = new Set(Object.values(manifest.bin ?? {}).map((path) => path.replace('./', '')));
  const all = [...files, { path: 'package.json', contents: json(manifest) }].map((file) => ({
    ...file,
    path: `package/${file.path}`,
    executable: file.executable === true || binaries.has(file.path),
  }));
  const name = manifest.name.replace('@', '').replace('/', '-');
  return {
    name: manifest.name,
    file: `${name}-${manifest.version}.tgz`,
    contents: await tarGz(all),
  };
}

/** Returns the documents that every package has. */
function documents({ folder }: SourcePackage, identity: Identity): readonly ArchiveFile[] {
  const readme = readFileSync(join(root, folder, 'README.md'), 'utf8');
  return [
    {
      path: 'README.md',
      contents: Buffer.from(publishedReadme(readme, folder, identity)),
    },
    { path: 'LICENSE', contents: readFileSync(join(root, 'LICENSE')) },
  ];
}

/** Packs a library: its compiled code, its declarations, and other files that its manifest lists. */
export async function packLibrary(
  source: SourcePackage,
  identity: Identity,
): Promise<PackedPackage> {
  const { folder, manifest } = source;
  const patterns = manifest.files ?? [];
  const bundled = BUNDLED[manifest.name];
  const left = patterns.flatMap((pattern) =>
    pattern.startsWith('!') ? [`${pattern.slice(1)}/`] : [],
  );
  const files = patterns
    .filter((pattern) => !pattern.startsWith('!'))
    .flatMap((directory) => filesIn(folder, directory))
    .filter(({ path }) => !left.some((directory) => path.startsWith(directory)))
    .map((file) =>
      file.path.endsWith('.d.ts')
        ? {
            ...file,
            contents: Buffer.from(publishedDeclarations(Buffer.from(file.contents).toString())),
          }
        : file,
    );
  const published = publishedManifest(manifest, folder, identity);
  if (bundled === undefined) return pack(published, [...files, ...documents(source, identity)]);
  const { outputs, notices } = await bundleLibrary(source, bundled);
  const dependencies = Object.entries(published.dependencies ?? {});
  return pack(
    {
      ...published,
      dependencies: Object.fromEntries(dependencies.filter(([name]) => !bundled.includes(name))),
      files: [...patterns, 'THIRD-PARTY-NOTICES.txt'],
    },
    [
      ...files.filter(({ path }) => !/^dist\/.*\.js$/.test(path)),
      ...outputs,
      { path: 'THIRD-PARTY-NOTICES.txt', contents: Buffer.from(notices) },
      ...documents(source, identity),
    ],
  );
}

/** Packs the program: the JavaScript program, and a launcher that prefers the executable of a platform package. */
export function packProgram(
  source: SourcePackage,
  platforms: readonly Platform[],
  identity: Identity,
): Promise<PackedPackage> {
  const { folder, manifest } = source;
  const executables = platforms.map(({ npm }) => [`@terrane/cli-${npm}`, identity.version]);
  const published: Manifest = {
    ...publishedManifest(manifest, folder, identity),
    bin: { terrane: './bin/terrane.js' },
    files: ['bin', 'dist'],
    exports: { './package.json': './package.json' },
    type: 'commonjs',
    optionalDependencies: {
      ...Object.fromEntries(executables),
      ...manifest.optionalDependencies,
    },
  };
  const launcher = readFileSync(join(root, 'scripts/release/npm/terrane.js'));
  return pack(published, [
    ...filesIn(folder, 'dist'),
    { path: 'bin/terrane.js', contents: launcher },
    ...documents(source, identity),
  ]);
}

/** Packs the executable of a platform. */
export function packExecutable(
  platform: Platform,
  executable: Uint8Array,
  notices: string,
  identity: Identity,
): Promise<PackedPackage> {
  const file = platform.os === 'win32' ? 'terrane.exe' : 'terrane';
  const name = `@terrane/cli-${platform.npm}`;
  const source: Manifest = {
    name,
    version: identity.version,
    description: `The executable of Terrane for ${platform.npm}; installed by the package "terrane".`,
    license: 'MPL-2.0',
    files: ['bin', 'THIRD-PARTY-NOTICES.txt'],
    preferUnplugged: true,
    os: [platform.os],
    cpu: [platform.cpu],
    ...(platform.os === 'linux' ? { libc: ['glibc'] } : {}),
  };
  const manifest = publishedManifest(source, 'packages/cli', identity);
  const readme = `# ${name}\n\nThe executable of [Terrane](${identity.homepage}) for ${platform.npm}. Install the package \`terrane\`, which starts it.\n`;
  return pack(manifest, [
    { path: `bin/${file}`, contents: executable, executable: true },
    { path: 'README.md', contents: Buffer.from(readme) },
    { path: 'LICENSE', contents: readFileSync(join(root, 'LICENSE')) },
    { path: 'THIRD-PARTY-NOTICES.txt', contents: Buffer.from(notices) },
  ]);
}
