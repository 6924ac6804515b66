import { createHash } from 'node:crypto';
import { type ArchiveFile, gzip, tar } from './archive.ts';
import type { Identity } from './identity.ts';

/** Returns an `ar` archive, the format of Debian packages. */
export function ar(members: readonly ArchiveFile[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from('!<arch>\n')];
  for (const { path, contents } of members) {
    const header = `${path.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(contents.length).padEnd(10)}\`\n`;
    parts.push(Buffer.from(header), contents);
    if (contents.length % 2 === 1) parts.push(Buffer.from('\n'));
  }
  return Buffer.concat(parts);
}

/**
 * Returns a Debian package.
 *
 * @param architecture Debian's name of it, such as "amd64"
 * @param files installed files, with paths relative to the root directory
 */
export async function debianPackage(
  { version, homepage, maintainer }: Identity,
  architecture: string,
  files: readonly ArchiveFile[],
): Promise<Uint8Array> {
  const kilobytes = files.reduce((sum, { contents }) => sum + Math.ceil(contents.length / 1024), 0);
  const control = `Package: terrane
Version: ${version.replace('-', '~')}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${kilobytes}
Depends: libatomic1, libc6 (>= 2.28), libstdc++6
Recommends: ca-certificates, git, openssh-client
Section: admin
Priority: optional
Homepage: ${homepage}
Description: infrastructure as code for Terraform and OpenTofu configurations
 Plans and applies the configurations of Terraform and OpenTofu, with their
 state files and their providers. The program is one executable that contains
 all that it needs.
`;
  const sums = files
    .map(({ path, contents }) => `${createHash('md5').update(contents).digest('hex')}  ${path}\n`)
    .sort();
  const text = (path: string, contents: string): ArchiveFile => ({
    path,
    contents: Buffer.from(contents),
  });
  const controls = await tar([text('./control', control), text('./md5sums', sums.join(''))]);
  const data = await tar(
    files.map((file) => ({ ...file, path: `./${file.path}` })),
    { directories: true },
  );
  return ar([
    text('debian-binary', '2.0\n'),
    { path: 'control.tar.gz', contents: await gzip(controls) },
    { path: 'data.tar.gz', contents: await gzip(data) },
  ]);
}
