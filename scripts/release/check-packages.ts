/** Checks the packages of a release with publint and "Are the types wrong?". The libraries have to be built. */
import { readIdentity } from './identity.ts';
import { packLibrary, packProgram, publicPackages } from './libraries.ts';
import { packageProblems } from './package-problems.ts';
import { PLATFORMS } from './platforms.ts';

const identity = readIdentity();
let failed = false;
for (const source of publicPackages()) {
  const isProgram = source.manifest.name === 'terrane';
  const { name, contents } = await (isProgram
    ? packProgram(source, PLATFORMS, identity)
    : packLibrary(source, identity));
  const problems = await packageProblems(contents);
  for (const problem of problems) console.error(`${name}: ${problem}`);
  failed ||= problems.length > 0;
}
if (failed) process.exitCode = 1;
