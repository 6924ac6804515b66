import {
  type InstanceAddr,
  MODULE_ROOT,
  type ModulePath,
  type MoveEndpoint,
  moveEndpointsUnify,
  parseInstanceTraversal,
  parseMoveEndpoint,
  parseRemovedAddr,
  type RemovedAddr,
  type ResourceAddr,
} from '@terrane/addresses';
import { errorDiagnostic, hasErrors, rangeBetween, warningDiagnostic } from '@terrane/hcl';
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
import { dialectOf, dialectRules } from './dialect.ts';
import { parseJsonReference } from './json-reference.ts';
import { decodeProvisioner } from './decode-provisioner.ts';
import type { Moved, ProviderRef, Provisioner, Removed } from './model.ts';
import { decodeProviderRef } from './provider-ref.ts';
import { duplicateOf, isFirst } from './repeated-blocks.ts';
import { staticBool, staticTraversal } from './static-value.ts';

const MOVED_SCHEMA: BodySchema = {
  attributes: [
    { name: 'from', required: true },
    { name: 'to', required: true },
  ],
  blocks: [],
};

/** Decodes a `moved` block; undefined if an endpoint is missing or invalid. */
export function decodeMoved(block: Block, diagnostics: Diagnostic[]): Moved | undefined {
  const { content, diagnostics: schemaProblems } = block.body.content(MOVED_SCHEMA);
  const problems: Diagnostic[] = [...schemaProblems];
  const from = decodeEndpoint(content.attributes.get('from'), problems);
  const to = decodeEndpoint(content.attributes.get('to'), problems);
  if (!hasErrors(problems) && from !== undefined && to !== undefined) {
    if (!moveEndpointsUnify(from.endpoint, to.endpoint)) {
      problems.push(
        errorDiagnostic(
          'Invalid "moved" addresses',
          'The "from" and "to" addresses must either both refer to resources or both refer to modules.',
          block.defRange,
        ),
      );
    }
  }
  diagnostics.push(...problems);
  if (hasErrors(problems) || from === undefined || to === undefined) return undefined;
  return {
    from: from.endpoint,
    to: to.endpoint,
    range: block.defRange,
    fromRange: from.range,
    toRange: to.range,
  };
}

function decodeEndpoint(
  attribute: Attribute | undefined,
  diagnostics: Diagnostic[],
): { readonly endpoint: MoveEndpoint; readonly range: Range } | undefined {
  if (attribute === undefined) return undefined;
  const traversal = staticTraversal(attribute.expression, diagnostics);
  if (traversal === undefined) return undefined;
  const parsed = parseMoveEndpoint(traversal);
  diagnostics.push(...parsed.diagnostics);
  return parsed.endpoint === undefined
    ? undefined
    : { endpoint: parsed.endpoint, range: traversal.range };
}

const REMOVED_SCHEMA: BodySchema = {
  attributes: [{ name: 'from', required: true }],
  blocks: [
    { type: 'lifecycle' },
    { type: 'connection' },
    { type: 'provisioner', labelNames: ['type'] },
  ],
};

const REMOVED_LIFECYCLE_SCHEMA: BodySchema = { attributes: [{ name: 'destroy' }], blocks: [] };

/** Decodes a `removed` block; undefined if its address is missing or invalid. */
export function decodeRemoved(block: Block, diagnostics: Diagnostic[]): Removed | undefined {
  const before = diagnostics.length;
  const { content, diagnostics: schemaProblems } = block.body.content(REMOVED_SCHEMA);
  diagnostics.push(...schemaProblems);
  const from = content.attributes.get('from');
  let address: RemovedAddr | undefined;
  if (from !== undefined) {
    const traversal = staticTraversal(from.expression, diagnostics);
    if (traversal !== undefined) {
      const parsed = parseRemovedAddr(traversal);
      diagnostics.push(...parsed.diagnostics);
      address = parsed.address;
    }
  }
  const isManaged = address?.resource?.mode === 'managed';
  const body = decodeRemovedBlocks(content.blocks, isManaged, diagnostics);
  const destroy = body.destroy ?? dialectRules(block.defRange).removedDestroys;
  if (dialectOf(block.defRange) === 'opentofu' && !hasErrors(diagnostics, before)) {
    warnOfForgetting(block, body, diagnostics);
  }
  if (address === undefined || from === undefined) return undefined;
  return {
    from: address,
    range: block.defRange,
    fromRange: from.expression.range,
    ...body,
    destroy,
  };
}

