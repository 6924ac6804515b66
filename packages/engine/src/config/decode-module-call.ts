import { type ModuleSource, type ModuleSourceError, parseModuleSource } from '@terrane/addresses';
import {
  errorDiagnostic,
  evaluate,
  hasErrors,
  isValidIdentifier,
  mergeBodies,
  rangeBetween,
  startRange,
} from '@terrane/hcl';
import type {
  Attribute,
  Block,
  Body,
  BodyContent,
  BodySchema,
  Diagnostic,
  Expression,
  Range,
  Traversal,
} from '@terrane/hcl';
import { BOOL, friendlyName, quoteText, STRING } from '@terrane/cty';
import type { ConstantModule } from './constant/constant-module.ts';
import { decodeDependsOn } from './decode-depends-on.ts';
import { decodeEnabled } from './decode-lifecycle.ts';
import { decodeRepetition, refuseCombinations } from './decode-resource.ts';
import { decodeVersionConstraint, versionConstraintOf } from './decode-version.ts';
import type { PassedProvider } from './model.ts';
import { decodeProviderRef, providerKey } from './provider-ref.ts';
import { duplicateEscape, duplicateOf, isFirst, reportReservedBlock } from './repeated-blocks.ts';
import { BAD_IDENTIFIER, staticMap, staticString, suitable } from './static-value.ts';

/** A decoded `module` block; arguments that an override file omits are absent. */
export interface DecodedModuleCall {
  readonly name: string;
  sourceText?: string;
  sourceRange?: Range;
  source?: ModuleSource;
  /** the source, if it must be evaluated */
  sourceConstant?: Attribute;
  version?: string;
  versionRange?: Range;
  /** the version, if it must be evaluated */
  versionConstant?: Attribute;
  body: Body;
  count?: Expression;
  forEach?: Expression;
  enabled?: Expression;
  enabledName?: Range;
  ignoreNestedDeprecations?: boolean;
  dependsOn: readonly Traversal[];
  hasDependsOn: boolean;
  providers?: readonly PassedProvider[];
  readonly range: Range;
}

const ATTRIBUTES = [
  'version',
  'count',
  'for_each',
  'depends_on',
  'providers',
  'ignore_nested_deprecations',
];

const LIFECYCLE_SCHEMA: BodySchema = { attributes: [{ name: 'enabled' }], blocks: [] };

function moduleSchema(sourceRequired: boolean): BodySchema {
  return {
    attributes: [
      { name: 'source', required: sourceRequired },
      ...ATTRIBUTES.map((name) => ({ name })),
    ],
    blocks: [
      { type: '_' },
      { type: 'lifecycle' },
      { type: 'locals' },
      { type: 'provider', labelNames: ['type'] },
    ],
  };
}

const MODULE_SCHEMA = moduleSchema(true);
const MODULE_OVERRIDE_SCHEMA = moduleSchema(false);

function decodeSourceAndVersion(
  content: BodyContent,
  call: DecodedModuleCall,
  diagnostics: Diagnostic[],
): void {
  const version = content.attributes.get('version');
  if (version !== undefined) {
    call.versionRange = version.range;
    if (isLiteral(version.expression)) {
      const text = decodeVersionConstraint(version, diagnostics);
      if (text !== undefined) call.version = text;
    } else call.versionConstant = version;
  }
  const source = content.attributes.get('source');
  if (source !== undefined) {
    call.sourceRange = source.expression.range;
    if (call.versionConstant === undefined && isLiteral(source.expression)) {
      const before = diagnostics.length;
      const text = staticString(source.expression, diagnostics) ?? '';
      call.sourceText = text;
      if (!hasErrors(diagnostics, before)) {
        decodeSource(call, text, version !== undefined, diagnostics);
      }
    } else call.sourceConstant = source;
  }
}

