/** The layers of ARCHITECTURE.md: a package imports only packages of a lower layer. */
export const layers: Readonly<Record<string, number>> = {
  cty: 0,
  graph: 0,
  host: 0,
  'aws-access': 1,
  hcl: 1,
  addresses: 2,
  functions: 2,
  provider: 2,
  plugin: 3,
  engine: 3,
  backends: 3,
  provisioners: 3,
  encryption: 3,
  render: 4,
  registry: 4,
  ops: 5,
  analysis: 5,
  drift: 6,
  history: 6,
  policy: 6,
  refactor: 6,
  'language-server': 7,
  mcp: 7,
  server: 7,
  'provider-testing': 7,
  'create-terrane-provider': 7,
  cli: 8,
};

/** The stages inside packages/engine/src: a folder imports only itself and those before it. */
export const stages: readonly string[] = [
  'lang',
  'state',
  'config',
  'session',
  'evaluate',
  'objects',
  'plan',
  'explain',
  'apply',
  'testing',
];

/**
 * The files of the stage `plan` that the stage `apply` imports: data only. What both do with objects is in the stage
 * `objects`.
 */
export const plansData: readonly string[] = ['inspector.ts', 'model.ts', 'settings.ts', 'step.ts'];

/** The packages that every bundled provider may import. */
export const providerMayImport: readonly string[] = ['provider', 'cty', 'host'];
/** Further packages that single providers may import, by folder. */
export const providersImportToo: Readonly<Record<string, readonly string[]>> = {
  aws: ['aws-access'],
};
/** The lowest layer that may import bundled providers; tests may do so from `testsFrom` on. */
export const providersServe = { from: 5, testsFrom: 3 } as const;

/** The highest layer that the test kit may import. */
export const testkitReaches = 2;

/** Packages that are the border to the outside world, or never leave the tests. */
export const touchesOutside: readonly string[] = ['host', 'testkit', 'provider-testing', 'cli'];

/**
 * Files and folders that may use the platform of this process. Everything else asks the host for its platform, so that
 * the behavior on Windows is testable elsewhere.
 */
export const usesOwnPlatform: readonly string[] = [
  'packages/host/src/node-environment.ts',
  // Starts the program, before there is a host.
  'packages/cli/src/launcher/',
  // Writes the streams of this process.
  'packages/cli/src/process-output.ts',
  // Tools for authors of providers, which work on the files of this machine.
  'packages/plugin/src/publish/',
  'packages/provider-testing/',
];

/** Files and folders that may also use the path functions for this process: they work on its files. */
export const usesOwnPaths: readonly string[] = ['packages/cli/src/', 'packages/host/src/node-'];

/** Modules of Node that reach outside the program. */
export const outsideModules: ReadonlySet<string> = new Set([
  'node:child_process',
  'node:cluster',
  'node:console',
  'node:dgram',
  'node:dns',
  'node:dns/promises',
  'node:fs',
  'node:fs/promises',
  'node:http',
  'node:http2',
  'node:https',
  'node:net',
  'node:os',
  'node:perf_hooks',
  'node:process',
  'node:readline',
  'node:readline/promises',
  'node:tls',
  'node:tty',
]);

/** The exports of node:crypto that are not pure functions. */
export const randomExports: ReadonlySet<string> = new Set([
  'createDiffieHellman',
  'generateKey',
  'generateKeyPair',
  'generateKeyPairSync',
  'generateKeySync',
  'generatePrime',
  'generatePrimeSync',
  'getRandomValues',
  'randomBytes',
  'randomFill',
  'randomFillSync',
  'randomInt',
  'randomUUID',
  'subtle',
  'webcrypto',
]);

/** Globals that reach outside the program, whatever is done with them. */
export const outsideGlobals: ReadonlySet<string> = new Set([
  'console',
  'crypto',
  'fetch',
  'performance',
  'process',
]);

/** Members of otherwise pure globals that reach outside. */
export const outsideMembers: ReadonlySet<string> = new Set(['Date.now', 'Math.random']);
