import { cleanPath, parseModuleSource, splitSubdirectory } from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors, Range, Source } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import { copyDirectory, type InstalledCall, type ModuleDownload } from '@terrane/registry';
import { installModules } from './install-modules.ts';
import { hasConfiguration, loadRootModule } from './load-project.ts';
import type { Project } from './project.ts';
import { moduleInstaller } from './registry-access.ts';
import { plainError } from './run-ports.ts';

/** Events of copying a module into the working directory. */
export type CopyEvent =
  | { readonly kind: 'copying'; readonly source: string }
  | ({ readonly kind: 'download'; readonly path: string } & ModuleDownload)
  | { readonly kind: 'copied-module'; readonly path: string }
  | { readonly kind: 'copied' };

/** The directory that the module is downloaded to. */
const SCRATCH = '.terraform/init-from-module';

const NOT_EMPTY = `The working directory already contains files. The -from-module option requires
an empty directory into which a copy of the referenced module will be placed.

To initialize the configuration already in this working directory, omit the
-from-module option.`;

/**
 * Copies a module into the empty working directory and installs the modules that it calls. Returns the errors, if any.
 */
export async function copyFromModule(
  project: Project,
  moduleSource: string,
  signal: AbortSignal,
  emit: (event: CopyEvent) => void,
): Promise<readonly Diagnostic[]> {
  if (hasConfiguration(project)) return [plainError(NOT_EMPTY)];
  emit({ kind: 'copying', source: moduleSource });
  const { files, environment } = project.host;
  const entries = await files.readDirectory('.');
  if (entries.some(({ name }) => name !== '.terraform')) {
    return [
      errorDiagnostic(
        "Can't populate non-empty directory",
        'The target directory . is not empty, so it cannot be initialized with the -from-module=... option.',
      ),
    ];
  }
  const source = absoluteSource(moduleSource, environment.cwd);
  const downloaded = await downloadModule(project, source, signal);
  if ('problems' in downloaded) return downloaded.problems;
  const { directory, warnings } = downloaded;
  try {
    await copyDirectory(files, directory, '.');
  } catch (error) {
    return [copyFailed(source, directory, error)];
  }
  const outside = await callsAbove(project, source);
  if (outside.length > 0) return outside;
  const installed = await installCalledModules(project, signal, emit);
  if ('problems' in installed) {
    // The directory was empty, so its current content can be copied again.
    for (const { name } of await files.readDirectory(directory)) {
      if (name !== '.terraform') await files.removeTree(name);
    }
    return installed.problems;
  }
  for (const path of installed.paths) emit({ kind: 'copied-module', path });
  await files.removeTree(SCRATCH);
  emit({ kind: 'copied' });
  return warnings;
}

/** Makes a relative source absolute: relative to this directory, it means a copy, and a link would be none. */
function absoluteSource(source: string, workingDirectory: string): string {
  const isRelative = source === '.' || source.startsWith('./') || source.startsWith('../');
  return isRelative ? cleanPath(`${workingDirectory}/${source}`) : source;
}

/** Downloads the module to a directory of its own. */
async function downloadModule(
  project: Project,
  source: string,
  signal: AbortSignal,
): Promise<
  | { readonly directory: string; readonly warnings: readonly Diagnostic[] }
  | { readonly problems: readonly Diagnostic[] }
> {
  const parsed = parseModuleSource(source, false);
  if ('error' in parsed) {
    const detail = `Failed to parse module source address: ${parsed.error}`;
    return { problems: [errorDiagnostic('Invalid module source address', detail)] };
  }
  const { files } = project.host;
  await files.removeTree(SCRATCH);
  await files.makeDirectory(SCRATCH);
  const call: InstalledCall = {
    name: 'root',
    source: parsed.source,
    sourceText: source,
    range: new Range(new Source('<main configuration>', '', { unshown: true }), 0, 0),
  };
  const installer = moduleInstaller(project, SCRATCH, { signal });
  // The download of the module itself has already been reported.
  const { record, diagnostics } = await installer.install({ key: 'root', call }, () => {});
  await installer.finish();
  if (record === undefined || hasErrors(diagnostics)) {
    return { problems: withInterruptNotice(diagnostics, signal) };
  }
  return { directory: record.directory, warnings: diagnostics };
}

function copyFailed(source: string, directory: string, error: unknown): Diagnostic {
  const reason = userErrorText(error);
  return errorDiagnostic(
    'Failed to copy root module',
    `Error copying root module ${quoteText(source)} from ${directory} to .: ${reason}.`,
  );
}

/** Installs the modules that the copied module calls. Returns their paths in order. */
async function installCalledModules(
  project: Project,
  signal: AbortSignal,
  emit: (event: CopyEvent) => void,
): Promise<{ readonly paths: readonly string[] } | { readonly problems: readonly Diagnostic[] }> {
  const paths: string[] = [];
  const { loaded, failed, interrupted } = await installModules(project, {
    upgrade: true,
    signal,
    emit(event) {
      if (event.kind === 'modules-locked') return;
      const { key: path } = event;
      if (event.kind === 'download') emit({ ...event, path });
      else paths.push(path);
    },
  });
  if (failed || loaded.moduleFault === true)
    return { problems: withInterruptNotice(loaded.diagnostics, signal) };
  if (interrupted) return { problems: withInterruptNotice([], signal) };
  return { paths: paths.sort() };
}

function withInterruptNotice(
  diagnostics: readonly Diagnostic[],
  signal: AbortSignal,
): readonly Diagnostic[] {
  if (!signal.aborted) return diagnostics;
  const notice = 'Module initialization was canceled by an interrupt signal.';
  return [...diagnostics, plainError(notice)];
}

/** Returns module calls outside the copied module, which do not exist in the copy. */
async function callsAbove(project: Project, source: string): Promise<readonly Diagnostic[]> {
  const { configuration } = await loadRootModule(project);
  const { address, subdirectory } = splitSubdirectory(source);
  const problems: Diagnostic[] = [];
  for (const { sourceText } of configuration?.root.calls.values() ?? []) {
    if (!sourceText.startsWith('../')) continue;
    const inside = cleanPath(`${subdirectory}/${sourceText}`.replace(/^\//, ''));
    if (inside.startsWith('../')) continue;
    const rewritten = inside === '.' ? address : `${address}//${inside}`;
    problems.push(
      errorDiagnostic(
        'Root module references parent directory',
        `The requested module ${quoteText(source)} refers to a module via its parent directory. To use this as a new root module this source string must be rewritten as a remote source address, such as ${quoteText(rewritten)}.`,
      ),
    );
  }
  return problems;
}
