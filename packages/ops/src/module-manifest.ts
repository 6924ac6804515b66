import { errorDiagnostic } from '@terrane/hcl';
import type { ModuleSourcePort } from '@terrane/engine';
import type { Project } from './project.ts';

interface ManifestEntry {
  readonly Key: string;
  readonly Source: string;
  readonly Dir: string;
}

/**
 * Finds installed modules by the manifest that `init` of Terraform or OpenTofu leaves in the data directory.
 * The manifest is read when the first such module is asked for.
 */
export function installedModules(project: Project): ModuleSourcePort {
  let directories: ReadonlyMap<string, string> | undefined;
  return {
    resolve(call, parent) {
      directories ??= readManifest(project);
      const key = [...parent.path.names, call.name].join('.');
      const directory = directories.get(key);
      if (directory !== undefined) return { directory };
      return {
        diagnostics: [
          errorDiagnostic(
            'Module not installed',
            'This module is not yet installed. Run "terraform init" to install all modules required by this configuration.',
            call.range,
          ),
        ],
      };
    },
  };
}

function readManifest(project: Project): ReadonlyMap<string, string> {
  const path = `${project.dataDirectory}/modules/modules.json`;
  const found = new Map<string, string>();
  if (project.host.files.statSync(path) === undefined) return found;
  const text = new TextDecoder().decode(project.host.files.readFileSync(path));
  try {
    const parsed: unknown = JSON.parse(text);
    for (const entry of entriesOf(parsed)) found.set(entry.Key, entry.Dir);
  } catch {
    // A manifest that cannot be read is as good as none: every module then says that it is missing.
  }
  return found;
}

function entriesOf(parsed: unknown): readonly ManifestEntry[] {
  if (typeof parsed !== 'object' || parsed === null || !('Modules' in parsed)) return [];
  const { Modules: modules } = parsed;
  return Array.isArray(modules) ? modules.filter(isEntry) : [];
}

function isEntry(value: unknown): value is ManifestEntry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'Key' in value &&
    typeof value.Key === 'string' &&
    'Dir' in value &&
    typeof value.Dir === 'string'
  );
}
