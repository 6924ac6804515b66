import { ResourceAddr, type ResourceMode } from '@terrane/addresses';
import { errorDiagnostic, isValidIdentifier, mergeBodies, rangeBetween } from '@terrane/hcl';
import type {
  Block,
  Body,
  BodyContent,
  BodySchema,
  Diagnostic,
  Expression,
  Range,
  Traversal,
} from '@terrane/hcl';
import { decodeDependsOn } from './decode-depends-on.ts';
import { decodeLifecycle, decodeOtherLifecycle } from './decode-lifecycle.ts';
import { checkConnectionOfDestroy, decodeProvisioner } from './decode-provisioner.ts';
import { dialectOf } from './dialect.ts';
import type { ActionTrigger, CheckRule, ListArguments, ProviderRef, Provisioner } from './model.ts';
import { decodeProviderRef } from './provider-ref.ts';
import { duplicateEscape, duplicateOf, isFirst, reportReservedBlock } from './repeated-blocks.ts';
import { BAD_IDENTIFIER } from './static-value.ts';

/** A decoded `resource`, `data` or `ephemeral` block, before its provider is resolved. */
export interface DecodedResource {
  readonly addr: ResourceAddr;
  body: Body;
  count?: Expression;
  forEach?: Expression;
  dependsOn: readonly Traversal[];
  providerRef?: ProviderRef;
  preconditions: readonly CheckRule[];
  postconditions: readonly CheckRule[];
  createBeforeDestroy?: boolean;
  preventDestroy?: boolean;
  preventDestroyExpression?: Expression;
  destroy?: boolean;
  enabled?: Expression;
  enabledName?: Range;
  ignoreChanges: readonly Traversal[];
  ignoreAllChanges: boolean;
  replaceTriggeredBy: readonly Expression[];
  actionTriggers: readonly ActionTrigger[];
  provisioners: readonly Provisioner[];
  connection?: Body;
  readonly check?: string;
  list?: ListArguments;
  readonly range: Range;
  readonly typeRange: Range;
}

const META_ATTRIBUTES = [
  { name: 'count' },
  { name: 'for_each' },
  { name: 'provider' },
  { name: 'depends_on' },
];

const MANAGED_SCHEMA: BodySchema = {
  attributes: META_ATTRIBUTES,
  blocks: [
    { type: 'locals' },
    { type: 'lifecycle' },
    { type: 'connection' },
    { type: 'provisioner', labelNames: ['type'] },
    { type: '_' },
  ],
};

const OTHER_SCHEMA: BodySchema = {
  attributes: META_ATTRIBUTES,
  blocks: [{ type: 'lifecycle' }, { type: 'locals' }, { type: '_' }],
};

const INVALID_TYPE: Readonly<Record<ResourceMode, string>> = {
  managed: 'Invalid resource type name',
  data: 'Invalid data source name',
  ephemeral: 'Invalid ephemeral resource type',
  list: 'Invalid list block type',
};

const INVALID_NAME: Readonly<Record<ResourceMode, string>> = {
  managed: 'Invalid resource name',
  data: 'Invalid data resource name',
  ephemeral: 'Invalid ephemeral resource name',
  list: 'Invalid list block name',
};

const KEYWORD: Readonly<Record<ResourceMode, string>> = {
  managed: 'resource',
  data: 'data',
  ephemeral: 'ephemeral',
  list: 'list',
};

/** The empty list that most resources have for every kind of meta-argument. */
const NONE: readonly never[] = [];

/** Decodes a `resource` block. */
export function decodeManaged(
  block: Block,
  override: boolean,
  diagnostics: Diagnostic[],
): DecodedResource {
  const { resource, content } = begin(block, 'managed', MANAGED_SCHEMA, undefined, diagnostics);
  if (content.blocks.length > 0)
    decodeManagedBlocks(content.blocks, override, resource, diagnostics);
  refuseCombinations(content, resource, 'resource', diagnostics);
  return resource;
}

