import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BASH, FISH, ZSH } from 'terrane/release';
import { root } from '../root.ts';
import type { ArchiveFile } from './archive.ts';
import { downloadAddress, type Identity } from './identity.ts';

/** Returns the completion files of bash, zsh and fish. */
export function completions(): readonly ArchiveFile[] {
  const file = (name: string, text: string): ArchiveFile => ({
    path: `completions/${name}`,
    contents: Buffer.from(text),
  });
  return [
    file('terrane.bash', `${BASH.join('\n')}\n`),
    // A completion function of zsh is read when it is first needed, and then completes.
    file('_terrane', `#compdef terrane\n${ZSH.join('\n')}\n_bash_complete -o nospace -C terrane\n`),
    file('terrane.fish', FISH),
  ];
}

/**
 * Fills in a template: `@VERSION@`, `@REPOSITORY@`, `@HOMEPAGE@`, `@DOWNLOAD@`, and `@SHA256 FILE@` for the digest of a
 * file of the release, whose name may contain `@VERSION@`.
 *
 * @throws Error if a placeholder is unknown. A digest that this release has no file for is filled in with zeros.
 */
export function fillIn(
  template: string,
  identity: Identity,
  digests: ReadonlyMap<string, string>,
): string {
  const plain: Readonly<Record<string, string>> = {
    VERSION: identity.version,
    REPOSITORY: identity.repository,
    HOMEPAGE: identity.homepage,
    DOWNLOAD: downloadAddress(identity),
  };
  return template
    .replace(/@(VERSION|REPOSITORY|HOMEPAGE|DOWNLOAD)@/g, (all, name: string) => plain[name] ?? all)
    .replace(/@SHA256 ([^@\s]+)@/g, (_all, file: string) => digests.get(file) ?? '0'.repeat(64));
}

/** Returns the installers and recipes of a release, from the templates. */
export function installers(
  identity: Identity,
  digests: ReadonlyMap<string, string>,
): readonly ArchiveFile[] {
  const folder = join(root, 'scripts/release/templates');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .map((path) => ({
      path,
      // asdf starts these itself.
      executable: path.startsWith('asdf/bin/') || path.endsWith('.sh'),
      contents: Buffer.from(fillIn(readFileSync(join(folder, path), 'utf8'), identity, digests)),
    }));
}
