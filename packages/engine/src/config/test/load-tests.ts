import { cleanPath } from '@terrane/addresses';
import { compareText } from '@terrane/cty';
import {
  type Body,
  type Diagnostic,
  EMPTY_BODY,
  errorDiagnostic,
  hasErrors,
  parseJsonSyntax,
  parseNative,
  Source,
  warningDiagnostic,
} from '@terrane/hcl';
import { type FileSystem, userErrorText, expectUserError } from '@terrane/host';
import { isIgnoredFile } from '../configuration-files.ts';
import type { Configuration, ModuleCall } from '../model.ts';
import {
  decodeMockData,
  type DecodedMockProvider,
  emptyMockDraft,
  mergeMockData,
  type MockDraft,
} from './decode-mock.ts';
import { type DecodedTestFile, decodeTestFile } from './decode-test-file.ts';
import type { DecodedRun, DecodedRunModule } from './decode-test-run.ts';
import type { TestFile, TestRun, TestSuite } from './model.ts';

/** The default directory of test files. */
const DEFAULT_TEST_DIRECTORY = 'tests';

/** Returns a file that the caller has parsed. */
type ParsedFile = (path: string) =>
  | {
      readonly source: Source;
      readonly body: Body;
      readonly diagnostics: readonly Diagnostic[];
    }
  | undefined;

type Files = Pick<FileSystem, 'readFileSync' | 'readDirectorySync' | 'statSync'>;

const TEST_FILE = /\.(?:tftest\.hcl|tftest\.json|tofutest\.hcl|tofutest\.json)$/;
const MOCK_FILE = /\.(?:tfmock\.hcl|tfmock\.json|tofumock\.hcl|tofumock\.json)$/;

/** The test files of a configuration as they are written. */
export interface DecodedSuite {
  readonly directory: string;
  readonly files: readonly DecodedTestFile[];
}

/** Reads and decodes the test files in a configuration's directory and in its test directory. */
export function readTestFiles(
  files: Files,
  directory: string,
  testDirectory: string,
  sources: Map<string, Source>,
  diagnostics: Diagnostic[],
  parsedFile?: ParsedFile,
): DecodedSuite {
  const names = new Set<string>();
  const below = cleanPath(`${directory}/${testDirectory}`);
  const stat = files.statSync(below);
  if (stat === undefined) {
    if (testDirectory !== DEFAULT_TEST_DIRECTORY) {
      diagnostics.push(
        warningDiagnostic(
          'Test directory does not exist',
          `Requested test directory ${below} does not exist.`,
        ),
      );
    }
  } else {
    try {
      for (const name of namesIn(files, below, TEST_FILE))
        names.add(cleanPath(`${testDirectory}/${name}`));
    } catch (error) {
      const reason = userErrorText(error);
      diagnostics.push(
        errorDiagnostic(
          'Failed to read test directory',
          `Test directory ${below} could not be read: ${reason}.`,
        ),
      );
      return { directory: testDirectory, files: [] };
    }
  }
  for (const name of namesIn(files, directory, TEST_FILE)) names.add(name);
  const decoded: DecodedTestFile[] = [];
  for (const name of [...names].sort(compareText)) {
    // OpenTofu's file hides the file of the same name in both languages.
    if (names.has(name.replace('.tftest.', '.tofutest.')) && name.includes('.tftest.')) continue;
    const path = cleanPath(`${directory}/${name}`);
    const body = parseFile(files, path, sources, diagnostics, parsedFile);
    if (body !== undefined) decoded.push(decodeTestFile(name, body, diagnostics));
  }
  return { directory: testDirectory, files: decoded };
}

/** Loads the configuration that a run executes instead of the one under test. */
export type LoadRunModule = (
  call: ModuleCall,
  keys: readonly string[],
) => { readonly configuration?: Configuration; readonly diagnostics: readonly Diagnostic[] };

/** Completes test files with the modules of their runs and the data of mock providers. */
export function completeSuite(
  { directory, files: decoded }: DecodedSuite,
  files: Files,
  sources: Map<string, Source>,
  load: LoadRunModule,
  diagnostics: Diagnostic[],
): TestSuite {
  const complete = new Map<string, TestFile>();
  for (const file of decoded) {
    const { mocks, runs, ...rest } = file;
    for (const mock of mocks) addMockData(mock, files, sources, diagnostics);
    const keys = runModuleKeys(file.name);
    complete.set(file.name, {
      ...rest,
      runs: runs.map((run) => completeRun(run, keys, load, diagnostics)),
    });
  }
  return { directory, files: complete };
}

