import { moduleSourceText, parseModuleSource } from '@terrane/addresses';
import { compareText, parsePlainJson, quoteText } from '@terrane/cty';
import { type FileSystem, userErrorText } from '@terrane/host';
import { isModuleVersion, normalModuleVersion, satisfiesConstraint } from './module-version.ts';

/** The record of an installed module. */
export interface ModuleRecord {
  /** the names of the calls that lead to it, joined by dots; "" for the root module */
  readonly key: string;
  /** as `moduleSourceText` prints it; "" for the root module */
  readonly source: string;
  /** only of modules from a registry */
  readonly version?: string;
  readonly directory: string;
}

/** Installed modules by key. */
export type ModuleManifest = ReadonlyMap<string, ModuleRecord>;

/** The manifest of installed modules in the module directory. */
export const MANIFEST_FILE = 'modules.json';

/**
 * Parses a manifest as Terraform writes it. A missing or empty file is a manifest without records; `error` is set for
 * an invalid file.
 */
export function parseModuleManifest(
  text: string,
): { readonly records: Map<string, ModuleRecord> } | { readonly error: string } {
  const records = new Map<string, ModuleRecord>();
  if (text === '') return { records };
  let parsed: unknown;
  try {
    parsed = parsePlainJson(text);
  } catch (error) {
    const reason = userErrorText(error);
    return { error: `error unmarshalling snapshot: ${reason}` };
  }
  const modules =
    typeof parsed === 'object' && parsed !== null && 'Modules' in parsed ? parsed.Modules : [];
  if (modules !== null && !Array.isArray(modules)) {
    return { error: 'error unmarshalling snapshot: "Modules" is no list' };
  }
  for (const entry of modules ?? []) {
    const fields = new Map<string, unknown>(Object.entries(Object(entry)));
    const get = (name: string): string => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    const [key, version] = [get('Key'), get('Version')];
    if (version !== '' && !isModuleVersion(version)) {
      return {
        error: `invalid version ${quoteText(version)} for ${key}: Malformed version: ${version}`,
      };
    }
    if (records.has(key)) return { error: `snapshot file contains two records for path ${key}` };
    records.set(key, {
      key,
      source: normalSource(get('Source')),
      directory: get('Dir'),
      ...(version === '' ? {} : { version: normalModuleVersion(version) }),
    });
  }
  return { records };
}

/** The text of a manifest, byte for byte as Terraform writes it: sorted by key, without blanks. */
export function moduleManifestText(manifest: ModuleManifest): string {
  const keys = [...manifest.keys()].sort(compareText);
  const modules = keys.flatMap((key) => {
    const record = manifest.get(key);
    if (record === undefined) return [];
    const { source, version, directory } = record;
    return [
      {
        Key: key,
        Source: source,
        ...(version === undefined ? {} : { Version: version }),
        Dir: directory,
      },
    ];
  });
  return goJson(JSON.stringify({ Modules: modules.length === 0 ? null : modules }));
}

/** Reads the manifest of a directory of modules. */
export function readModuleManifest(
  files: Pick<FileSystem, 'statSync' | 'readFileSync'>,
  modulesDirectory: string,
): ReturnType<typeof parseModuleManifest> {
  const path = `${modulesDirectory}/${MANIFEST_FILE}`;
  if (files.statSync(path) === undefined) return { records: new Map() };
  try {
    return parseModuleManifest(new TextDecoder().decode(files.readFileSync(path)));
  } catch (error) {
    return { error: `open ${path}: ${userErrorText(error)}` };
  }
}

/** Returns true if an installed module is one that a call allows (a call without constraint allows all). */
export function recordSatisfies(
  { version }: ModuleRecord,
  constraint: string | undefined,
): boolean {
  if (version === undefined) return constraint === undefined;
  return satisfiesConstraint(version, constraint);
}

/** Old manifests have sources as they were written in the configuration. */
function normalSource(text: string): string {
  if (text === '') return '';
  const parsed = parseModuleSource(text, false);
  return 'error' in parsed ? text : moduleSourceText(parsed.source);
}

/** Go escapes characters with a meaning in HTML. */
function goJson(text: string): string {
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
