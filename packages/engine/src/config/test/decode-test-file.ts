import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import type { Block, Body, BodySchema, Diagnostic, Expression, Range } from '@terrane/hcl';
import { decodeVariable } from '../decode-named-values.ts';
import { decodeProvider } from '../decode-provider.ts';
import { finishVariable } from '../loaded-module.ts';
import type { Variable } from '../model.ts';
import { providerKey } from '../provider-ref.ts';
import { KeptStates } from './check-kept-states.ts';
import { type DecodedMockProvider, decodeMockProvider } from './decode-mock.ts';
import { decodeOverride } from './decode-override.ts';
import {
  type DecodedRun,
  decodeTestRun,
  decodeVariables,
  duplicateRun,
  flagOf,
} from './decode-test-run.ts';
import type { Override, TestFile, TestProvider } from './model.ts';

const FILE_SCHEMA: BodySchema = {
  attributes: [],
  blocks: [
    { type: 'test' },
    { type: 'variable', labelNames: ['name'] },
    { type: 'run', labelNames: ['name'] },
    { type: 'provider', labelNames: ['name'] },
    { type: 'mock_provider', labelNames: ['name'] },
    { type: 'variables' },
    { type: 'override_resource' },
    { type: 'override_data' },
    { type: 'override_module' },
  ],
};

const SETTINGS_SCHEMA: BodySchema = {
  attributes: [{ name: 'parallel' }, { name: 'skip_cleanup' }],
  blocks: [],
};

/** A decoded test file, before files that it refers to are loaded. */
export interface DecodedTestFile extends Omit<TestFile, 'runs'> {
  readonly runs: readonly DecodedRun[];
  /** mock providers, with the folders of their data */
  readonly mocks: readonly DecodedMockProvider[];
}

/** Decodes a run and registers its name. An invalid run takes part only in checks across runs. */
function decodeRun(
  block: Block,
  settings: Parameters<typeof decodeTestRun>[1],
  ranges: Map<string, Range>,
  diagnostics: Diagnostic[],
): { readonly run: DecodedRun; readonly isValid: boolean } {
  const problems: Diagnostic[] = [];
  const run = decodeTestRun(block, settings, problems);
  diagnostics.push(...problems);
  const previous = ranges.get(run.name);
  if (previous === undefined) ranges.set(run.name, block.defRange);
  else diagnostics.push(duplicateRun(run.name, previous, block.defRange));
  return { run, isValid: !hasErrors(problems) };
}

function decodeTestProvider(block: Block, diagnostics: Diagnostic[]): TestProvider | undefined {
  const provider = decodeProvider(block, diagnostics, true);
  if (provider === undefined) return undefined;
  const { name, alias, body, forEach, range } = provider;
  return {
    name,
    ...(alias === undefined ? {} : { alias }),
    ...(forEach === undefined ? {} : { forEach }),
    body,
    range,
    nameRange: block.labelRanges[0] ?? range,
  };
}

function secondVariablesBlock(range: Range, first: Range): Diagnostic {
  return errorDiagnostic(
    'Multiple "variables" blocks',
    `This test file already has a variables block defined at ${first}.`,
    range,
  );
}

/** Reports the variables of a `variables` block that a `variable` block defines too. */
function reportRedefined(
  block: Block,
  definitions: ReadonlyMap<string, Variable>,
  diagnostics: Diagnostic[],
): void {
  for (const [name, { range }] of block.body.justAttributes().attributes) {
    const defined = definitions.get(name);
    if (defined !== undefined) diagnostics.push(duplicateVariable(name, range, defined.range));
  }
}

