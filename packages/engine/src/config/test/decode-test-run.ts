import { type ModuleSource, parseModuleSource } from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import { asKeyword, errorDiagnostic, hasErrors, isValidIdentifier } from '@terrane/hcl';
import type {
  Attribute,
  Block,
  BodyContent,
  BodySchema,
  Diagnostic,
  Expression,
  Range,
  Traversal,
} from '@terrane/hcl';
import { decodeCheckRule } from '../decode-check-rule.ts';
import { decodePassedProviders } from '../decode-module-call.ts';
import { decodeVersionConstraint } from '../decode-version.ts';
import type { BackendBlock, CheckRule, PassedProvider } from '../model.ts';
import {
  BAD_IDENTIFIER,
  staticBool,
  staticList,
  staticString,
  staticTraversal,
  unquoteTraversal,
} from '../static-value.ts';
import { moduleSourceProblem } from '../decode-module-call.ts';
import { decodeOverride } from './decode-override.ts';
import type { Override, TestRun, TestRunOptions } from './model.ts';

const RUN_SCHEMA: BodySchema = {
  attributes: [
    { name: 'command' },
    { name: 'providers' },
    { name: 'expect_failures' },
    { name: 'state_key' },
    { name: 'parallel' },
    { name: 'skip_cleanup' },
  ],
  blocks: [
    { type: 'backend', labelNames: ['name'] },
    { type: 'plan_options' },
    { type: 'assert' },
    { type: 'variables' },
    { type: 'module' },
    { type: 'override_resource' },
    { type: 'override_data' },
    { type: 'override_module' },
  ],
};

const OPTIONS_SCHEMA: BodySchema = {
  attributes: [{ name: 'mode' }, { name: 'refresh' }, { name: 'replace' }, { name: 'target' }],
  blocks: [],
};

const MODULE_SCHEMA: BodySchema = {
  attributes: [{ name: 'source' }, { name: 'version' }],
  blocks: [],
};

/** The `module` block of a run, before it is loaded. */
export interface DecodedRunModule {
  readonly source: ModuleSource;
  readonly sourceText: string;
  readonly version?: string;
  readonly versionRange?: Range;
  readonly range: Range;
  readonly sourceRange: Range;
}

/** A run whose module is not loaded yet. */
export type DecodedRun = Omit<TestRun, 'module'> & {
  readonly module: DecodedRunModule | undefined;
  /** the range of the argument `skip_cleanup`, if present */
  readonly skipCleanupRange: Range | undefined;
};

const DEFAULT_OPTIONS: TestRunOptions = { mode: 'normal', refresh: true, replace: [], target: [] };

/** Reports a backend block of a run that does not apply, or with `skip_cleanup = false`. */
function checkBackendUse(
  command: DecodedRun['command'],
  backend: BackendBlock | undefined,
  refusedSkip: Attribute | undefined,
  diagnostics: Diagnostic[],
): void {
  if (backend === undefined) return;
  if (command !== 'apply') {
    diagnostics.push(
      errorDiagnostic(
        'Invalid backend block',
        'A backend block can only be used in the first apply run block for a given internal state file. It cannot be included in a block to run a plan command.',
        backend.range,
      ),
    );
  }
  if (refusedSkip !== undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Cannot use `skip_cleanup=false` in a run block that contains a backend block',
        'Backend blocks are used in tests to allow reuse of long-lived resources. Due to this, cleanup behavior is implicitly skipped and backend blocks are incompatible with setting `skip_cleanup=false`',
        refusedSkip.nameRange,
      ),
    );
  }
}