/** Returns true if runs execute other modules. */
export function hasRunModules(suite: DecodedSuite | undefined): boolean {
  const files = suite?.files ?? [];
  return files.some(({ runs }) => runs.some(({ module }) => module !== undefined));
}

/** Returns the manifest keys of the modules of a file's runs, without the names of the runs. */
export function runModuleKeys(file: string): readonly string[] {
  const parts = file.split('/');
  const base = parts.pop() ?? '';
  return ['test', ...parts, base.replace(/\.tftest\.hcl$/, '')];
}

function completeRun(
  { module, ...run }: DecodedRun,
  keys: readonly string[],
  load: LoadRunModule,
  diagnostics: Diagnostic[],
): TestRun {
  if (module === undefined) return { ...run, module: undefined };
  const loaded = load(callOf(run.name, module), keys);
  diagnostics.push(...loaded.diagnostics);
  const { source, version, range, sourceRange } = module;
  const configuration = hasErrors(loaded.diagnostics) ? undefined : loaded.configuration;
  return {
    ...run,
    module: {
      source,
      range,
      sourceRange,
      configuration,
      ...(version === undefined ? {} : { version }),
    },
  };
}

/** A run's module as if the configuration called it. */
function callOf(name: string, module: DecodedRunModule): ModuleCall {
  const { source, sourceText, sourceRange, version, versionRange, range } = module;
  return {
    name,
    sourceText,
    sourceRange,
    source,
    body: EMPTY_BODY,
    dependsOn: [],
    providers: undefined,
    range,
    ...(version === undefined ? {} : { version }),
    ...(versionRange === undefined ? {} : { versionRange }),
  };
}

function addMockData(
  { provider, source, duringPlan }: DecodedMockProvider,
  files: Files,
  sources: Map<string, Source>,
  diagnostics: Diagnostic[],
): void {
  if (source === '') return;
  let names: readonly string[];
  try {
    names = namesIn(files, source, MOCK_FILE);
  } catch (error) {
    expectUserError(error);
    diagnostics.push(
      errorDiagnostic(
        'Failed to read mock data directory',
        `Mock data directory ${source} does not exist or cannot be read.`,
        provider.range,
      ),
    );
    return;
  }
  const all: MockDraft = emptyMockDraft();
  for (const name of names) {
    const body = parseFile(files, cleanPath(`${source}/${name}`), sources, diagnostics);
    if (body === undefined) continue;
    const draft = emptyMockDraft();
    decodeMockData(body, draft, { duringPlan, inTestFile: false }, diagnostics);
    mergeMockData(all, draft, 'refused', diagnostics);
  }
  mergeMockData(provider.mock, all, 'ignored', diagnostics);
}

function namesIn(files: Files, directory: string, pattern: RegExp): readonly string[] {
  return files
    .readDirectorySync(directory)
    .filter(({ kind, name }) => kind !== 'directory' && pattern.test(name) && !isIgnoredFile(name))
    .map(({ name }) => name)
    .sort(compareText);
}

/** Returns the syntax tree of a file; that of the caller if `parsedFile` has it. */
function parseFile(
  files: Files,
  path: string,
  sources: Map<string, Source>,
  diagnostics: Diagnostic[],
  parsedFile?: ParsedFile,
): Body | undefined {
  const parsedBefore = parsedFile?.(path);
  if (parsedBefore !== undefined) {
    sources.set(path, parsedBefore.source);
    diagnostics.push(...parsedBefore.diagnostics);
    return parsedBefore.body;
  }
  let source: Source;
  try {
    source = Source.fromBytes(path, files.readFileSync(path));
  } catch (error) {
    expectUserError(error);
    diagnostics.push(
      errorDiagnostic('Failed to read file', `The file "${path}" could not be read.`),
    );
    return undefined;
  }
  sources.set(path, source);
  const parsed = path.endsWith('.json') ? parseJsonSyntax(source) : parseNative(source);
  diagnostics.push(...parsed.diagnostics);
  return parsed.body;
}
