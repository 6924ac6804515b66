// Runs tests on the oldest Node.js that the published packages support: `npm run test:oldest-node`, by default a
// sample of unit tests and the program as it is built; else what arguments for Vitest select.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OLDEST_NODE, pinnedPackage } from './pinned-node.mjs';
import { root, run, versionOf } from './run.mjs';

const SAMPLE = [
  ...['cty', 'graph', 'hcl', 'host', 'plugin', 'provider'].map((name) => `packages/${name}/`),
  'tests/hostile/launcher.test.ts',
];

/** Installs that Node.js apart from the other dependencies: its binary has the name of the pinned one. */
function install(place) {
  mkdirSync(place, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, 'scripts', 'oldest-node', file), join(place, file));
  return run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: place });
}

const place = join(root, '.build', 'oldest-node');
const name = pinnedPackage(process.platform, process.arch)?.name;
const node = join(place, 'node_modules', String(name), 'bin', 'node');
const isRight = () => versionOf(node)?.startsWith(`${OLDEST_NODE}.`) === true;
if (!isRight() && (install(place) !== 0 || !isRight())) {
  console.error(
    `Node.js ${OLDEST_NODE} could not be installed for ${process.platform}-${process.arch}.`,
  );
  process.exit(1);
}
const given = process.argv.slice(2);
const selects = given.some((argument) => !argument.startsWith('-'));
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
process.exit(run(node, [vitest, 'run', ...(selects ? [] : SAMPLE), ...given], { shell: false }));
