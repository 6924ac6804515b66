// outside-world: files are written on the machine of this process, by its path rules
import { dirname } from 'node:path';
import type { FileSystem } from '@terrane/host';
import { decodeBase64 } from '@terrane/provider';
import { ProviderError } from '@terrane/provider/sdk';
import { checksumsOf, sha1Of } from './checksums.ts';
import type { Checksums } from './checksums.ts';
import { parsePermission } from './permission.ts';
import { codeOf, readFailure, systemFailure } from './system-failure.ts';

/** The name of a kind of file in messages: "local file" or "local sensitive file". */
export type FileKind = 'local file' | 'local sensitive file';

/** The path, content and permissions of a file to write. */
export interface WrittenFile {
  readonly filename: string;
  readonly content: string | null;
  readonly content_base64: string | null;
  readonly sensitive_content?: string | null;
  readonly source: string | null;
  readonly directory_permission: string;
  readonly file_permission: string;
}

/** Writes the planned file; creates missing parent directories. */
export async function createFile(
  files: FileSystem,
  kind: FileKind,
  plan: WrittenFile,
): Promise<Checksums> {
  const failed = (subject: string, problem: string) =>
    failure(`Create ${kind} error`, subject, problem);
  const content = await contentOf(files, plan);
  if (typeof content === 'string') {
    throw failed(`An unexpected error occurred while parsing ${kind} content`, content);
  }
  const path = plan.filename;
  const problem = await createParents(files, dirname(path), modeOf(plan.directory_permission));
  if (problem !== undefined) {
    throw failed('An unexpected error occurred while creating file directory', problem);
  }
  try {
    await files.writeFile(path, content, { mode: modeOf(plan.file_permission) });
  } catch (cause) {
    const reason = systemFailure('open', path, cause);
    throw failed('An unexpected error occurred while writing the file', reason);
  }
  return checksumsOf(content);
}

function failure(summary: string, subject: string, problem: string): ProviderError {
  return new ProviderError(summary, `${subject}\n\n+Original Error: ${problem}`);
}

function modeOf(permission: string): number {
  return parsePermission(permission) ?? 0;
}

/** Returns the bytes to write, or the reason why they are not available. */
async function contentOf(files: FileSystem, plan: WrittenFile): Promise<Uint8Array | string> {
  const { sensitive_content: secret = null, content_base64: encoded, source } = plan;
  if (secret !== null) return Buffer.from(secret);
  if (encoded !== null) return decodeBase64(encoded, 'standard');
  if (source === null) return Buffer.from(plan.content ?? '');
  try {
    return await files.readFile(source);
  } catch (cause) {
    return readFailure(source, cause);
  }
}

/** Creates a directory and its parents; returns the error, if any. */
async function createParents(
  files: FileSystem,
  directory: string,
  mode: number,
): Promise<string | undefined> {
  const missing: string[] = [];
  try {
    for (let at = directory; (await files.stat(at)) === undefined; at = dirname(at)) {
      missing.push(at);
      if (at === dirname(at)) break;
    }
    if (missing.length === 0) return undefined;
    await files.makeDirectory(directory);
    // New directories have all permissions that the umask allows; remove those that are not configured.
    for (const created of missing) {
      const allowed = (await files.stat(created))?.mode ?? 0o777;
      if ((allowed & mode) !== allowed) await files.chmod(created, allowed & mode);
    }
    return undefined;
  } catch (cause) {
    // The error contains the directory that could not be created, or the file in its place.
    const outermost = missing.at(-1) ?? directory;
    const failed = codeOf(cause) === 'ENOTDIR' ? dirname(outermost) : outermost;
    return systemFailure('mkdir', failed, cause);
  }
}

/** Returns true if the file exists with the written content; otherwise it is planned for re-creation. */
export async function isAsWritten(
  files: FileSystem,
  kind: FileKind,
  { filename, id }: { readonly filename: string; readonly id: string },
): Promise<boolean> {
  try {
    return sha1Of(await files.readFile(filename)) === id;
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return false;
    const subject = 'An unexpected error occurred while reading the file';
    throw failure(`Read ${kind} error`, subject, readFailure(filename, cause));
  }
}

/** Removes the file. A failure is not an error: the file does not exist any more, or belongs to another user. */
export async function deleteFile(
  files: FileSystem,
  { filename }: { readonly filename: string },
): Promise<void> {
  await files.remove(filename).catch(() => {});
}