/** Decodes the body of a test file. */
export function decodeTestFile(
  name: string,
  body: Body,
  diagnostics: Diagnostic[],
): DecodedTestFile {
  const { content, diagnostics: schemaProblems } = body.content(FILE_SCHEMA);
  diagnostics.push(...schemaProblems);
  const runs: DecodedRun[] = [];
  const runRanges = new Map<string, Range>();
  const providers = new Map<string, TestProvider>();
  const mocks: DecodedMockProvider[] = [];
  const overrides = new Map<string, Override>();
  let variables: ReadonlyMap<string, Expression> | undefined;
  let variablesRange: Range | undefined;
  const definitions = new Map<string, Variable>();
  const keptStates = new KeptStates();
  // The decoding of runs depends on the settings, which may be anywhere in the file.
  const settings = decodeSettings(content.blocks, diagnostics);
  for (const block of content.blocks) {
    switch (block.type) {
      case 'test':
        break;
      case 'run': {
        const { run, isValid } = decodeRun(block, settings, runRanges, diagnostics);
        if (isValid) runs.push(run);
        keptStates.check(run, diagnostics);
        break;
      }
      case 'variable':
        defineVariable(block, definitions, variables, diagnostics);
        break;
      case 'variables':
        if (variablesRange !== undefined) {
          diagnostics.push(secondVariablesBlock(block.defRange, variablesRange));
          break;
        }
        variablesRange = block.defRange;
        variables = decodeVariables(block, diagnostics);
        reportRedefined(block, definitions, diagnostics);
        break;
      case 'provider': {
        const provider = decodeTestProvider(block, diagnostics);
        if (provider !== undefined) addProvider(provider, providers, diagnostics);
        break;
      }
      case 'mock_provider': {
        const mocked = decodeMockProvider(block, diagnostics);
        if (mocked === undefined) break;
        if (addProvider(mocked.provider, providers, diagnostics)) mocks.push(mocked);
        break;
      }
      default:
        decodeOverride(block, { inTestFile: true }, overrides, diagnostics);
    }
  }
  return {
    name,
    variables: variables ?? new Map(),
    variableDefinitions: definitions,
    providers,
    overrides,
    runs,
    mocks,
    parallel: settings.parallel,
  };
}

/** Settings in the `test` block of a file that apply to all its runs. */
interface Settings {
  readonly parallel: boolean;
  readonly skipCleanup: boolean;
}

function decodeSettings(blocks: readonly Block[], diagnostics: Diagnostic[]): Settings {
  const [first, ...others] = blocks.filter(({ type }) => type === 'test');
  if (first === undefined) return { parallel: false, skipCleanup: false };
  for (const other of others) {
    diagnostics.push(
      errorDiagnostic(
        'Multiple "test" blocks',
        `This test file already has a "test" block defined at ${first.defRange}.`,
        other.defRange,
      ),
    );
  }
  const { content, diagnostics: schemaProblems } = first.body.content(SETTINGS_SCHEMA);
  diagnostics.push(...schemaProblems);
  return {
    parallel: flagOf(content, 'parallel', diagnostics) ?? false,
    skipCleanup: flagOf(content, 'skip_cleanup', diagnostics) ?? false,
  };
}

/** Decodes a `variable` block of a test file. */
function defineVariable(
  block: Block,
  definitions: Map<string, Variable>,
  values: ReadonlyMap<string, Expression> | undefined,
  diagnostics: Diagnostic[],
): void {
  const problems: Diagnostic[] = [];
  const variable = finishVariable(decodeVariable(block, false, problems));
  diagnostics.push(...problems);
  if (hasErrors(problems)) return;
  const { name, range } = variable;
  const existing = definitions.get(name)?.range;
  if (existing === undefined) definitions.set(name, variable);
  const previous = existing ?? values?.get(name)?.range;
  if (previous !== undefined) diagnostics.push(duplicateVariable(name, previous, range));
}

function duplicateVariable(name: string, previous: Range, range: Range): Diagnostic {
  return errorDiagnostic(
    'Duplicate "variable" block names',
    `This test file already has a variable named ${name} defined at ${previous}.`,
    range,
  );
}

function addProvider(
  provider: TestProvider,
  providers: Map<string, TestProvider>,
  diagnostics: Diagnostic[],
): boolean {
  const key = providerKey(provider);
  const previous = providers.get(key);
  if (previous === undefined) {
    providers.set(key, provider);
    return true;
  }
  diagnostics.push(
    errorDiagnostic(
      'Duplicate provider block',
      `A provider for ${key} is already defined at ${previous.nameRange}.`,
      provider.range,
    ),
  );
  return false;
}