/** Decodes a `run` block. The file determines the default of `skip_cleanup`. */
export function decodeTestRun(
  block: Block,
  ofFile: { readonly skipCleanup: boolean },
  diagnostics: Diagnostic[],
): DecodedRun {
  const { content, diagnostics: schemaProblems } = block.body.content(RUN_SCHEMA);
  diagnostics.push(...schemaProblems);
  const name = block.labels[0] ?? '';
  const nameRange = block.labelRanges[0] ?? block.defRange;
  if (!isValidIdentifier(name)) {
    diagnostics.push(errorDiagnostic('Invalid run block name', BAD_IDENTIFIER, nameRange));
  }
  const asserts: CheckRule[] = [];
  const overrides = new Map<string, Override>();
  const first = new Map<string, Range>();
  let options: TestRunOptions | undefined;
  let variables: ReadonlyMap<string, Expression> = new Map();
  let module: DecodedRunModule | undefined;
  let backend: BackendBlock | undefined;
  for (const inner of content.blocks) {
    switch (inner.type) {
      case 'backend':
        backend = decodeRunBackend(name, inner, backend, diagnostics);
        break;
      case 'assert': {
        const problems: Diagnostic[] = [];
        const { complete } = decodeCheckRule(inner, false, problems);
        diagnostics.push(...problems);
        if (complete !== undefined && !hasErrors(problems)) asserts.push(complete);
        break;
      }
      case 'plan_options':
        if (isRepeated(inner, first, diagnostics)) break;
        options = decodeOptions(inner, diagnostics);
        break;
      case 'variables':
        if (isRepeated(inner, first, diagnostics)) break;
        variables = decodeVariables(inner, diagnostics);
        break;
      case 'module': {
        // A second block is an error, but takes effect; an invalid block is ignored.
        if (module !== undefined) reportRepeated(inner, module.range, diagnostics);
        module = decodeRunModule(inner, diagnostics) ?? module;
        break;
      }
      default:
        decodeOverride(inner, { inTestFile: true }, overrides, diagnostics);
    }
  }
  const command = decodeCommand(content.attributes.get('command'), diagnostics);
  const passed = content.attributes.get('providers');
  const providers: readonly PassedProvider[] =
    passed === undefined ? [] : decodePassedProviders(passed, diagnostics);
  const expectFailures = traversalsOf(content.attributes.get('expect_failures'), diagnostics);
  const key = content.attributes.get('state_key');
  const stateKey = key === undefined ? '' : (staticString(key.expression, diagnostics) ?? '');
  const skipped = content.attributes.get('skip_cleanup');
  const skipCleanup =
    flagOf(content, 'skip_cleanup', diagnostics) ?? (backend !== undefined || ofFile.skipCleanup);
  checkBackendUse(command, backend, skipCleanup ? undefined : skipped, diagnostics);
  return {
    name,
    command,
    options: options ?? DEFAULT_OPTIONS,
    variables,
    overrides,
    providers,
    asserts,
    module,
    expectFailures,
    stateKey,
    parallel: flagOf(content, 'parallel', diagnostics),
    skipCleanup: skipCleanup || backend !== undefined,
    skipCleanupRange: skipped?.nameRange,
    backend,
    range: block.defRange,
    nameRange,
  };
}

/** Decodes the `backend` block of a run. A second one is an error, and so is one that runs operations remotely. */
function decodeRunBackend(
  run: string,
  block: Block,
  previous: BackendBlock | undefined,
  diagnostics: Diagnostic[],
): BackendBlock | undefined {
  const type = block.labels[0] ?? '';
  if (type === 'remote') {
    diagnostics.push(
      errorDiagnostic(
        'Invalid backend block',
        `The "remote" backend type cannot be used in the backend block in run ${quoteText(run)} at ${block.defRange}. Only state storage backends can be used in a test run.`,
        block.defRange,
      ),
    );
    return previous;
  }
  if (previous !== undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Duplicate backend blocks',
        `A backend block has already been defined inside the run ${quoteText(run)} at ${previous.range}.`,
        block.defRange,
      ),
    );
    return previous;
  }
  const typeRange = block.labelRanges[0] ?? block.defRange;
  return { type, body: block.body, range: block.defRange, typeRange };
}

/** Reports a repeated block of a type that may occur once. */
function isRepeated(block: Block, first: Map<string, Range>, diagnostics: Diagnostic[]): boolean {
  const previous = first.get(block.type);
  if (previous === undefined) {
    first.set(block.type, block.defRange);
    return false;
  }
  reportRepeated(block, previous, diagnostics);
  return true;
}

function reportRepeated(block: Block, previous: Range, diagnostics: Diagnostic[]): void {
  diagnostics.push(
    errorDiagnostic(
      `Multiple "${block.type}" blocks`,
      `This run block already has a ${block.type} block defined at ${previous}.`,
      block.defRange,
    ),
  );
}

