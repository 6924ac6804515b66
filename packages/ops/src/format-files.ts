import { formatNative, hasErrors, Source, sourceBytes, type Diagnostic } from '@terrane/hcl';
import { expectUserError, programCommand } from '@terrane/host';
import { unifiedDifference } from './line-difference.ts';
import type { Project } from './project.ts';
import { plainError } from './run-ports.ts';

/** The paths to format, and the treatment of unformatted files. */
export interface FormatRequest {
  readonly paths: readonly string[];
  readonly recursive: boolean;
  readonly write: boolean;
  readonly difference: boolean;
}

/** The result of formatting a file. */
export interface Formatted {
  readonly path: string;
  /** the formatted text; invalid UTF-8 is preserved as by `Source`: `sourceBytes` returns the bytes to write */
  readonly text: string;
  /** true if formatting changes the file */
  readonly changed: boolean;
  /** the change in the format of `diff -u`, if requested */
  readonly difference?: string;
}

const EXTENSIONS = [
  ...['.tf', '.tfvars', '.tftest.hcl', '.tfmock.hcl', '.tfquery.hcl'],
  ...['.tofu', '.tofutest.hcl'],
];

/** Formats files, or the files of directories. Calls `onFormatted` for every file. */
export async function formatFiles(
  project: Project,
  request: FormatRequest,
  onFormatted: (formatted: Formatted) => void,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const argument of request.paths) {
    const path = cleanPath(argument);
    const stat = await project.host.files.stat(path);
    if (stat === undefined) {
      diagnostics.push(plainError(`No file or directory at ${path}`));
      return diagnostics;
    }
    if (stat.kind === 'directory')
      await formatDirectory(project, path, request, onFormatted, diagnostics);
    else if (isFormatted(path)) await formatFile(project, path, request, onFormatted, diagnostics);
    else {
      diagnostics.push(
        plainError(
          `Only .tf, .tfvars, and .tftest.hcl files can be processed with ${programCommand('fmt')}`,
        ),
      );
    }
  }
  return diagnostics;
}

async function formatDirectory(
  project: Project,
  path: string,
  request: FormatRequest,
  onFormatted: (formatted: Formatted) => void,
  diagnostics: Diagnostic[],
): Promise<void> {
  for (const entry of await project.host.files.readDirectory(path)) {
    if (isIgnored(entry.name)) continue;
    const entryPath = path === '.' ? entry.name : `${path}/${entry.name}`;
    if (entry.kind === 'directory') {
      if (request.recursive)
        await formatDirectory(project, entryPath, request, onFormatted, diagnostics);
    } else if (isFormatted(entry.name)) {
      await formatFile(project, entryPath, request, onFormatted, diagnostics);
    }
  }
}

async function formatFile(
  project: Project,
  path: string,
  request: FormatRequest,
  onFormatted: (formatted: Formatted) => void,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { files } = project.host;
  let bytes: Uint8Array;
  try {
    bytes = await files.readFile(path);
  } catch (error) {
    expectUserError(error);
    const isDirectory = (await files.stat(path))?.kind === 'directory';
    diagnostics.push(plainError(`Failed to read ${isDirectory ? '' : 'file '}${path}`));
    return;
  }
  const result = formatText(path, bytes, request.difference);
  diagnostics.push(...result.diagnostics);
  if (result.formatted === undefined) return;
  if (request.write && result.formatted.changed) {
    try {
      await files.replaceFile(path, sourceBytes(result.formatted.text));
    } catch (error) {
      expectUserError(error);
      diagnostics.push(plainError(`Failed to write ${path}`));
      return;
    }
  }
  onFormatted(result.formatted);
}

/** Formats the content of a file; `formatted` is undefined if it has syntax errors. */
export function formatText(
  path: string,
  bytes: Uint8Array,
  withDifference: boolean,
): { readonly formatted?: Formatted; readonly diagnostics: readonly Diagnostic[] } {
  const source = Source.fromBytes(path, bytes);
  const { text, diagnostics } = formatNative(source);
  if (hasErrors(diagnostics)) return { diagnostics };
  const difference = withDifference
    ? unifiedDifference(source.text, text, { before: `old/${path}`, after: `new/${path}` })
    : undefined;
  return {
    formatted: {
      path,
      text,
      changed: text !== source.text,
      ...(difference === undefined ? {} : { difference }),
    },
    diagnostics: [],
  };
}

function isFormatted(path: string): boolean {
  return EXTENSIONS.some((extension) => path.endsWith(extension));
}

/** Returns true for names that editors and tools use for their own files. */
function isIgnored(name: string): boolean {
  return name.startsWith('.') || name.endsWith('~') || (name.startsWith('#') && name.endsWith('#'));
}

function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  const joined = parts.join('/');
  if (path.startsWith('/')) return `/${joined}`;
  return joined === '' ? '.' : joined;
}
