import { loadFunctionLibraries } from '@terrane/functions';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { type FileSystem, userErrorText } from '@terrane/host';
import { checkPolicyFile } from './check-policy-file.ts';
import { decodePolicyFile, MAX_FILE_SIZE } from './decode-policy-file.ts';
import type { PolicyFile } from './model.ts';

/** The name ending of policy files. */
export const POLICY_SUFFIX = '.policy.hcl';
/** The name ending of test files. */
export const TEST_SUFFIX = '.policytest.hcl';

const MAX_FILES = 20_000;
const MAX_DEPTH = 20;

/** Loaded policy files; files with errors are incomplete. */
export interface LoadedPolicies {
  readonly files: readonly PolicyFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads the policy files at paths, each a file or a directory that is searched with its subdirectories. */
export async function loadPolicies(
  files: FileSystem,
  paths: readonly string[],
  functionNames: ReadonlySet<string>,
): Promise<LoadedPolicies> {
  await loadFunctionLibraries();
  const diagnostics: Diagnostic[] = [];
  const policyPaths = new Set<string>();
  for (const path of paths) {
    for (const each of await findFiles(files, path, POLICY_SUFFIX, diagnostics))
      policyPaths.add(each);
  }
  const policies: PolicyFile[] = [];
  for (const path of policyPaths) {
    const bytes = await readBounded(files, path, diagnostics);
    if (bytes === undefined) continue;
    const { file, diagnostics: problems } = decodePolicyFile(path, bytes);
    diagnostics.push(...problems);
    if (!hasErrors(problems)) diagnostics.push(...checkPolicyFile(file, functionNames));
    policies.push(file);
  }
  return { files: policies, diagnostics };
}

/** Reads a file; reports one that cannot be read or is too large. */
export async function readBounded(
  files: FileSystem,
  path: string,
  diagnostics: Diagnostic[],
): Promise<Uint8Array | undefined> {
  try {
    const stat = await files.stat(path);
    if (stat !== undefined && stat.size > MAX_FILE_SIZE) {
      const detail = `The file ${path} has ${stat.size} bytes; at most ${MAX_FILE_SIZE} are read. Split it.`;
      diagnostics.push(errorDiagnostic('Policy file too large', detail));
      return undefined;
    }
    if (stat?.kind === 'other') {
      // A pipe or device may block or never end.
      const detail = `${path} is no regular file. Remove it from the policies.`;
      diagnostics.push(errorDiagnostic('Unreadable policy file', detail));
      return undefined;
    }
    return await files.readFile(path);
  } catch (error) {
    const detail = `The file ${path} could not be read: ${userErrorText(error, path)}.`;
    diagnostics.push(errorDiagnostic('Unreadable policy file', detail));
    return undefined;
  }
}

/** Returns the files with a name ending at a path, sorted; reports a path that does not exist. */
export async function findFiles(
  files: FileSystem,
  path: string,
  suffix: string,
  diagnostics: Diagnostic[],
): Promise<readonly string[]> {
  const stat = await files.stat(path);
  if (stat === undefined) {
    const detail = `There is no file or directory at ${path}. Correct the path of the policies.`;
    diagnostics.push(errorDiagnostic('Invalid policy path', detail));
    return [];
  }
  if (stat.kind === 'file') return [path];
  const matchingPaths: string[] = [];
  try {
    await search(files, path.replace(/\/+$/, '') || '/', suffix, 0, matchingPaths);
  } catch (error) {
    const detail = `The directory ${path} could not be read: ${userErrorText(error, path)}.`;
    diagnostics.push(errorDiagnostic('Unreadable policy path', detail));
  }
  if (matchingPaths.length > MAX_FILES) {
    const detail = `The directory ${path} has more than ${MAX_FILES} files with names that end in ${suffix}. Select a directory below it.`;
    diagnostics.push(errorDiagnostic('Too many policy files', detail));
    return [];
  }
  return matchingPaths;
}

async function search(
  files: FileSystem,
  directory: string,
  suffix: string,
  depth: number,
  matchingPaths: string[],
): Promise<void> {
  if (depth > MAX_DEPTH || matchingPaths.length > MAX_FILES) return;
  for (const { name, kind } of await files.readDirectory(directory)) {
    if (name.startsWith('.')) continue;
    const path = directory === '.' ? name : `${directory.replace(/\/$/, '')}/${name}`;
    if (kind === 'directory') await search(files, path, suffix, depth + 1, matchingPaths);
    else if (name.endsWith(suffix)) matchingPaths.push(path);
  }
}
