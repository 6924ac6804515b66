import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { zipSync, type Zippable } from 'fflate';

/** The part of the extension's package.json that its package repeats. */
export interface Manifest {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly version: string;
  readonly publisher: string;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly engines: { readonly vscode: string };
  readonly extensionKind: readonly string[];
}

/** Archives are reproducible: every entry has this time. */
const TIME = '2000-01-01T00:00:00';

const TYPES: Readonly<Record<string, string>> = {
  '.cjs': 'application/javascript',
  '.js': 'application/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.vsixmanifest': 'text/xml',
};

function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

function manifestXml(manifest: Manifest): string {
  const { name, version, publisher, displayName, description, keywords, categories } = manifest;
  const property = (id: string, value: string): string =>
    `      <Property Id="Microsoft.VisualStudio.${id}" Value="${escapeXml(value)}" />`;
  const asset = (type: string, path: string): string =>
    `    <Asset Type="Microsoft.VisualStudio.${type}" Path="extension/${path}" Addressable="true" />`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escapeXml(name)}" Version="${escapeXml(version)}" Publisher="${escapeXml(publisher)}" />
    <DisplayName>${escapeXml(displayName)}</DisplayName>
    <Description xml:space="preserve">${escapeXml(description)}</Description>
    <Tags>${escapeXml(keywords.join(','))}</Tags>
    <Categories>${escapeXml(categories.join(','))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <License>extension/LICENSE</License>
    <Icon>extension/media/icon.png</Icon>
    <Properties>
${property('Code.Engine', manifest.engines.vscode)}
${property('Code.ExtensionDependencies', '')}
${property('Code.ExtensionPack', '')}
${property('Code.ExtensionKind', manifest.extensionKind.join(','))}
${property('Code.LocalizedLanguages', '')}
${property('Code.ExecutesCode', 'true')}
${property('Services.GitHubFlavoredMarkdown', 'true')}
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
${asset('Code.Manifest', 'package.json')}
${asset('Services.Content.Details', 'README.md')}
${asset('Services.Content.Changelog', 'CHANGELOG.md')}
${asset('Services.Content.License', 'LICENSE')}
${asset('Services.Icons.Default', 'media/icon.png')}
  </Assets>
</PackageManifest>
`;
}

function contentTypes(names: readonly string[]): string {
  const extensions = [...new Set(names.map((name) => extname(name)).filter((text) => text !== ''))];
  const types = extensions.sort().map((extension) => {
    const type = TYPES[extension] ?? 'application/octet-stream';
    return `<Default Extension="${extension}" ContentType="${type}" />`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${types.join('')}</Types>
`;
}

/** Checks that all messages that a manifest refers to are defined. */
function assertMessages(manifest: Manifest, known: readonly string[]): void {
  for (const [, name = ''] of JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)) {
    if (!known.includes(name)) throw new Error(`package.nls.json lacks "${name}"`);
  }
}

/**
 * Packs the folder of an extension as VS Code and the marketplaces install it.
 *
 * @param messages keys of package.nls.json
 */
export function packVsix(
  folder: string,
  manifest: Manifest,
  messages: readonly string[],
): Uint8Array {
  assertMessages(manifest, messages);
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((name) => name.replaceAll('\\', '/'))
    .sort();
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);
  const options = { mtime: TIME, level: 9 } as const;
  const entries: Zippable = {
    '[Content_Types].xml': [text(contentTypes([...names, 'extension.vsixmanifest'])), options],
    'extension.vsixmanifest': [text(manifestXml(manifest)), options],
  };
  for (const name of names) {
    entries[`extension/${name}`] = [readFileSync(join(folder, name)), options];
  }
  return zipSync(entries);
}
