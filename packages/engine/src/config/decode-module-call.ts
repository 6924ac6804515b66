import {
  errorDiagnostic,
  evaluate,
  hasErrors,
  isValidIdentifier,
  mergeBodies,
  rangeBetween,
} from '@terrane/hcl';
import type {
  Attribute,
  Block,
  Body,
  BodySchema,
  Diagnostic,
  Expression,
  Range,
  Traversal,
} from '@terrane/hcl';
import { BOOL, friendlyName, quoteText } from '@terrane/cty';
import { decodeDependsOn } from './decode-depends-on.ts';
import { decodeEnabled } from './decode-lifecycle.ts';
import { decodeRepetition, refuseCombinations } from './decode-resource.ts';
import { decodeVersionConstraint } from './decode-version.ts';
import type { PassedProvider } from './model.ts';
import { parseModuleSource, type ModuleSource } from './module-source.ts';
import { decodeProviderRef, providerKey } from './provider-ref.ts';
import { duplicateEscape, duplicateOf, isFirst, reportReservedBlock } from './repeated-blocks.ts';
import { BAD_IDENTIFIER, staticMap, staticString } from './static-value.ts';

/** What a `module` block says; what an override file leaves out is absent. */
export interface DecodedModuleCall {
  readonly name: string;
  sourceText?: string;
  sourceRange?: Range;
  source?: ModuleSource;
  version?: string;
  versionRange?: Range;
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

/** Decodes a `module` block. */
export function decodeModuleCall(
  block: Block,
  override: boolean,
  diagnostics: Diagnostic[],
): DecodedModuleCall {
  const name = block.labels[0] ?? '';
  const schema = override ? MODULE_OVERRIDE_SCHEMA : MODULE_SCHEMA;
  const { content, remain, diagnostics: found } = block.body.partialContent(schema);
  diagnostics.push(...found);
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
  const version = content.attributes.get('version');
  if (version !== undefined) {
    const text = decodeVersionConstraint(version, diagnostics);
    if (text !== undefined) call.version = text;
    call.versionRange = version.range;
  }
  const source = content.attributes.get('source');
  if (source !== undefined) decodeSource(call, source, version !== undefined, diagnostics);
  decodeRepetition(content, call, false, diagnostics);
  call.dependsOn = decodeDependsOn(content, diagnostics);
  const providers = content.attributes.get('providers');
  if (providers !== undefined) call.providers = decodeProviders(providers, diagnostics);
  const ignore = content.attributes.get('ignore_nested_deprecations');
  if (ignore !== undefined) {
    call.ignoreNestedDeprecations = decodeIgnoreNested(ignore, diagnostics);
  }
  const seen = new Map<string, Block>();
  for (const inner of content.blocks) {
    if (inner.type === 'lifecycle') {
      if (isFirst(inner, seen, duplicateOf('lifecycle', 'This resource'), diagnostics)) {
        const lifecycle = inner.body.content(LIFECYCLE_SCHEMA);
        diagnostics.push(...lifecycle.diagnostics);
        decodeEnabled(lifecycle.content.attributes.get('enabled'), call);
      }
    } else if (inner.type !== '_') reportReservedBlock(inner, 'module', diagnostics);
    else if (
      isFirst(inner, seen, duplicateEscape('module input variables', 'module'), diagnostics)
    ) {
      call.body = mergeBodies([call.body, inner.body]);
    }
  }
  refuseCombinations(content, call, 'module', diagnostics);
  return call;
}

function decodeIgnoreNested({ expression }: Attribute, diagnostics: Diagnostic[]): boolean {
  const found: Diagnostic[] = [];
  const value = evaluate(expression, undefined, found);
  if (hasErrors(found)) {
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

function decodeSource(
  call: DecodedModuleCall,
  attribute: Attribute,
  hasVersion: boolean,
  diagnostics: Diagnostic[],
): void {
  const range = attribute.expression.range;
  call.sourceRange = range;
  const own: Diagnostic[] = [];
  const text = staticString(attribute.expression, own) ?? '';
  diagnostics.push(...own);
  call.sourceText = text;
  if (hasErrors(own)) return;
  const parsed = parseModuleSource(text, hasVersion);
  if (!('error' in parsed)) {
    call.source = parsed.source;
    return;
  }
  if (parsed.maybeRelative === true) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid module source address',
        `Terraform failed to determine your intended installation method for remote module package ${quoteText(text)}.\n\nIf you intended this as a path relative to the current module, use "./${text}" instead. The "./" prefix indicates that the address is a relative filesystem path.`,
        range,
      ),
    );
  } else if (hasVersion) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid registry module source address',
        `Failed to parse module registry address: ${parsed.error}.\n\nTerraform assumed that you intended a module registry source address because you also set the argument "version", which applies only to registry modules.`,
        range,
      ),
    );
  } else {
    diagnostics.push(
      errorDiagnostic(
        'Invalid module source address',
        `Failed to parse module source address: ${parsed.error}.`,
        range,
      ),
    );
  }
}

function decodeProviders(attribute: Attribute, diagnostics: Diagnostic[]): PassedProvider[] {
  const passed: PassedProvider[] = [];
  const seen = new Map<string, Range>();
  for (const { key, value } of staticMap(attribute.expression, diagnostics)) {
    const keyDiagnostics: Diagnostic[] = [];
    const inChild = decodeProviderRef(key, 'providers', keyDiagnostics);
    const inParent = decodeProviderRef(value, 'providers', keyDiagnostics);
    diagnostics.push(...keyDiagnostics);
    if (hasErrors(keyDiagnostics) || inChild === undefined || inParent === undefined) continue;
    const name = providerKey(inChild);
    const first = seen.get(name);
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
    seen.set(name, range);
    passed.push({ inChild, inParent, range });
  }
  return passed;
}
