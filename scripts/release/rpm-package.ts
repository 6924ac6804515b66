import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ArchiveFile } from './archive.ts';
import type { Identity } from './identity.ts';

/** Time of all files, in seconds. */
const TIME = 499_162_500;

function specification(
  { version, homepage, maintainer }: Identity,
  payload: string,
  files: readonly ArchiveFile[],
): string {
  const entries = files.map(
    ({ path, executable }) =>
      `%attr(${executable === true ? '0755' : '0644'}, root, root) "/${path}"`,
  );
  return `Name: terrane
Version: ${version.replaceAll('-', '~')}
Release: 1
Summary: Infrastructure as code for Terraform and OpenTofu configurations
License: MPL-2.0
URL: ${homepage}
Packager: ${maintainer}
AutoReqProv: no
Requires: glibc >= 2.28, libatomic, libstdc++
Recommends: ca-certificates, git-core, openssh-clients

%description
Plans and applies the configurations of Terraform and OpenTofu, with their
state files and their providers. The program is one executable that contains
all that it needs.

%install
cp -a "${payload}/." "%{buildroot}/"

%files
${entries.join('\n')}
`;
}

/** Settings of rpmbuild that keep the files as they are and the package reproducible. */
function definitions(top: string): readonly string[] {
  const settings: Readonly<Record<string, string>> = {
    _topdir: top,
    _buildhost: 'localhost',
    use_source_date_epoch_as_buildtime: '1',
    clamp_mtime_to_source_date_epoch: '1',
    _build_id_links: 'none',
    debug_package: '%{nil}',
    __os_install_post: '%{nil}',
    __strip: '/bin/true',
    _binary_payload: 'w6.gzdio',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
}

/**
 * Returns an RPM package, made by `rpmbuild`; undefined if that is not installed.
 *
 * @param architecture RPM's name of it, such as "x86_64"
 * @param files installed files, with paths relative to the root directory
 */
export function rpmPackage(
  identity: Identity,
  architecture: string,
  files: readonly ArchiveFile[],
): { readonly file: string; readonly contents: Uint8Array } | undefined {
  if (spawnSync('rpmbuild', ['--version']).error !== undefined) return undefined;
  const top = mkdtempSync(join(tmpdir(), 'terrane-rpm-'));
  try {
    const payload = join(top, 'payload');
    for (const { path, contents, executable } of files) {
      mkdirSync(dirname(join(payload, path)), { recursive: true });
      writeFileSync(join(payload, path), contents);
      chmodSync(join(payload, path), executable === true ? 0o755 : 0o644);
    }
    const spec = join(top, 'terrane.spec');
    writeFileSync(spec, specification(identity, payload, files));
    const args = ['-bb', '--target', `${architecture}-linux`, ...definitions(top), spec];
    const { status, stderr } = spawnSync('rpmbuild', args, {
      cwd: top,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: top, LC_ALL: 'C', SOURCE_DATE_EPOCH: String(TIME) },
    });
    if (status !== 0) throw new Error(`rpmbuild failed: ${stderr}`);
    const folder = join(top, 'RPMS', architecture);
    const [file] = readdirSync(folder);
    if (file === undefined) throw new Error('rpmbuild wrote no package');
    return { file, contents: readFileSync(join(folder, file)) };
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}
