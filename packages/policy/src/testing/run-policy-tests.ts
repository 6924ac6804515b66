import { BOOL, convert, CtyError, DYNAMIC, nullOf, object, str, type Value } from '@terrane/cty';
import { loadFunctionLibraries, type FunctionPorts } from '@terrane/functions';
import {
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  warningDiagnostic,
} from '@terrane/hcl';
import type { Clock, FileSystem } from '@terrane/host';
import { checkPolicyFile } from '../language/check-policy-file.ts';
import { decodePolicyFile } from '../language/decode-policy-file.ts';
import { findFiles, POLICY_SUFFIX, readBounded, TEST_SUFFIX } from '../language/load-policies.ts';
import type { PolicyFile, PolicyOperation } from '../language/model.ts';
import { inputValues, LanguageFunctions, PolicySet } from '../evaluate/policy-set.ts';
import { policyFunctions, PendingRequests } from '../evaluate/policy-functions.ts';
import type { PolicyResult } from '../evaluate/result.ts';
import { EMPTY_WORLD, type PolicyWorld, ResourceSet } from '../evaluate/world.ts';
import { PolicyTestCoverage, type PolicyCoverage } from './coverage.ts';
import { decodeTestFile } from './decode-test-file.ts';
import type { EvaluatedMock, MockObject, PolicyTestFile } from './model.ts';
import { TestFileScope } from './test-scope.ts';

/** The tests to run. */
export interface PolicyTestRequest {
  /** files and directories with policies */
  readonly policies: readonly string[];
  /** files and directories with tests; empty: those with the policies */
  readonly tests: readonly string[];
  /** texts of which the path of a test file must contain one; empty: all files */
  readonly filter: readonly string[];
}

/** Host interfaces and options of a test run. */
export interface PolicyTestPorts extends FunctionPorts {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** called when a file is done */
  readonly finished?: (file: TestedPolicyFile) => void;
}

/** The result of a mock. */
export interface TestedMock {
  readonly object: MockObject;
  readonly status: 'pass' | 'fail' | 'error' | 'skip';
  /** reasons of a status other than `pass` */
  readonly diagnostics: readonly Diagnostic[];
  readonly results: readonly PolicyResult[];
  readonly durationMs: number;
}

/** The result of a test file. */
export interface TestedPolicyFile {
  readonly path: string;
  readonly status: 'pass' | 'fail' | 'error' | 'skip';
  readonly mocks: readonly TestedMock[];
  /** errors of the file itself */
  readonly diagnostics: readonly Diagnostic[];
}

/** The results of a test run. */
export interface TestedPolicies {
  readonly files: readonly TestedPolicyFile[];
  readonly coverage: readonly PolicyCoverage[];
  /** errors that concern no single test file */
  readonly diagnostics: readonly Diagnostic[];
  readonly isSuccessful: boolean;
}

/** Runs tests of policies. */
export async function runPolicyTests(
  request: PolicyTestRequest,
  ports: PolicyTestPorts,
): Promise<TestedPolicies> {
  await loadFunctionLibraries();
  const run = new PolicyTestRun(ports);
  const diagnostics: Diagnostic[] = [];
  const tests = request.tests.length === 0 ? request.policies : request.tests;
  const paths = new Set<string>();
  for (const path of tests) {
    // A policy file as such contains no tests, but those of the same name are meant.
    const place = path.endsWith(POLICY_SUFFIX)
      ? `${path.slice(0, -POLICY_SUFFIX.length)}${TEST_SUFFIX}`
      : path;
    // Paths that are those of the policies are reported with them.
    const problems = request.tests.length === 0 ? [] : diagnostics;
    for (const each of await findFiles(ports.files, place, TEST_SUFFIX, problems)) paths.add(each);
  }
  for (const path of request.policies) {
    const place = path.endsWith(TEST_SUFFIX)
      ? `${path.slice(0, -TEST_SUFFIX.length)}${POLICY_SUFFIX}`
      : path;
    for (const each of await findFiles(ports.files, place, POLICY_SUFFIX, diagnostics))
      await run.policyFile(each);
  }
  const { filter } = request;
  const selected = [...paths].filter(
    (path) => filter.length === 0 || filter.some((text) => path.includes(text)),
  );
  if (selected.length === 0 && !hasErrors(diagnostics)) {
    const detail = `No file with a name that ends in ${TEST_SUFFIX} was found. Select a directory with tests, or correct the filter.`;
    diagnostics.push(warningDiagnostic('No policy tests', detail));
  }
  const files: TestedPolicyFile[] = [];
  for (const path of selected) {
    if (ports.signal?.aborted === true) {
      files.push({ path, status: 'skip', mocks: [], diagnostics: [] });
      continue;
    }
    const tested = await run.testFile(path);
    files.push(tested);
    ports.finished?.(tested);
  }
  return {
    files,
    coverage: run.coverage.report,
    diagnostics,
    isSuccessful: !hasErrors(diagnostics) && files.every(({ status }) => status === 'pass'),
  };
}

