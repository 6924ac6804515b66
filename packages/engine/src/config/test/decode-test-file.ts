import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import type { Body, BodySchema, Diagnostic, Expression, Range } from '@terrane/hcl';
import { decodeProvider } from '../decode-provider.ts';
import { providerKey } from '../provider-ref.ts';
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
  attributes: [{ name: 'parallel' }],
  blocks: [],
};

/** A test file before what it refers to in other files is loaded. */
export interface DecodedTestFile extends Omit<TestFile, 'runs'> {
  readonly runs: readonly DecodedRun[];
  /** mock providers, with the folders of their data */
  readonly mocks: readonly DecodedMockProvider[];
}

/** Decodes the body of a test file. */
export function decodeTestFile(
  name: string,
  body: Body,
  diagnostics: Diagnostic[],
): DecodedTestFile {
  const { content, diagnostics: found } = body.content(FILE_SCHEMA);
  diagnostics.push(...found);
  const runs: DecodedRun[] = [];
  const named = new Map<string, Range>();
  const providers = new Map<string, TestProvider>();
  const mocks: DecodedMockProvider[] = [];
  const overrides = new Map<string, Override>();
  let variables: ReadonlyMap<string, Expression> | undefined;
  let variablesRange: Range | undefined;
  let settingsRange: Range | undefined;
  let parallel = false;
  for (const block of content.blocks) {
    switch (block.type) {
      case 'test': {
        if (settingsRange !== undefined) {
          diagnostics.push(
            errorDiagnostic(
              'Multiple "test" blocks',
              `This test file already has a "test" block defined at ${settingsRange}.`,
              block.defRange,
            ),
          );
          break;
        }
        settingsRange = block.defRange;
        const settings = block.body.content(SETTINGS_SCHEMA);
        diagnostics.push(...settings.diagnostics);
        parallel = flagOf(settings.content, 'parallel', diagnostics) ?? false;
        break;
      }
      case 'run': {
        const own: Diagnostic[] = [];
        const run = decodeTestRun(block, own);
        diagnostics.push(...own);
        if (!hasErrors(own)) runs.push(run);
        const previous = named.get(run.name);
        if (previous === undefined) named.set(run.name, block.defRange);
        else diagnostics.push(duplicateRun(run.name, previous, block.defRange));
        break;
      }
      case 'variables':
        if (variablesRange !== undefined) {
          diagnostics.push(
            errorDiagnostic(
              'Multiple "variables" blocks',
              `This test file already has a variables block defined at ${variablesRange}.`,
              block.defRange,
            ),
          );
          break;
        }
        variablesRange = block.defRange;
        variables = decodeVariables(block, diagnostics);
        break;
      case 'provider': {
        const provider = decodeProvider(block, diagnostics, true);
        if (provider === undefined) break;
        const { alias, body: settings, range } = provider;
        addProvider(
          {
            name: provider.name,
            ...(alias === undefined ? {} : { alias }),
            body: settings,
            range,
            nameRange: block.labelRanges[0] ?? range,
          },
          providers,
          diagnostics,
        );
        break;
      }
      case 'mock_provider': {
        const mocked = decodeMockProvider(block, diagnostics);
        if (mocked === undefined) break;
        if (addProvider(mocked.provider, providers, diagnostics)) mocks.push(mocked);
        break;
      }
      default:
        decodeOverride(block, { duringPlan: false, inTestFile: true }, overrides, diagnostics);
    }
  }
  return {
    name,
    variables: variables ?? new Map(),
    providers,
    overrides,
    runs,
    mocks,
    parallel,
  };
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
