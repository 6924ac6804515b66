import { dirname } from 'node:path';
import type { FileSystem } from '@terrane/host';
import { decodeBase64, error } from '@terrane/provider';
import type { Fields, Outcome, ProviderDiagnostic, ReadOutcome } from '@terrane/provider';
import { checksumsOf, sha1Of } from './checksums.ts';
import { parsePermission } from './permission.ts';
import { codeOf, readFailure, systemFailure } from './system-failure.ts';

/** How a kind of file is named in messages: "local file" or "local sensitive file". */
export type FileKind = 'local file' | 'local sensitive file';

/** Writes the file that a plan describes, with the directories that it needs. */
export async function createFile(
  files: FileSystem,
  kind: FileKind,
  plan: Fields,
): Promise<Outcome> {
  const failed = (what: string, problem: string): Outcome => ({
    diagnostics: [failure(`Create ${kind} error`, what, problem)],
  });
  const content = await contentOf(files, plan);
  if (typeof content === 'string') {
    return failed(`An unexpected error occurred while parsing ${kind} content`, content);
  }
  const path = plan.string('filename') ?? '';
  const problem = await createParents(files, dirname(path), modeOf(plan, 'directory_permission'));
  if (problem !== undefined) {
    return failed('An unexpected error occurred while creating file directory', problem);
  }
  try {
    await files.writeFile(path, content, { mode: modeOf(plan, 'file_permission') });
  } catch (cause) {
    const why = systemFailure('open', path, cause);
    return failed('An unexpected error occurred while writing the file', why);
  }
  return { state: plan.with(checksumsOf(content)) };
}

function failure(summary: string, what: string, problem: string): ProviderDiagnostic {
  return error(summary, `${what}\n\n+Original Error: ${problem}`);
}

function modeOf(plan: Fields, name: string): number {
  return parsePermission(plan.string(name) ?? '') ?? 0;
}

/** The bytes to write, or why there are none. */
async function contentOf(files: FileSystem, plan: Fields): Promise<Uint8Array | string> {
  const secret =
    plan.type.indexOf('sensitive_content') === undefined
      ? undefined
      : plan.string('sensitive_content');
  if (secret !== undefined) return Buffer.from(secret);
  const encoded = plan.string('content_base64');
  if (encoded !== undefined) return decodeBase64(encoded, 'standard');
  const source = plan.string('source');
  if (source === undefined) return Buffer.from(plan.string('content') ?? '');
  try {
    return await files.readFile(source);
  } catch (cause) {
    return readFailure(source, cause);
  }
}

/** Creates a directory and its parents; what is wrong, if anything is. */
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
    // The directory has all permissions that the umask allows; of those the wanted ones are kept.
    for (const made of missing) {
      const allowed = (await files.stat(made))?.mode ?? 0o777;
      if ((allowed & mode) !== allowed) await files.chmod(made, allowed & mode);
    }
    return undefined;
  } catch (cause) {
    return systemFailure('mkdir', directory, cause);
  }
}

/** Looks whether the file is there as it was written; otherwise it counts as gone, to be written anew. */
export async function readFile(
  files: FileSystem,
  kind: FileKind,
  state: Fields,
): Promise<ReadOutcome> {
  const path = state.string('filename') ?? '';
  try {
    const content = await files.readFile(path);
    return sha1Of(content) === state.string('id') ? {} : { gone: true };
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return { gone: true };
    const what = 'An unexpected error occurred while reading the file';
    return { diagnostics: [failure(`Read ${kind} error`, what, readFailure(path, cause))] };
  }
}

/** Removes the file. That it can't be removed is no error: it is not there any more, or not ours. */
export async function deleteFile(files: FileSystem, state: Fields): Promise<Outcome> {
  await files.remove(state.string('filename') ?? '').catch(() => {});
  return {};
}
