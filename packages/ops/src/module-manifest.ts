import { moduleSourceText } from '@terrane/addresses';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import type { Configuration, Module, ModuleCall, ModuleSourcePort } from '@terrane/engine';
import {
  readModuleManifest,
  recordSatisfies,
  type ModuleRecord,
} from '@terrane/registry/module-manifest';
import { programCommand } from '@terrane/host';
import { evaluateLinks } from './evaluate-links.ts';
import type { Project } from './project.ts';

/** Returns the installation directory of a project's modules. */
export function modulesDirectory(project: Project): string {
  return `${project.dataDirectory}/modules`;
}

/** Returns the manifest key of a module: the names of the calls that lead to it, below those in `above`. */
export function moduleKey(call: ModuleCall, parent: Module, above: readonly string[] = []): string {
  return [...above, ...parent.path.names, call.name].join('.');
}

/**
 * Locates installed modules by the manifest that `init` writes into the data directory, and reports contradictions to
 * the configuration. Reads the manifest on first use.
 */
export function installedModules(
  project: Project,
  above: readonly string[] = [],
  known?: ReadonlyMap<string, ModuleRecord>,
): ModuleSourcePort {
  let records = known;
  return {
    below: (names) => installedModules(project, names, records),
    local: (directory) => ({ directory: evaluateLinks(project.host.files, directory) }),
    resolve(call, parent) {
      if (records === undefined) {
        const read = readModuleManifest(project.host.files, modulesDirectory(project));
        // An unreadable manifest counts as missing: each module is then reported as not installed.
        records = 'error' in read ? new Map() : read.records;
      }
      const record = records.get(moduleKey(call, parent, above));
      if (record === undefined) {
        return { diagnostics: [notInstalled(call, 'This module is not yet installed.')] };
      }
      const diagnostics = disagreements(call, record);
      if (diagnostics.length > 0) return { diagnostics };
      if (project.host.files.statSync(record.directory)?.kind === 'directory') {
        return { directory: record.directory };
      }
      const missing = `This module's local cache directory ${record.directory} could not be read.`;
      return { diagnostics: [notInstalled(call, missing)] };
    },
  };
}

/** Locates modules, including local ones, by records from an earlier time. */
export function recordedModules(records: ReadonlyMap<string, ModuleRecord>): ModuleSourcePort {
  return {
    local: (directory, call, parent) => ({
      directory: records.get(moduleKey(call, parent))?.directory ?? directory,
    }),
    resolve(call, parent) {
      const record = records.get(moduleKey(call, parent));
      return record === undefined
        ? { diagnostics: [notInstalled(call, 'This module is not yet installed.')] }
        : { directory: record.directory };
    },
  };
}

/** Returns the records of a configuration's modules. */
export function recordsOf(configuration: Configuration): Map<string, ModuleRecord> {
  const records = new Map<string, ModuleRecord>();
  for (const { path, directory, call } of configuration.modules.values()) {
    const source = call?.source;
    const key = path.names.join('.');
    records.set(key, {
      key,
      source: source === undefined ? '' : moduleSourceText(source),
      directory,
    });
  }
  return records;
}

const runInit = (): string =>
  `Run "${programCommand('init')}" to install all modules required by this configuration.`;

function notInstalled(call: ModuleCall, reason: string): Diagnostic {
  return errorDiagnostic('Module not installed', `${reason} ${runInit()}`, call.range);
}

function disagreements(call: ModuleCall, record: ModuleRecord): Diagnostic[] {
  const { source, version } = record;
  const problems: Diagnostic[] = [];
  const range = call.sourceRange ?? call.range;
  if (call.source !== undefined && moduleSourceText(call.source) !== source) {
    problems.push(
      errorDiagnostic(
        'Module source has changed',
        `The source address was changed since this module was installed. ${runInit()}`,
        range,
      ),
    );
  }
  const changed =
    'The version requirements have changed since this module was installed and the installed version';
  const summary = 'Module version requirements have changed';
  if (call.version !== undefined && version === undefined) {
    const detail = `${changed} is no longer acceptable. ${runInit()}`;
    problems.push(errorDiagnostic(summary, detail, range));
  }
  if (version !== undefined && !recordSatisfies(record, call.version)) {
    const detail = `${changed} (${version}) is no longer acceptable. ${runInit()}`;
    problems.push(errorDiagnostic(summary, detail, range));
  }
  return problems;
}