/** The arguments of a `variables` block. */
export function decodeVariables(
  block: Block,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, Expression> {
  const { attributes, diagnostics: schemaProblems } = block.body.justAttributes();
  diagnostics.push(...schemaProblems);
  return new Map(Array.from(attributes.values(), ({ name, expression }) => [name, expression]));
}

/** Returns a flag of a block; undefined if it is absent. */
export function flagOf(
  content: BodyContent,
  name: string,
  diagnostics: Diagnostic[],
): boolean | undefined {
  const attribute = content.attributes.get(name);
  return attribute === undefined ? undefined : staticBool(attribute.expression, diagnostics);
}

function decodeCommand(
  attribute: Attribute | undefined,
  diagnostics: Diagnostic[],
): TestRun['command'] {
  if (attribute === undefined) return 'apply';
  const keyword = asKeyword(attribute.expression);
  if (keyword === 'apply' || keyword === 'plan') return keyword;
  diagnostics.push(
    errorDiagnostic(
      'Invalid "command" keyword',
      'The "command" argument requires one of the following keywords without quotes: apply or plan.',
      attribute.expression.range,
    ),
  );
  return 'apply';
}

/** References in a list, as `depends_on` has them. */
function traversalsOf(attribute: Attribute | undefined, diagnostics: Diagnostic[]): Traversal[] {
  if (attribute === undefined) return [];
  const traversals: Traversal[] = [];
  for (const element of staticList(attribute.expression, diagnostics)) {
    const e = unquoteTraversal(element, 'reference', diagnostics);
    const traversal = staticTraversal(e, diagnostics);
    if (traversal !== undefined) traversals.push(traversal);
  }
  return traversals;
}

function decodeOptions(block: Block, diagnostics: Diagnostic[]): TestRunOptions | undefined {
  const problems: Diagnostic[] = [];
  const { content, diagnostics: schemaProblems } = block.body.content(OPTIONS_SCHEMA);
  problems.push(...schemaProblems);
  let mode: TestRunOptions['mode'] = 'normal';
  const modeAttribute = content.attributes.get('mode');
  if (modeAttribute !== undefined) {
    const keyword = asKeyword(modeAttribute.expression);
    if (keyword === 'refresh-only' || keyword === 'normal') mode = keyword;
    else {
      problems.push(
        errorDiagnostic(
          'Invalid "mode" keyword',
          'The "mode" argument requires one of the following keywords without quotes: normal or refresh-only',
          modeAttribute.expression.range,
        ),
      );
    }
  }
  const refresh = flagOf(content, 'refresh', problems);
  const replace = traversalsOf(content.attributes.get('replace'), problems);
  const target = traversalsOf(content.attributes.get('target'), problems);
  if (refresh === false && mode === 'refresh-only') {
    problems.push(
      errorDiagnostic(
        'Incompatible plan options',
        'The "refresh" option cannot be set to false when running a test in "refresh-only" mode.',
        content.attributes.get('refresh')?.range,
      ),
    );
  }
  diagnostics.push(...problems);
  return hasErrors(problems) ? undefined : { mode, refresh: refresh ?? true, replace, target };
}

function decodeRunModule(block: Block, diagnostics: Diagnostic[]): DecodedRunModule | undefined {
  const problems: Diagnostic[] = [];
  const { content, diagnostics: schemaProblems } = block.body.content(MODULE_SCHEMA);
  problems.push(...schemaProblems);
  const versioned = content.attributes.get('version');
  const version =
    versioned === undefined ? undefined : decodeVersionConstraint(versioned, problems);
  const sourced = content.attributes.get('source');
  let source: ModuleSource | undefined;
  let sourceText = '';
  if (sourced === undefined) {
    problems.push(
      errorDiagnostic(
        'Missing "source" attribute for module block',
        'You must specify a source attribute when executing alternate modules during test executions.',
        block.defRange,
      ),
    );
  } else {
    const text = staticString(sourced.expression, problems);
    if (text !== undefined) {
      sourceText = text;
      const parsed = parseModuleSource(text, versioned !== undefined);
      if ('error' in parsed) {
        problems.push(moduleSourceProblem(parsed, versioned !== undefined, sourced.range));
      } else source = parsed.source;
    }
  }
  diagnostics.push(...problems);
  if (hasErrors(problems) || source === undefined || sourced === undefined) return undefined;
  return {
    source,
    sourceText,
    range: block.defRange,
    sourceRange: sourced.range,
    ...(version === undefined ? {} : { version }),
    ...(versioned === undefined ? {} : { versionRange: versioned.range }),
  };
}

/** Returns the error for a run with the name of another run of its file. */
export function duplicateRun(name: string, previous: Range, range: Range): Diagnostic {
  return errorDiagnostic(
    'Duplicate "run" block names',
    `This test file already has a run named ${name} block defined at ${previous}.`,
    range,
  );
}
