/** Licence notices of the npm packages whose code is in the bundles of the program. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package whose code is bundled. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression of its manifest */
  readonly license: string;
  /** contents of its licence and notice files, by name */
  readonly texts: ReadonlyMap<string, string>;
}

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** Returns the folders of packages, such as "node_modules/ms", that contain the inputs of a bundle. */
export function packageFolders(inputs: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const input of inputs) {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  return [...folders].sort();
}

/**
 * Reads the manifest and the licence files of a package.
 *
 * @throws Error if the manifest names no licence, so that no code of unknown licence is shipped
 */
export function readPackage(folder: string): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
    /** the form of old manifests */
    readonly licenses?: readonly { readonly type: string }[];
  };
  const { name, version, licenses = [] } = manifest;
  const license = manifest.license ?? licenses.map(({ type }) => type).join(' OR ');
  if (license === '') {
    throw new Error(`${folder}/package.json names no licence`);
  }
  const files = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .sort();
  const texts = files.map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);
  return { name, version, license, texts: new Map(texts) };
}

/** Formats the notices. Packages under a copyleft licence come first, with how they can be replaced. */
export function noticesText(packages: readonly BundledPackage[]): string {
  const copyleft = packages.filter(({ license }) => isCopyleft(license));
  const parts = [
    'This program contains code of the following packages, each under its own licence.\n',
    ...copyleft.map(
      ({ name, version, license }) =>
        `${name} ${version} is under ${license}. Its source is the npm package ${name}@${version}. To use another version of it, install that version in a checkout of Terrane and run "npm run build:cli".\n`,
    ),
    ...packages.map(noticeOf),
  ];
  return parts.join('\n');
}

/** Reports whether every alternative of an SPDX expression is a licence of the GPL family. */
function isCopyleft(license: string): boolean {
  return license.split(/\bOR\b/).every((alternative) => /\b[LA]?GPL/.test(alternative));
}

/** Returns the section of a package in the notices. */
export function noticeOf({ name, version, license, texts }: BundledPackage): string {
  const heading = `${'='.repeat(78)}\n${name} ${version}: ${license}\n${'='.repeat(78)}\n`;
  const bodies = Array.from(texts.values(), (text) => `\n${text.trim()}\n`);
  return heading + bodies.join('');
}

/** Returns the packages in bundles, from the inputs of esbuild's metafiles, sorted by name. */
export function bundledPackages(root: string, inputs: Iterable<string>): BundledPackage[] {
  const byKey = new Map<string, BundledPackage>();
  for (const folder of packageFolders(inputs)) {
    if (!existsSync(join(root, folder, 'package.json'))) continue;
    const read = readPackage(join(root, folder));
    byKey.set(`${read.name} ${read.version}`, read);
  }
  return [...byKey.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the notices of the packages in bundles, from the inputs of esbuild's metafiles. */
export function thirdPartyNotices(root: string, inputs: Iterable<string>): string {
  return noticesText(bundledPackages(root, inputs));
}