/** A policy file with its errors. */
interface LoadedFile {
  readonly file: PolicyFile | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

class PolicyTestRun {
  readonly coverage: PolicyTestCoverage = new PolicyTestCoverage();
  readonly #ports: PolicyTestPorts;
  readonly #functions: LanguageFunctions;
  readonly #names: ReadonlySet<string>;
  readonly #policyFiles = new Map<string, LoadedFile>();

  constructor(ports: PolicyTestPorts) {
    this.#ports = ports;
    this.#functions = new LanguageFunctions(ports);
    this.#names = this.#functions.names();
  }

  async policyFile(path: string): Promise<LoadedFile> {
    const existing = this.#policyFiles.get(path);
    if (existing !== undefined) return existing;
    const diagnostics: Diagnostic[] = [];
    const bytes = await readBounded(this.#ports.files, path, diagnostics);
    let file: PolicyFile | undefined;
    if (bytes !== undefined) {
      const decoded = decodePolicyFile(path, bytes);
      file = decoded.file;
      diagnostics.push(...decoded.diagnostics);
      if (!hasErrors(diagnostics)) diagnostics.push(...checkPolicyFile(file, this.#names));
      this.coverage.declare(file);
    }
    const loaded = { file, diagnostics };
    this.#policyFiles.set(path, loaded);
    return loaded;
  }

  async testFile(path: string): Promise<TestedPolicyFile> {
    const diagnostics: Diagnostic[] = [];
    const failed = (): TestedPolicyFile => ({ path, status: 'error', mocks: [], diagnostics });
    const bytes = await readBounded(this.#ports.files, path, diagnostics);
    if (bytes === undefined) return failed();
    const { file, diagnostics: problems } = decodeTestFile(path, bytes);
    diagnostics.push(...problems);
    if (hasErrors(diagnostics)) return failed();
    const policies = await this.#targetsOf(file, diagnostics);
    if (hasErrors(diagnostics)) return failed();
    const table = this.#functions.tableFor(path);
    const own = policyFunctions(table, EMPTY_WORLD, new PendingRequests());
    const scope = new TestFileScope(file, new Map([...table, ...own]));
    const inputs = evaluateAll(file.inputs, scope, diagnostics);
    const mocks = file.objects.map((each) => evaluateMock(each, scope));
    for (const { diagnostics: mockProblems } of mocks) diagnostics.push(...mockProblems);
    const data = file.data.map(({ type, attrs }) => ({
      type,
      value: evaluate(attrs, scope, diagnostics),
    }));
    if (hasErrors(diagnostics)) return failed();
    const world = worldOf(
      mocks.map(({ mock }) => mock),
      data,
    );
    const tested: TestedMock[] = [];
    for (const { mock } of mocks)
      tested.push(await this.#testMock(mock, policies, inputs, scope, world));
    return { path, status: statusOf(tested), mocks: tested, diagnostics };
  }

  /** Returns the policy files that a test is about. */
  async #targetsOf(
    file: PolicyTestFile,
    diagnostics: Diagnostic[],
  ): Promise<readonly PolicyFile[]> {
    const paths = new Set<string>();
    if (file.targets === undefined) for (const path of this.#policyFiles.keys()) paths.add(path);
    for (const target of file.targets?.paths ?? []) {
      const found = await this.#findTarget(file, target);
      for (const path of found) paths.add(path);
      if (found.length > 0) continue;
      const detail = `The target ${JSON.stringify(target)} matches no policy file. Paths are relative to the test file.`;
      diagnostics.push(errorDiagnostic('Invalid target', detail, file.targets?.range));
    }
    const files: PolicyFile[] = [];
    for (const path of paths) {
      const loaded = await this.policyFile(path);
      diagnostics.push(...loaded.diagnostics);
      if (loaded.file !== undefined) files.push(loaded.file);
    }
    return files;
  }

  async #findTarget(file: PolicyTestFile, target: string): Promise<readonly string[]> {
    const place = joined(file.path, target);
    const loaded = [...this.#policyFiles.keys()];
    // Tests may be kept apart from the policies, whose paths are then relative to the given directories.
    const elsewhere = loaded.filter(
      (path) => path === target || path.endsWith(`/${target}`) || path.includes(`${target}/`),
    );
    const stat = await this.#ports.files.stat(place);
    if (stat === undefined) return elsewhere;
    return await findFiles(this.#ports.files, place, POLICY_SUFFIX, []);
  }

  async #testMock(
    mock: EvaluatedMock,
    policies: readonly PolicyFile[],
    fileInputs: ReadonlyMap<string, Value>,
    scope: TestFileScope,
    world: PolicyWorld,
  ): Promise<TestedMock> {
    const { object: mockObject } = mock;
    const started = this.#ports.clock.monotonicMs();
    const outcome = (
      status: TestedMock['status'],
      diagnostics: readonly Diagnostic[],
      results: readonly PolicyResult[] = [],
    ): TestedMock => {
      const durationMs = this.#ports.clock.monotonicMs() - started;
      return { object: mockObject, status, diagnostics, results, durationMs };
    };
    if (mock.isSkipped) return outcome('skip', []);
    const diagnostics: Diagnostic[] = [];
    const inputs = new Map([...fileInputs, ...evaluateAll(mockObject.inputs, scope, diagnostics)]);
    const values = new Map(
      policies.map((file) => [file, inputValues(file, inputs, diagnostics)] as const),
    );
    diagnostics.push(...undeclaredInputs(mockObject, policies, inputs));
    if (hasErrors(diagnostics)) return outcome('error', diagnostics);
    const set = new PolicySet(policies, values, this.#functions);
    const evaluation = set.evaluation(world);
    const results: PolicyResult[] = [];
    const { kind, target } = mockObject;
    for (const filed of set.policiesFor(kind, target, mock.operation)) {
      const result = await evaluation.evaluate(filed, mock);
      this.coverage.record(filed.policy, result);
      if (result !== undefined) results.push(result);
    }
    for (const result of results) {
      diagnostics.push(...result.diagnostics);
      if (result.outcome === 'unknown') diagnostics.push(unknownConditionError(mockObject, result));
    }
    if (hasErrors(diagnostics)) return outcome('error', diagnostics, results);
    const failures = results.filter((each) => each.outcome === 'fail');
    if (mock.expectsFailure && failures.length === 0)
      return outcome('fail', [missingFailure(mockObject, results)], results);
    if (!mock.expectsFailure && failures.length > 0)
      return outcome('fail', failures.flatMap(failureDiagnostics(mockObject)), results);
    return outcome('pass', diagnostics, results);
  }
}

/** Joins a path to the directory of a file. */
function joined(file: string, path: string): string {
  if (path.startsWith('/')) return path;
  const parts = file.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.length === 0 ? '.' : parts.join('/');
}

function statusOf(mocks: readonly TestedMock[]): TestedPolicyFile['status'] {
  if (mocks.some(({ status }) => status === 'error')) return 'error';
  return mocks.some(({ status }) => status === 'fail') ? 'fail' : 'pass';
}

function evaluateAll(
  expressions: ReadonlyMap<string, Expression>,
  scope: TestFileScope,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, Value> {
  return new Map(
    [...expressions].map(([name, expression]) => [name, evaluate(expression, scope, diagnostics)]),
  );
}

/** Evaluates the expressions of a mock. */
function evaluateMock(
  mockObject: MockObject,
  scope: TestFileScope,
): { readonly mock: EvaluatedMock; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const value = (expression: Expression | undefined): Value =>
    expression === undefined ? nullOf(DYNAMIC) : evaluate(expression, scope, diagnostics);
  const flag = (expression: Expression | undefined): boolean => {
    const given = value(expression).unmark();
    if (expression === undefined || !given.isKnown || given.isNull) return false;
    try {
      return convert(given, BOOL).asBool();
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      const detail = 'The value must be true or false.';
      diagnostics.push(errorDiagnostic('Invalid value', detail, expression.range));
      return false;
    }
  };
  const attrs = value(mockObject.attrs);
  const priorAttrs = value(mockObject.priorAttrs);
  const meta = value(mockObject.meta);
  const hasNoValues = mockObject.attrs === undefined && mockObject.priorAttrs === undefined;
  if (mockObject.kind === 'resource' && hasNoValues) {
    const detail =
      'A mock resource needs attrs, the values after the change, or prior_attrs, those before it.';
    diagnostics.push(errorDiagnostic('Missing values', detail, mockObject.range));
  }
  const operation =
    operationOf(meta) ??
    (mockObject.attrs === undefined && mockObject.priorAttrs !== undefined
      ? 'delete'
      : mockObject.priorAttrs === undefined
        ? 'create'
        : 'update');
  const mock: EvaluatedMock = {
    object: mockObject,
    operation,
    attrs,
    priorAttrs,
    meta: metaOf(mockObject, meta, operation),
    expectsFailure: flag(mockObject.expectFailure),
    isSkipped: flag(mockObject.skip),
  };
  return { mock, diagnostics };
}

function operationOf(meta: Value): PolicyOperation | undefined {
  const given = meta.isKnown && !meta.isNull ? meta.get('operation') : undefined;
  if (given === undefined || !given.isKnown || given.isNull || given.type.kind !== 'string')
    return undefined;
  return (['create', 'update', 'delete'] as const).find((each) => each === given.asString());
}

/** Returns the metadata of a mock: its declared members, and those that a plan adds. */
function metaOf({ kind, target }: MockObject, meta: Value, operation: PolicyOperation): Value {
  const members = new Map<string, Value>();
  if (kind === 'resource') {
    members.set('operation', str(operation));
    members.set('type', str(target));
  } else if (kind === 'provider') members.set('type', str(target));
  else members.set('source', str(target));
  if (meta.isKnown && !meta.isNull && (meta.type.kind === 'object' || meta.type.kind === 'map'))
    for (const [key, value] of meta.entries()) members.set(key.asString(), value);
  return object(members);
}

/** The world of a test: its mock resources and data sources. */
function worldOf(
  mocks: readonly EvaluatedMock[],
  data: readonly { readonly type: string; readonly value: Value }[],
): PolicyWorld {
  const byType = new Map<string, Value[]>();
  for (const { object: mockObject, attrs, operation } of mocks) {
    if (mockObject.kind !== 'resource' || operation === 'delete') continue;
    const existing = byType.get(mockObject.target);
    if (existing === undefined) byType.set(mockObject.target, [attrs]);
    else existing.push(attrs);
  }
  const sets = new Map<string, ResourceSet>();
  return {
    resourcesOf: (type) => {
      let set = sets.get(type);
      if (set === undefined) {
        set = new ResourceSet(byType.get(type) ?? []);
        sets.set(type, set);
      }
      return set;
    },
    readData: (type, config) => {
      const candidates = data.filter((each) => each.type === type).map(({ value }) => value);
      const entries = config.isNull ? [] : config.entries();
      const filter = new Map(entries.map(([key, value]) => [key.asString(), value] as const));
      const [first] = new ResourceSet(candidates).matching(filter).matched;
      // A mock represents the response, so it matches even if it does not repeat the arguments.
      const answer = first ?? (candidates.length === 1 ? candidates[0] : undefined);
      return answer === undefined
        ? Promise.reject(
            new Error(`the test has no data ${JSON.stringify(type)} with these values`),
          )
        : Promise.resolve(answer);
    },
  };
}

function undeclaredInputs(
  mockObject: MockObject,
  policies: readonly PolicyFile[],
  inputs: ReadonlyMap<string, Value>,
): readonly Diagnostic[] {
  return [...inputs.keys()]
    .filter((name) => !policies.some((file) => file.inputs.has(name)))
    .map((name) =>
      errorDiagnostic(
        'Undeclared input',
        `No tested policy file declares an input named ${JSON.stringify(name)}. Correct the name in the block "inputs".`,
        mockObject.range,
      ),
    );
}

function missingFailure(mockObject: MockObject, results: readonly PolicyResult[]): Diagnostic {
  const evaluated =
    results.length === 0
      ? 'No policy was evaluated for it: none matches its type and operation, or filters exclude it.'
      : `These policies passed: ${results.map(({ policy }) => policy.address).join(', ')}.`;
  return errorDiagnostic(
    'Missing expected failure',
    `The mock ${mockObject.address} is expected to fail a policy, but does not. ${evaluated}`,
    mockObject.range,
  );
}

function unknownConditionError(mockObject: MockObject, { policy }: PolicyResult): Diagnostic {
  return errorDiagnostic(
    'Unknown condition',
    `The policy ${policy.address} cannot be decided for the mock ${mockObject.address}, as its condition depends on unknown values. Add the values to the mock.`,
    mockObject.range,
  );
}

function failureDiagnostics(
  mockObject: MockObject,
): (result: PolicyResult) => readonly Diagnostic[] {
  return ({ policy, enforcements }) =>
    enforcements
      .filter(({ outcome }) => outcome === 'fail')
      .map(({ enforcement, message }) =>
        errorDiagnostic(
          'Unexpected policy failure',
          `The mock ${mockObject.address} fails the policy ${policy.address} (${enforcement.range.filename} line ${enforcement.range.from.line}): ${message ?? 'its condition is false.'}`,
          mockObject.range,
        ),
      );
}
