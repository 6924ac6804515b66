/**
 * Makes a release: `npm run release [-- --platform OS-CPU]... [--out DIR] [--no-build]`. Writes everything that is
 * published into a directory, `.build/release/VERSION` by default, and uploads nothing. Equal sources yield equal bytes.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../root.ts';
import { noticeOf, readPackage } from '../third-party-notices.ts';
import { actionNames, packAction } from './actions.ts';
import { type ArchiveFile, gzip, tarGz, zip } from './archive.ts';
import { billOfMaterials, nodeFolder, programComponents } from './bill-of-materials.ts';
import { debianPackage } from './debian-package.ts';
import { type Identity, readIdentity } from './identity.ts';
import { filesIn, packExecutable, packLibrary, packProgram, publicPackages } from './libraries.ts';
import { manualPages } from './manual-pages.ts';
import { releaseNotes } from './notes.ts';
import { type Platform, PLATFORMS, platformsOf } from './platforms.ts';
import { rpmPackage } from './rpm-package.ts';
import { completions, installers } from './templates.ts';

const { values: options } = parseArgs({
  options: {
    platform: { type: 'string', multiple: true, default: PLATFORMS.map(({ build }) => build) },
    out: { type: 'string' },
    'no-build': { type: 'boolean', default: false },
    // For tests of executables alone.
    'no-libraries': { type: 'boolean', default: false },
  },
});
const identity = readIdentity();
const { version } = identity;
const out = resolve(options.out ?? join(root, '.build/release', version));
const platforms = platformsOf(options.platform);
const executables = mkdtempSync(join(tmpdir(), 'terrane-executables-'));
process.once('exit', () => rmSync(executables, { recursive: true, force: true }));

function run(script: string, ...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`${script} failed`);
}

function write(path: string, contents: Uint8Array | string, executable = false): void {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), contents, { mode: executable ? 0o755 : 0o644 });
}

const read = (path: string): ArchiveFile['contents'] => readFileSync(join(root, path));

/** Returns the notices of an executable, which contains Node.js and the addon for locks besides the program. */
function executableNotices(): string {
  const node = readPackage(nodeFolder());
  const addon = readPackage(join(root, 'node_modules/fs-native-extensions'));
  const notices = Buffer.from(read('packages/cli/dist/THIRD-PARTY-NOTICES.txt')).toString();
  return [notices, noticeOf({ ...node, name: 'node' }), noticeOf(addon)].join('\n');
}

/** Returns the files that are installed beside an executable. */
async function accompanying(notices: string): Promise<readonly ArchiveFile[]> {
  return [
    { path: 'LICENSE', contents: read('LICENSE') },
    { path: 'README.md', contents: read('packages/cli/README.md') },
    { path: 'THIRD-PARTY-NOTICES.txt', contents: Buffer.from(notices) },
    ...completions(),
    ...(await manualPages(version)),
  ];
}

/** Returns the files of a Linux package with their paths in the system. */
async function systemFiles(
  executable: ArchiveFile,
  files: readonly ArchiveFile[],
): Promise<readonly ArchiveFile[]> {
  const places: Readonly<Record<string, string>> = {
    LICENSE: 'usr/share/doc/terrane/copyright',
    'README.md': 'usr/share/doc/terrane/README.md',
    'THIRD-PARTY-NOTICES.txt': 'usr/share/doc/terrane/THIRD-PARTY-NOTICES.txt',
    'completions/terrane.bash': 'usr/share/bash-completion/completions/terrane',
    'completions/_terrane': 'usr/share/zsh/vendor-completions/_terrane',
    'completions/terrane.fish': 'usr/share/fish/vendor_completions.d/terrane.fish',
  };
  const installed: ArchiveFile[] = [{ ...executable, path: 'usr/bin/terrane' }];
  for (const { path, contents } of files) {
    const place = places[path];
    if (place !== undefined) installed.push({ path: place, contents });
    else installed.push({ path: `usr/share/${path}.gz`, contents: await gzip(contents, 9) });
  }
  return installed;
}