function decodeNestedBlocks(
  content: BodyContent,
  call: DecodedModuleCall,
  diagnostics: Diagnostic[],
): void {
  const firstBlocks = new Map<string, Block>();
  for (const inner of content.blocks) {
    if (inner.type === 'lifecycle') {
      if (isFirst(inner, firstBlocks, duplicateOf('lifecycle', 'This resource'), diagnostics)) {
        const lifecycle = inner.body.content(LIFECYCLE_SCHEMA);
        diagnostics.push(...lifecycle.diagnostics);
        decodeEnabled(lifecycle.content.attributes.get('enabled'), call);
      }
    } else if (inner.type !== '_') reportReservedBlock(inner, 'module', diagnostics);
    else if (
      isFirst(inner, firstBlocks, duplicateEscape('module input variables', 'module'), diagnostics)
    ) {
      call.body = mergeBodies([call.body, inner.body]);
    }
  }
}

/** Decodes a `module` block. */
export function decodeModuleCall(
  block: Block,
  override: boolean,
  diagnostics: Diagnostic[],
): DecodedModuleCall {
  const name = block.labels[0] ?? '';
  const schema = override ? MODULE_OVERRIDE_SCHEMA : MODULE_SCHEMA;
  const { content, remain, diagnostics: schemaProblems } = block.body.partialContent(schema);
  diagnostics.push(...schemaProblems);
  const call: DecodedModuleCall = {
    name,
    body: remain,
    dependsOn: [],
    hasDependsOn: content.attributes.has('depends_on'),
    range: block.defRange,
  };
  if (!isValidIdentifier(name)) {
    diagnostics.push(
      errorDiagnostic('Invalid module instance name', BAD_IDENTIFIER, block.labelRanges[0]),
    );
  }
  decodeSourceAndVersion(content, call, diagnostics);
  decodeRepetition(content, call, false, diagnostics);
  call.dependsOn = decodeDependsOn(content, diagnostics);
  const providers = content.attributes.get('providers');
  if (providers !== undefined) call.providers = decodePassedProviders(providers, diagnostics);
  const ignore = content.attributes.get('ignore_nested_deprecations');
  if (ignore !== undefined) {
    call.ignoreNestedDeprecations = decodeIgnoreNested(ignore, diagnostics);
  }
  decodeNestedBlocks(content, call, diagnostics);
  refuseCombinations(content, call, 'module', diagnostics);
  return call;
}

function decodeIgnoreNested({ expression }: Attribute, diagnostics: Diagnostic[]): boolean {
  const problems: Diagnostic[] = [];
  const value = evaluate(expression, undefined, problems);
  if (hasErrors(problems)) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid value for ignore_nested_deprecations',
        'The value for ignore_nested_deprecations must be a static boolean (true or false).',
        expression.range,
      ),
    );
  }
  if (value.type === BOOL && value.isKnown && !value.isNull) return value.unmark().asBool();
  diagnostics.push(
    errorDiagnostic(
      'Invalid type for ignore_nested_deprecations',
      `The value for ignore_nested_deprecations must be a boolean (true or false), but the given value has type ${friendlyName(value.type)}.`,
      expression.range,
    ),
  );
  return false;
}

/** Returns true if an expression is a literal, whose errors are reported immediately. */
function isLiteral(e: Expression): boolean {
  const diagnostics: Diagnostic[] = [];
  evaluate(e, undefined, diagnostics);
  return !hasErrors(diagnostics);
}

/** Evaluates the source and version of a call that are not literals, once the module is complete. */
export function decodeCallConstants(
  call: DecodedModuleCall,
  constants: ConstantModule,
  diagnostics: Diagnostic[],
): void {
  const { sourceConstant, versionConstant } = call;
  const before = diagnostics.length;
  let hasVersion = call.versionRange !== undefined;
  if (versionConstant !== undefined) {
    const use = constants.use(`module.${call.name}.version`, versionConstant.range);
    const value = constants.evaluate(versionConstant.expression, use, diagnostics);
    // Null is as good as no version.
    hasVersion = !value.isNull;
    if (!hasVersion) delete call.versionRange;
    else if (!hasErrors(diagnostics, before)) {
      const text = versionConstraintOf(versionConstant, value, diagnostics);
      if (text !== undefined) call.version = text;
    }
    // No version is selected if the intended one cannot be determined.
    if (hasErrors(diagnostics, before)) {
      delete call.source;
      return;
    }
  }
  if (sourceConstant === undefined) return;
  const text = constantText(
    sourceConstant.expression,
    constants,
    `module.${call.name}.source`,
    diagnostics,
  );
  if (text !== undefined) decodeSource(call, text, hasVersion, diagnostics);
}

