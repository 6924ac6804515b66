import { createHash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import type { Host } from '@terrane/host';
import { bundleProvider } from './bundle.ts';
import { devOverrides } from './dev-overrides.ts';
import { artifactName, executableName, providerName, sourceAddress } from './provider-name.ts';
import type { ProviderName } from './provider-name.ts';
import { programText, scriptExecutable } from './script-executable.ts';
import { singleExecutable } from './single-executable.ts';
import { zip } from './zip.ts';

/**
 * Options of packaging: the sources of a provider and the target directory. Paths may be relative to the host's working
 * directory.
 */
export interface PackageOptions {
  /** source address: `acme/thing`, optionally with the host of a registry */
  readonly address: string;
  /** `1.2.0` */
  readonly version: string;
  /** the main file of the provider, which is bundled with esbuild; alternative to `bundle` */
  readonly entry?: string;
  /** a bundle that exists: one file of CommonJS or of no module system, without imports but of Node's own */
  readonly bundle?: string;
  readonly conditions?: readonly string[];
  readonly minify?: boolean;
  /** default: Linux and macOS on both processors, which all use the same script */
  readonly platforms?: readonly string[];
  /**
   * versions of the plugin protocol for the registry; default `6.0`, and `5.0` if the schema has no nested attributes
   */
  readonly protocols?: readonly string[];
  /** platforms of executables that include Node, with the Node program of each; undefined: the running one */
  readonly single?: ReadonlyMap<string, string | undefined>;
  /** the output directory; default: `dist` */
  readonly out?: string;
  /** directory of the mirror, whose existing content is kept; default: `mirror` in `out` */
  readonly mirror?: string;
}

/** The result of packaging; all paths are absolute. */
export interface PackagedProvider {
  readonly name: ProviderName;
  readonly out: string;
  readonly archives: readonly string[];
  readonly manifest: string;
  readonly checksums: string;
  /** a filesystem mirror, which a web server can also serve as a network mirror */
  readonly mirror: string;
  /** the executable for this machine, in a separate directory for `dev_overrides`; undefined for other platforms */
  readonly executable: string | undefined;
  /** a CLI configuration with which programs run the executable; undefined without executable */
  readonly developmentConfig: string | undefined;
}

/** The platforms that one script serves. */
export const SCRIPT_PLATFORMS: readonly string[] = [
  'darwin_amd64',
  'darwin_arm64',
  'linux_amd64',
  'linux_arm64',
];

/**
 * Creates the files for publishing a provider: an archive for each platform, the manifest for the registry, the
 * checksums to sign, and a mirror. The output is reproducible.
 *
 * @throws Error with the reason
 */
export async function packageProvider(
  options: PackageOptions,
  host: Pick<Host, 'files' | 'spawn' | 'environment'>,
  node: string,
): Promise<PackagedProvider> {
  const { files, environment } = host;
  const name = providerName(options.address, options.version);
  const single = options.single ?? new Map<string, undefined>();
  const platforms = [
    ...new Set([
      ...(options.platforms ?? (single.size > 0 ? [] : SCRIPT_PLATFORMS)),
      ...single.keys(),
    ]),
  ].sort();
  for (const platform of platforms) checkPlatform(platform, single.has(platform));
  const out = resolve(environment.cwd, options.out ?? 'dist');
  await files.makeDirectory(out);

  const { archives, executable } = await packPlatforms(name, platforms, out, options, host, node);
  await files.removeTree(join(out, '.single'));

  const { manifest, checksums } = await writeListings(name, out, archives, options, files);
  const mirror =
    options.mirror === undefined ? join(out, 'mirror') : resolve(environment.cwd, options.mirror);
  await writeMirror(mirror, name, archives, files);
  let developmentConfig: string | undefined;
  if (executable !== undefined) {
    developmentConfig = join(out, 'dev.tfrc');
    const overrides = devOverrides(sourceAddress(name), dirname(executable));
    await files.writeFile(developmentConfig, `${overrides.replaceAll(/^ {2}/gm, '')}\n`);
  }
  return {
    name,
    out,
    archives: archives.map(({ path }) => path),
    manifest,
    checksums,
    mirror,
    executable,
    developmentConfig,
  };
}

/** The archive of a platform. */
interface Archive {
  readonly path: string;
  readonly platform: string;
  /** SHA-256 of its bytes */
  readonly digest: string;
}

/** Makes the executable and the archive of each platform. */
async function packPlatforms(
  name: ProviderName,
  platforms: readonly string[],
  out: string,
  options: PackageOptions,
  host: Pick<Host, 'files' | 'spawn' | 'environment'>,
  node: string,
): Promise<{ readonly archives: readonly Archive[]; readonly executable: string | undefined }> {
  const { files, environment } = host;
  const { single = new Map<string, undefined>() } = options;
  const title = `${name.namespace}/${name.type}`;
  const bundle = await bundleOf(options, host);
  const script = Buffer.from(scriptExecutable(title, bundle));
  const archives: Archive[] = [];
  const here = platformOf(environment);
  let executable: string | undefined;
  for (const platform of platforms) {
    const content = single.has(platform)
      ? await singleExecutable(programText(bundle), platform, {
          ...host,
          node,
          target: single.get(platform),
          directory: join(out, '.single'),
        })
      : script;
    const file = executableName(name, platform);
    if (platform === here) {
      executable = join(out, 'local', file);
      await files.removeTree(join(out, 'local'));
      await files.makeDirectory(join(out, 'local'));
      await files.replaceFile(executable, content, { mode: 0o755 });
    }
    const archive = await zip([{ name: file, content, mode: 0o755 }]);
    const path = join(out, artifactName(name, `${platform}.zip`));
    await files.writeFile(path, archive);
    archives.push({ path, platform, digest: sha256(archive) });
  }
  return { archives, executable };
}

/** Writes the manifest for the registry and the checksums to sign. Returns their paths. */
async function writeListings(
  name: ProviderName,
  out: string,
  archives: readonly Archive[],
  { protocols = ['6.0'] }: PackageOptions,
  files: Host['files'],
): Promise<{ readonly manifest: string; readonly checksums: string }> {
  const manifestText = `${JSON.stringify({ version: 1, metadata: { protocol_versions: protocols } }, null, 2)}\n`;
  const manifest = join(out, artifactName(name, 'manifest.json'));
  await files.writeFile(join(out, 'terraform-registry-manifest.json'), manifestText);
  await files.writeFile(manifest, manifestText);
  const checksums = join(out, artifactName(name, 'SHA256SUMS'));
  const lines = [...archives, { path: manifest, digest: sha256(Buffer.from(manifestText)) }]
    .map(({ path, digest }) => `${digest}  ${path.slice(out.length + 1)}\n`)
    .sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1));
  await files.writeFile(checksums, lines.join(''));
  return { manifest, checksums };
}