/** Decodes the `lifecycle`, `connection` and `provisioner` blocks of a resource, and reports reserved ones. */
function decodeManagedBlocks(
  blocks: readonly Block[],
  override: boolean,
  resource: DecodedResource,
  diagnostics: Diagnostic[],
): void {
  const firstBlocks = new Map<string, Block>();
  const provisioners: Provisioner[] = [];
  for (const inner of blocks) {
    switch (inner.type) {
      case 'lifecycle':
        if (isFirst(inner, firstBlocks, duplicateOf('lifecycle', 'This resource'), diagnostics)) {
          decodeLifecycle(inner, override, resource, diagnostics);
        }
        break;
      case 'connection':
        if (isFirst(inner, firstBlocks, duplicateOf('connection', 'This resource'), diagnostics)) {
          resource.connection = inner.body;
        }
        break;
      case 'provisioner': {
        const provisioner = decodeProvisioner(inner, diagnostics);
        if (provisioner !== undefined) provisioners.push(provisioner);
        break;
      }
      default:
        decodeEscapeOrReserved(inner, firstBlocks, resource, diagnostics);
    }
  }
  if (provisioners.length > 0) resource.provisioners = provisioners;
  if (
    resource.connection !== undefined &&
    provisioners.some((provisioner) => provisioner.when === 'destroy')
  ) {
    checkConnectionOfDestroy(resource.connection, diagnostics);
  }
}

/** Decodes an `ephemeral` block. */
export function decodeEphemeral(
  block: Block,
  override: boolean,
  diagnostics: Diagnostic[],
): DecodedResource {
  const { resource, content } = begin(block, 'ephemeral', OTHER_SCHEMA, undefined, diagnostics);
  const firstBlocks = new Map<string, Block>();
  for (const inner of content.blocks) {
    if (inner.type !== 'lifecycle')
      decodeEscapeOrReserved(inner, firstBlocks, resource, diagnostics);
    else if (isFirst(inner, firstBlocks, duplicateOf('lifecycle', 'This resource'), diagnostics)) {
      decodeOtherLifecycle(inner, override, resource, diagnostics);
    }
  }
  refuseCombinations(content, resource, 'ephemeral', diagnostics);
  return resource;
}

/** Decodes a `data` block; `check` is the name of the enclosing check block, if any. */
export function decodeData(
  block: Block,
  override: boolean,
  check: string | undefined,
  diagnostics: Diagnostic[],
): DecodedResource {
  const { resource, content } = begin(block, 'data', OTHER_SCHEMA, check, diagnostics);
  const firstBlocks = new Map<string, Block>();
  for (const inner of content.blocks) {
    if (inner.type !== 'lifecycle') {
      decodeEscapeOrReserved(inner, firstBlocks, resource, diagnostics);
      continue;
    }
    if (check !== undefined) {
      diagnostics.push(
        errorDiagnostic(
          'Invalid lifecycle block',
          'Nested data blocks do not support "lifecycle" blocks as the lifecycle is managed by the containing block.',
          inner.defRange,
        ),
      );
    }
    if (isFirst(inner, firstBlocks, duplicateOf('lifecycle', 'This resource'), diagnostics)) {
      decodeOtherLifecycle(inner, override, resource, diagnostics);
    }
  }
  if (check === undefined) refuseCombinations(content, resource, 'data', diagnostics);
  return resource;
}

/**
 * Returns the declaration of a block without meta-arguments; `body` is its content for the provider.
 *
 * @param typeRange the range of the label with the type
 */
export function plainResource(
  mode: ResourceMode,
  block: Block,
  body: Body,
  typeRange: Range | undefined = block.labelRanges[0],
): DecodedResource {
  const type = block.labels[0] ?? '';
  const name = block.labels[1] ?? '';
  return {
    addr: ResourceAddr.of(mode, type, name),
    body,
    dependsOn: NONE,
    preconditions: NONE,
    postconditions: NONE,
    ignoreChanges: NONE,
    ignoreAllChanges: false,
    replaceTriggeredBy: NONE,
    actionTriggers: NONE,
    provisioners: NONE,
    range: block.defRange,
    typeRange: typeRange ?? block.defRange,
  };
}