/** Evaluates a string; undefined, with diagnostics, if it is not a string or is sensitive. */
function constantText(
  e: Expression,
  constants: ConstantModule,
  name: string,
  diagnostics: Diagnostic[],
): string | undefined {
  const before = diagnostics.length;
  const use = constants.use(name, e.range);
  const value = constants.evaluate(e, use, diagnostics);
  if (hasErrors(diagnostics, before)) return undefined;
  for (const [mark, word] of [
    ['sensitive', 'Sensitive'],
    ['ephemeral', 'Ephemeral'],
  ] as const) {
    if (!value.hasMarkDeep(mark)) continue;
    diagnostics.push(
      errorDiagnostic(
        `${word} value not allowed`,
        `${word} values, or values derived from ${mark} values, cannot be used as ${use.name}.`,
        e.range,
      ),
    );
    return undefined;
  }
  if (!value.isNull) return suitable(value, e, STRING, diagnostics)?.asString();
  diagnostics.push(
    errorDiagnostic(
      'Unsuitable value type',
      'Unsuitable value: null value is not allowed',
      startRange(e),
      { context: e.range },
    ),
  );
  return undefined;
}

function decodeSource(
  call: DecodedModuleCall,
  text: string,
  hasVersion: boolean,
  diagnostics: Diagnostic[],
): void {
  const range = call.sourceRange ?? call.range;
  call.sourceText = text;
  const parsed = parseModuleSource(text, hasVersion);
  if (!('error' in parsed)) {
    call.source = parsed.source;
    return;
  }
  diagnostics.push(moduleSourceProblem(parsed, hasVersion, range));
}

/** Formats the error of a module source. */
export function moduleSourceProblem(
  problem: ModuleSourceError,
  hasVersion: boolean,
  range: Range,
): Diagnostic {
  if (problem.maybeRelative !== undefined) {
    return errorDiagnostic(
      'Invalid module source address',
      `Terraform failed to determine your intended installation method for remote module package ${quoteText(problem.maybeRelative)}.\n\nIf you intended this as a path relative to the current module, use "./${problem.maybeRelative}" instead. The "./" prefix indicates that the address is a relative filesystem path.`,
      range,
    );
  }
  if (hasVersion) {
    return errorDiagnostic(
      'Invalid registry module source address',
      `Failed to parse module registry address: ${problem.error}.\n\nTerraform assumed that you intended a module registry source address because you also set the argument "version", which applies only to registry modules.`,
      range,
    );
  }
  return errorDiagnostic(
    'Invalid module source address',
    `Failed to parse module source address: ${problem.error}.`,
    range,
  );
}

/** The pairs of a `providers` argument. */
export function decodePassedProviders(
  attribute: Attribute,
  diagnostics: Diagnostic[],
): PassedProvider[] {
  const passed: PassedProvider[] = [];
  const firstRanges = new Map<string, Range>();
  for (const { key, value } of staticMap(attribute.expression, diagnostics)) {
    const keyDiagnostics: Diagnostic[] = [];
    const inChild = decodeProviderRef(key, 'providers', keyDiagnostics);
    const inParent = decodeProviderRef(value, 'providers', keyDiagnostics);
    diagnostics.push(...keyDiagnostics);
    if (hasErrors(keyDiagnostics) || inChild === undefined || inParent === undefined) continue;
    const name = providerKey(inChild);
    const first = firstRanges.get(name);
    if (first !== undefined) {
      diagnostics.push(
        errorDiagnostic(
          'Duplicate provider address',
          `A provider configuration was already passed to ${name} at ${first}. Each child provider configuration can be assigned only once.`,
          value.range,
        ),
      );
      continue;
    }
    const range = rangeBetween(key.range, value.range);
    firstRanges.set(name, range);
    passed.push({ inChild, inParent, range });
  }
  return passed;
}
