/** The oldest Node.js that runs a provider. */
const NEEDS = '22.18';

/**
 * Runs the rest of the file. Node itself would select modules or CommonJS by the directory of the file, and would not
 * know the extension that the end of its version number looks like.
 */
const START =
  'var f=process.argv[1];new(require("vm").Script)(require("fs").readFileSync(f,"utf8"),{filename:f}).runInThisContext()';

/** Returns the first lines of a provider script: a shell command that JavaScript parses as a string and a comment. */
function scriptHead(title: string): string {
  const missing = `The provider ${title} needs Node.js ${NEEDS} or later on PATH.`;
  return `#!/bin/sh
":" //# ; command -v node >/dev/null 2>&1 || { echo "${missing}" >&2; exit 1; }; exec node -e '${START}' "$0" "$@"
`;
}

/** Combines the major and minor version to one number. Older releases must be able to parse this too. */
const MAKE_NUMBER = 'function (major, minor) { return major * 1000 + Number(minor); }';

const LIBRARY_HEAD = `if (process.versions.node.split(".").slice(0, 2).reduce(${MAKE_NUMBER}) < ${NEEDS.replace('.', '0')}) {
  console.error("This provider needs Node.js ${NEEDS} or later, and this is " + process.version + ".");
  process.exit(1);
}
var require = process.getBuiltinModule("node:module").createRequire(process.execPath), module = { exports: {} }, exports = module.exports;
`;

/** Builds an executable for any Unix from a bundle that is one function (esbuild's format `iife`). */
export function scriptExecutable(title: string, bundle: string): string {
  return `${scriptHead(title)}${programText(bundle)}`;
}

/** Returns the program without the shell prelude, for executables that contain Node. */
export function programText(bundle: string): string {
  return `${LIBRARY_HEAD}${bundle.replace(/^#!.*\n/, '')}`;
}
