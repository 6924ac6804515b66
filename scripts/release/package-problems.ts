import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** Module resolutions that cannot use packages of ECMAScript modules. */
const UNSUPPORTED = new Set(['node10', 'node16-cjs']);

/** Returns the problems that publint finds. */
async function publishingProblems(tarball: Uint8Array): Promise<readonly string[]> {
  const copy = new Uint8Array(tarball).buffer;
  const { messages, pkg } = await publint({ pack: { tarball: copy }, strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/** Returns the problems of the types under the supported module resolutions. */
async function typeProblems(tarball: Uint8Array): Promise<readonly string[]> {
  const result = await checkPackage(createPackageFromTarballData(tarball));
  // The program has no types.
  if (result.types === false) return [];
  return result.problems
    .filter((problem) => !('resolutionKind' in problem && UNSUPPORTED.has(problem.resolutionKind)))
    .map((problem) => JSON.stringify(problem));
}

/** Returns what publint and "Are the types wrong?" find in a package archive. */
export async function packageProblems(tarball: Uint8Array): Promise<readonly string[]> {
  return [...(await publishingProblems(tarball)), ...(await typeProblems(tarball))];
}