/** Warns that OpenTofu forgets the object by default, which may be unexpected. */
function warnOfForgetting(
  block: Block,
  body: { readonly destroy: boolean | undefined; readonly provisioners: readonly Provisioner[] },
  diagnostics: Diagnostic[],
): void {
  if (body.destroy === undefined) {
    diagnostics.push(
      warningDiagnostic(
        'Missing lifecycle from the removed block',
        "It is recommended for each 'removed' block configured to have also the 'lifecycle' block defined. By not specifying if the resource should be destroyed or not, could lead to unwanted behavior.",
        block.defRange,
      ),
    );
  } else if (!body.destroy && body.provisioners.length > 0) {
    diagnostics.push(
      warningDiagnostic(
        'Removed block provisioners will not be executed',
        "The 'removed' block has marked the resource to be forgotten and not destroyed. Therefore, the provisioners configured for it will not be executed.",
        block.defRange,
      ),
    );
  }
}

function decodeRemovedBlocks(
  blocks: readonly Block[],
  isManaged: boolean,
  diagnostics: Diagnostic[],
): {
  readonly destroy: boolean | undefined;
  readonly provisioners: readonly Provisioner[];
  readonly connection?: Body;
} {
  let destroy: boolean | undefined;
  let connection: Body | undefined;
  const provisioners: Provisioner[] = [];
  const firstBlocks = new Map<string, Block>();
  for (const inner of blocks) {
    if (inner.type === 'lifecycle') {
      const lifecycle = inner.body.content(REMOVED_LIFECYCLE_SCHEMA);
      diagnostics.push(...lifecycle.diagnostics);
      const argument = lifecycle.content.attributes.get('destroy');
      if (argument !== undefined) {
        destroy = staticBool(argument.expression, diagnostics) ?? destroy;
      }
    } else if (!isManaged) {
      diagnostics.push(
        inner.type === 'connection'
          ? errorDiagnostic(
              'Invalid connection block',
              'Provisioner connection configuration is valid only when a removed block targets a managed resource.',
              inner.defRange,
            )
          : errorDiagnostic(
              'Invalid provisioner block',
              'Provisioners are valid only when a removed block targets a managed resource.',
              inner.defRange,
            ),
      );
    } else if (inner.type === 'connection') {
      if (
        isFirst(inner, firstBlocks, duplicateOf('connection', 'This "removed" block'), diagnostics)
      ) {
        connection = inner.body;
      }
    } else {
      const provisioner = decodeProvisioner(inner, diagnostics);
      if (provisioner === undefined) continue;
      provisioners.push(provisioner);
      if (provisioner.when === 'destroy') continue;
      diagnostics.push(
        errorDiagnostic(
          'Invalid provisioner block',
          'Only destroy-time provisioners are valid in "removed" blocks. To declare a destroy-time provisioner, use:\n    when = destroy',
          inner.defRange,
        ),
      );
    }
  }
  const result = { destroy, provisioners };
  return connection === undefined ? result : { ...result, connection };
}

/** A decoded `import` block, before its provider is resolved. */
export interface DecodedImport {
  readonly to: Expression;
  readonly toModule: ModulePath;
  readonly toResource: ResourceAddr;
  readonly id?: Expression;
  readonly identity?: Expression;
  readonly forEach?: Expression;
  readonly providerRef?: ProviderRef;
  readonly providerRange?: Range;
  readonly range: Range;
}