function begin(
  block: Block,
  mode: ResourceMode,
  schema: BodySchema,
  check: string | undefined,
  diagnostics: Diagnostic[],
): { readonly resource: DecodedResource; readonly content: BodyContent } {
  const { labels, labelRanges } = block;
  const type = labels[0] ?? '';
  const name = labels[1] ?? '';
  const typeRange = labelRanges[0];
  const { content, remain, diagnostics: schemaProblems } = block.body.partialContent(schema);
  if (schemaProblems.length > 0) diagnostics.push(...schemaProblems);
  const plain = plainResource(mode, block, remain, typeRange);
  const resource: DecodedResource = check === undefined ? plain : { ...plain, check };
  if (!isValidIdentifier(type)) {
    diagnostics.push(errorDiagnostic(INVALID_TYPE[mode], BAD_IDENTIFIER, typeRange));
  }
  if (!isValidIdentifier(name)) {
    diagnostics.push(errorDiagnostic(INVALID_NAME[mode], BAD_IDENTIFIER, labelRanges[1]));
  }
  // Most resources have none of the meta-arguments.
  if (content.attributes.size === 0) return { resource, content };
  decodeRepetition(content, resource, check !== undefined, diagnostics);
  const provider = content.attributes.get('provider');
  if (provider !== undefined) {
    const ref = decodeProviderRef(provider.expression, 'provider', diagnostics);
    if (ref !== undefined) resource.providerRef = ref;
  }
  resource.dependsOn = decodeDependsOn(content, diagnostics);
  return { resource, content };
}

/** `count` and `for_each`. */
export function decodeRepetition(
  content: BodyContent,
  into: { count?: Expression; forEach?: Expression },
  refused: boolean,
  diagnostics: Diagnostic[],
): void {
  const count = content.attributes.get('count');
  const forEach = content.attributes.get('for_each');
  if (refused) {
    for (const attribute of [count, forEach]) {
      if (attribute === undefined) continue;
      diagnostics.push(
        errorDiagnostic(
          `Invalid "${attribute.name}" attribute`,
          'The "count" and "for_each" meta-arguments are not supported within nested data blocks.',
          attribute.nameRange,
        ),
      );
    }
    return;
  }
  if (count !== undefined) into.count = count.expression;
  if (forEach !== undefined) into.forEach = forEach.expression;
}

const INSTANCES = {
  resource: 'Only one may be used to be explicit about the number of resources to be created.',
  data: 'Only one may be used to be explicit about the number of data sources to be created.',
  ephemeral:
    'Only one may be used to be explicit about the number of ephemeral resources to be created.',
  module:
    'Only one should be used to be explicit about the number of module instances to be created.',
} as const;

/** Rejects combinations of `count`, `for_each` and `enabled`, which exclude each other. */
export function refuseCombinations(
  content: BodyContent,
  { enabledName }: { readonly enabledName?: Range },
  of: keyof typeof INSTANCES,
  diagnostics: Diagnostic[],
): void {
  if (content.attributes.size === 0) return;
  const count = content.attributes.get('count')?.nameRange;
  const forEach = content.attributes.get('for_each')?.nameRange;
  if (count === undefined && forEach === undefined) return;
  const repetitions = [
    { name: '"count"', range: count },
    { name: '"enabled"', range: enabledName },
    { name: '"for_each"', range: forEach },
  ].flatMap(({ name, range }) => (range === undefined ? [] : [{ name, range }]));
  if (repetitions.length < 2) return;
  if (enabledName === undefined && forEach !== undefined && dialectOf(forEach) === 'terraform') {
    diagnostics.push(
      errorDiagnostic(
        'Invalid combination of "count" and "for_each"',
        'The "count" and "for_each" meta-arguments are mutually-exclusive, only one should be used to be explicit about the number of resources to be created.',
        forEach,
      ),
    );
    return;
  }
  const names = repetitions.map(({ name }) => name);
  const text =
    names.length > 2
      ? `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`
      : names.join(' and ');
  const ranges = repetitions.map(({ range }) => range).sort((a, b) => a.start - b.start);
  const [first] = ranges;
  const last = ranges.at(-1);
  diagnostics.push(
    errorDiagnostic(
      `Invalid combination of ${text}`,
      `The ${text} meta-arguments are mutually-exclusive. ${INSTANCES[of]}`,
      first === undefined || last === undefined ? enabledName : rangeBetween(first, last),
    ),
  );
}

function decodeEscapeOrReserved(
  block: Block,
  firstBlocks: Map<string, Block>,
  resource: DecodedResource,
  diagnostics: Diagnostic[],
): void {
  const mode = resource.addr.mode;
  if (block.type !== '_') {
    reportReservedBlock(block, KEYWORD[mode], diagnostics);
    return;
  }
  // The originals say "data block" of ephemeral resources too.
  const owner = mode === 'managed' ? 'resource' : 'data';
  if (isFirst(block, firstBlocks, duplicateEscape('resource-type-specific', owner), diagnostics)) {
    resource.body = mergeBodies([resource.body, block.body]);
  }
}