async function releasePlatform(platform: Platform, notices: string): Promise<void> {
  const file = platform.os === 'win32' ? 'terrane.exe' : 'terrane';
  const contents = readFileSync(join(executables, platform.build, file));
  const executable: ArchiveFile = { path: file, contents, executable: true };
  const files = await accompanying(notices);
  const name = `terrane_${version}_${platform.archive}`;
  if (platform.os === 'win32') write(`${name}.zip`, zip([executable, ...files]));
  else write(`${name}.tar.gz`, await tarGz([executable, ...files]));
  const packed = await packExecutable(platform, contents, notices, identity);
  write(`npm/${packed.file}`, packed.contents);
  if (platform.os !== 'linux') return;
  const system = await systemFiles(executable, files);
  const architecture = platform.archive.replace('linux_', '');
  const debian = await debianPackage(identity, architecture, system);
  write(`terrane_${version}_${architecture}.deb`, debian);
  const rpm = rpmPackage(identity, platform.cpu === 'x64' ? 'x86_64' : 'aarch64', system);
  if (rpm === undefined) console.warn('No RPM packages: rpmbuild is not installed.');
  else write(rpm.file, rpm.contents);
}

/** Returns true for a file that names its interpreter, such as "#!/usr/bin/env node". */
const isScript = (contents: Uint8Array): boolean => contents[0] === 0x23 && contents[1] === 0x21;

async function releaseLibraries({ repository }: Identity): Promise<void> {
  for (const source of publicPackages()) {
    const packed =
      source.manifest.name === 'terrane'
        ? await packProgram(source, PLATFORMS, identity)
        : await packLibrary(source, identity);
    write(`npm/${packed.file}`, packed.contents);
  }
  const changelog = Buffer.from(read('CHANGELOG.md')).toString();
  write('RELEASE-NOTES.md', releaseNotes(changelog, version, repository));
  write(`terrane_${version}.cdx.json`, billOfMaterials(version, programComponents()));
  // The program for every platform with Node.js.
  const program = filesIn('packages/cli', 'dist')
    .filter(({ path }) => !path.endsWith('.cache'))
    .map((file) => ({ ...file, executable: isScript(file.contents) }));
  const notices = Buffer.from(read('packages/cli/dist/THIRD-PARTY-NOTICES.txt')).toString();
  write(
    `terrane_${version}_node.tar.gz`,
    await tarGz([...program, ...(await accompanying(notices))]),
  );
}

/** Returns the lines of SHA256SUMS: for every file of the release. */
function checksums(): string {
  return readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(out, path)).isFile())
    .sort()
    .map((path) => {
      const digest = createHash('sha256')
        .update(readFileSync(join(out, path)))
        .digest('hex');
      return `${digest}  ${path.replaceAll('\\', '/')}\n`;
    })
    .join('');
}

rmSync(out, { recursive: true, force: true });
if (!options['no-build']) run('scripts/build.ts');
if (!options['no-libraries']) await releaseLibraries(identity);
if (platforms.length > 0) {
  const wanted = platforms.flatMap(({ build }) => ['--platform', build]);
  run('scripts/build-executable.ts', ...wanted, '--out', executables);
  const notices = executableNotices();
  for (const platform of platforms) await releasePlatform(platform, notices);
}
const archives = new Map(
  checksums()
    .split('\n')
    .map((line) => [line.slice(66), line.slice(0, 64)] as const),
);
for (const { path, contents, executable } of installers(identity, archives))
  write(path, contents, executable);
for (const name of actionNames()) {
  for (const { path, contents } of await packAction(name, identity))
    write(`actions/${name}/${path}`, contents);
}
write('SHA256SUMS', checksums());
console.log(`Release ${version} is in ${out}. Nothing was uploaded.`);
