import { quoteText } from '@terrane/cty';
import { EMPTY_BODY, errorDiagnostic, isValidIdentifier } from '@terrane/hcl';
import type { Block, Body, BodySchema, Diagnostic } from '@terrane/hcl';
import { dialectRules } from '../dialect.ts';
import { aliasRequired } from '../decode-provider.ts';
import { checkProviderName } from '../provider-ref.ts';
import { BAD_IDENTIFIER, staticString } from '../static-value.ts';
import { decodeDuring, decodeOverride, OVERRIDE_DURING } from './decode-override.ts';
import { evaluateFixed } from './evaluate-data.ts';
import type { MockData, MockResource, Override, TestProvider } from './model.ts';

const PROVIDER_SCHEMA: BodySchema = {
  attributes: [
    { name: 'alias' },
    { name: 'for_each' },
    { name: 'source' },
    { name: OVERRIDE_DURING },
  ],
  blocks: [],
};

const DATA_SCHEMA: BodySchema = {
  attributes: [],
  blocks: [
    { type: 'mock_resource', labelNames: ['type'] },
    { type: 'mock_data', labelNames: ['type'] },
    { type: 'mock_ephemeral', labelNames: ['type'] },
    { type: 'override_resource' },
    { type: 'override_data' },
  ],
};

const RESOURCE_SCHEMA: BodySchema = {
  attributes: [{ name: 'defaults' }, { name: OVERRIDE_DURING }],
  blocks: [],
};

/** Mock data under construction. */
export interface MockDraft extends MockData {
  readonly resources: Map<string, MockResource>;
  readonly dataSources: Map<string, MockResource>;
  readonly ephemerals: Map<string, MockResource>;
  readonly overrides: Map<string, Override>;
}

/** Returns mock data without entries: all values are generated. */
export function emptyMockDraft(plansAll = false): MockDraft {
  return {
    plansAll,
    resources: new Map(),
    dataSources: new Map(),
    ephemerals: new Map(),
    overrides: new Map(),
  };
}

/** A `mock_provider` block, and the directory of its further data as written. */
export interface DecodedMockProvider {
  readonly provider: TestProvider & { readonly mock: MockDraft };
  readonly source: string;
  /** the default of `override_during`: true if values are known to plans */
  readonly duringPlan: boolean;
}

/** Decodes a `mock_provider` block; undefined if its name is invalid. */
export function decodeMockProvider(
  block: Block,
  diagnostics: Diagnostic[],
): DecodedMockProvider | undefined {
  const {
    content,
    remain,
    diagnostics: schemaProblems,
  } = block.body.partialContent(PROVIDER_SCHEMA);
  diagnostics.push(...schemaProblems);
  const name = block.labels[0] ?? '';
  if (!checkProviderName(name, block.defRange, diagnostics)) return undefined;
  let alias = '';
  const aliased = content.attributes.get('alias');
  if (aliased !== undefined) {
    alias = staticString(aliased.expression, diagnostics) ?? '';
    if (!isValidIdentifier(alias)) {
      diagnostics.push(
        errorDiagnostic(
          'Invalid provider configuration alias',
          `An alias must be a valid name. ${BAD_IDENTIFIER}`,
        ),
      );
    }
  }
  const forEach = content.attributes.get('for_each')?.expression;
  if (forEach !== undefined && alias === '') diagnostics.push(aliasRequired(forEach));
  const { mocksArePlanned } = dialectRules(block.defRange);
  const duringPlan = decodeDuring(content, mocksArePlanned, diagnostics);
  const mock = emptyMockDraft(mocksArePlanned);
  decodeMockData(remain, mock, { duringPlan, inTestFile: true }, diagnostics);
  const folder = content.attributes.get('source');
  const source = folder === undefined ? '' : (staticString(folder.expression, diagnostics) ?? '');
  return {
    provider: {
      name,
      ...(alias === '' ? {} : { alias }),
      ...(forEach === undefined ? {} : { forEach }),
      body: EMPTY_BODY,
      mock,
      range: block.defRange,
      nameRange: block.labelRanges[0] ?? block.defRange,
    },
    source,
    duringPlan,
  };
}

/** Decodes the content of a `mock_provider` block or a file of mock data into `data`. */
export function decodeMockData(
  body: Body,
  data: MockDraft,
  settings: { readonly duringPlan: boolean; readonly inTestFile: boolean },
  diagnostics: Diagnostic[],
): void {
  const { content, diagnostics: schemaProblems } = body.content(DATA_SCHEMA);
  diagnostics.push(...schemaProblems);
  for (const block of content.blocks) {
    const mocks = keptIn(data, block.type);
    if (mocks === undefined) decodeOverride(block, settings, data.overrides, diagnostics);
    else addMockResource(block, settings.duringPlan, mocks, diagnostics);
  }
}

/** Merges the mock data of a file into existing data, which takes precedence; some duplicates are errors. */
export function mergeMockData(
  into: MockDraft,
  other: MockData,
  collide: 'ignored' | 'refused',
  diagnostics: Diagnostic[],
): void {
  for (const [block, kept, additions] of [
    ['mock_resource', into.resources, other.resources],
    ['mock_data', into.dataSources, other.dataSources],
    ['mock_ephemeral', into.ephemerals, other.ephemerals],
  ] as const) {
    for (const [type, resource] of additions) {
      const current = kept.get(type);
      if (current === undefined) kept.set(type, resource);
      else if (collide === 'refused') {
        diagnostics.push(
          errorDiagnostic(
            'Duplicate mock resource block',
            `A ${block} ${quoteText(type)} block already exists at ${current.range}.`,
            resource.typeRange,
          ),
        );
      }
    }
  }
  for (const [text, override] of other.overrides) {
    const current = into.overrides.get(text);
    if (current === undefined) into.overrides.set(text, override);
    else if (collide === 'refused') {
      diagnostics.push(
        errorDiagnostic(
          'Duplicate override block',
          `An override block for ${text} already exists at ${current.range}.`,
          override.range,
        ),
      );
    }
  }
}

function keptIn(data: MockDraft, type: string): Map<string, MockResource> | undefined {
  switch (type) {
    case 'mock_resource':
      return data.resources;
    case 'mock_data':
      return data.dataSources;
    case 'mock_ephemeral':
      return data.ephemerals;
    default:
      return undefined;
  }
}

function addMockResource(
  block: Block,
  fallback: boolean,
  kept: Map<string, MockResource>,
  diagnostics: Diagnostic[],
): void {
  const { content, diagnostics: schemaProblems } = block.body.content(RESOURCE_SCHEMA);
  diagnostics.push(...schemaProblems);
  const type = block.labels[0] ?? '';
  const defaultsAttribute = content.attributes.get('defaults');
  const defaults = defaultsAttribute && evaluateFixed(defaultsAttribute.expression, diagnostics);
  const duringPlan = decodeDuring(content, fallback, diagnostics);
  const previous = kept.get(type);
  if (previous !== undefined) {
    diagnostics.push(
      errorDiagnostic(
        `Duplicate ${block.type} block`,
        `A ${block.type} block for ${type} has already been defined at ${previous.range}.`,
        block.labelRanges[0],
      ),
    );
    return;
  }
  kept.set(type, {
    type,
    defaults,
    ...(defaultsAttribute === undefined || defaults !== undefined
      ? {}
      : { deferred: defaultsAttribute.expression }),
    duringPlan,
    range: block.defRange,
    typeRange: block.labelRanges[0] ?? block.defRange,
    defaultsRange: defaultsAttribute?.range,
  });
}