async function bundleOf(
  { entry, bundle, conditions, minify }: PackageOptions,
  { files, environment }: Pick<Host, 'files' | 'environment'>,
): Promise<string> {
  if (bundle !== undefined) return await files.readText(resolve(environment.cwd, bundle));
  if (entry === undefined)
    throw new Error('either the main file of the provider or a bundle of it is needed');
  return await bundleProvider({
    entry: resolve(environment.cwd, entry),
    ...(conditions === undefined ? {} : { conditions }),
    ...(minify === undefined ? {} : { minify }),
  });
}

function checkPlatform(platform: string, single: boolean): void {
  if (!/^[a-z0-9]+_[a-z0-9]+$/.test(platform)) {
    throw new Error(`${JSON.stringify(platform)} is no platform: write one like linux_amd64`);
  }
  if (platform.startsWith('windows_') && !single) {
    throw new Error(
      `${platform} needs an executable with Node inside, as Windows starts no scripts as programs: give it with --single ${platform}=PATH-TO-NODE.EXE`,
    );
  }
}

/** Returns the current platform in the format of registries. */
export function platformOf({
  platform,
  arch,
}: Pick<Host['environment'], 'platform' | 'arch'>): string {
  const os = platform === 'win32' ? 'windows' : platform;
  return `${os}_${arch === 'x64' ? 'amd64' : arch === 'ia32' ? '386' : arch}`;
}

/** Writes the layout of `terraform providers mirror`, keeping other versions that exist there. */
async function writeMirror(
  mirror: string,
  { host, namespace, type, version }: ProviderName,
  archives: readonly Archive[],
  files: Host['files'],
): Promise<void> {
  const directory = join(mirror, host, namespace, type);
  await files.makeDirectory(directory);
  const listed: Record<string, object> = {};
  for (const { path, platform, digest } of archives) {
    const file = path.slice(path.lastIndexOf('/') + 1);
    await files.writeFile(join(directory, file), await files.readFile(path));
    listed[platform] = { hashes: [`zh:${digest}`], url: file };
  }
  await files.writeFile(join(directory, `${version}.json`), json({ archives: listed }));
  const known = await versionsIn(join(directory, 'index.json'), files);
  const versions = Object.fromEntries(
    [...new Set([...known, version])].sort().map((each) => [each, {}]),
  );
  await files.writeFile(join(directory, 'index.json'), json({ versions }));
}

async function versionsIn(path: string, files: Host['files']): Promise<readonly string[]> {
  if ((await files.stat(path)) === undefined) return [];
  const index: unknown = JSON.parse(await files.readText(path));
  const versions =
    typeof index === 'object' && index !== null && 'versions' in index ? index.versions : {};
  return Object.keys(typeof versions === 'object' && versions !== null ? versions : {});
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