const IMPORT_SCHEMA: BodySchema = {
  attributes: [
    { name: 'provider' },
    { name: 'for_each' },
    { name: 'id' },
    { name: 'identity', unsuggested: true },
    { name: 'to', required: true },
  ],
  blocks: [],
};

/** Decodes an `import` block; undefined if its address is missing or invalid. */
export function decodeImport(block: Block, diagnostics: Diagnostic[]): DecodedImport | undefined {
  const { content, diagnostics: schemaProblems } = block.body.content(IMPORT_SCHEMA);
  const problems: Diagnostic[] = [...schemaProblems];
  const decoded = decodeImportContent(block, content.attributes, problems);
  diagnostics.push(...problems);
  return decoded;
}

function decodeImportContent(
  block: Block,
  attributes: ReadonlyMap<string, Attribute>,
  diagnostics: Diagnostic[],
): DecodedImport | undefined {
  const toAttribute = attributes.get('to');
  let to: Expression | undefined;
  let address: InstanceAddr | undefined;
  if (toAttribute !== undefined) {
    to = parseJsonReference(toAttribute.expression, diagnostics);
    if (to === undefined || hasErrors(diagnostics)) return undefined;
    address = parseImportTarget(to, diagnostics);
    if (address?.config.resource.mode !== 'managed') {
      diagnostics.push(
        errorDiagnostic(
          'Invalid import address',
          'Only managed resources can be imported.',
          toAttribute.range,
        ),
      );
    }
  }
  const toModule = address?.config.module ?? MODULE_ROOT;
  const provider = attributes.get('provider');
  let providerRef: ProviderRef | undefined;
  if (provider !== undefined) {
    if (!toModule.isRoot) {
      diagnostics.push(
        errorDiagnostic(
          'Invalid import provider argument',
          'The provider argument can only be specified in import blocks that will generate configuration.\n\nUse the providers argument within the module block to configure providers for all resources within a module, including imported resources.',
          provider.range,
        ),
      );
    }
    providerRef = decodeProviderRef(provider.expression, 'provider', diagnostics);
  }
  const id = attributes.get('id')?.expression;
  const identity = attributes.get('identity')?.expression;
  if ((id === undefined) === (identity === undefined)) {
    const detail =
      id === undefined
        ? "At least one of 'id' or 'identity' must be specified."
        : "Only one of 'id' or 'identity' can be specified.";
    diagnostics.push(errorDiagnostic('Invalid import block', detail, block.defRange));
  }
  if (to === undefined || address === undefined) return undefined;
  const forEach = attributes.get('for_each')?.expression;
  return {
    to,
    toModule,
    toResource: address.config.resource,
    range: block.defRange,
    ...(id === undefined ? {} : { id }),
    ...(identity === undefined ? {} : { identity }),
    ...(forEach === undefined ? {} : { forEach }),
    ...(providerRef === undefined ? {} : { providerRef }),
    ...(provider === undefined ? {} : { providerRange: provider.range }),
  };
}

/** The resource that `to` names, dropping keys that are no constants. */
function parseImportTarget(e: Expression, diagnostics: Diagnostic[]): InstanceAddr | undefined {
  const traversal = traversalWithoutDynamicKeys(e, diagnostics);
  if (traversal === undefined) return undefined;
  const parsed = parseInstanceTraversal(traversal);
  diagnostics.push(...parsed.diagnostics);
  return parsed.address;
}

function traversalWithoutDynamicKeys(
  e: Expression,
  diagnostics: Diagnostic[],
): Traversal | undefined {
  switch (e.kind) {
    case 'index':
      return traversalWithoutDynamicKeys(e.collection, diagnostics);
    case 'relativeTraversal': {
      const source = traversalWithoutDynamicKeys(e.source, diagnostics);
      if (source === undefined) return undefined;
      return {
        steps: [...source.steps, ...e.traversal.steps],
        range: rangeBetween(source.range, e.traversal.range),
      };
    }
    default:
      return staticTraversal(e, diagnostics);
  }
}
