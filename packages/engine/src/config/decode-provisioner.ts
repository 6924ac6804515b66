import { errorDiagnostic, mergeBodies, variables } from '@terrane/hcl';
import type { Block, Body, BodySchema, Diagnostic, Traversal } from '@terrane/hcl';
import { duplicateEscape, duplicateOf, isFirst, reportReservedBlock } from './repeated-blocks.ts';
import type { Provisioner } from './model.ts';
import { keywordOf, unquoteTraversal } from './static-value.ts';

const PROVISIONER_SCHEMA: BodySchema = {
  attributes: [{ name: 'when' }, { name: 'on_failure' }],
  blocks: [{ type: '_' }, { type: 'connection' }, { type: 'lifecycle' }],
};

const REMOVED_TYPES: ReadonlySet<string> = new Set([
  'chef',
  'habitat',
  'puppet',
  'salt-masterless',
]);

/** Decodes a `provisioner` block. */
export function decodeProvisioner(
  block: Block,
  diagnostics: Diagnostic[],
): Provisioner | undefined {
  const type = block.labels[0] ?? '';
  const typeRange = block.labelRanges[0] ?? block.defRange;
  const {
    content,
    remain,
    diagnostics: schemaProblems,
  } = block.body.partialContent(PROVISIONER_SCHEMA);
  diagnostics.push(...schemaProblems);
  if (REMOVED_TYPES.has(type)) {
    diagnostics.push(
      errorDiagnostic(
        `The "${type}" provisioner has been removed`,
        `The "${type}" provisioner was deprecated in Terraform 0.13.4 has been removed from Terraform. Visit https://learn.hashicorp.com/collections/terraform/provision for alternatives to using provisioners that are a better fit for the Terraform workflow.`,
        typeRange,
      ),
    );
    return undefined;
  }
  const when = decodeWhen(content.attributes.get('when')?.expression, diagnostics);
  if (when === 'destroy') checkConnectionOfDestroy(remain, diagnostics);
  const failure = content.attributes.get('on_failure');
  let onFailure: Provisioner['onFailure'] = 'fail';
  if (failure !== undefined) {
    const e = unquoteTraversal(failure.expression, 'keyword', diagnostics);
    const keyword = keywordOf(e, ['continue', 'fail']);
    if (keyword !== undefined) onFailure = keyword;
    else {
      diagnostics.push(
        errorDiagnostic(
          'Invalid "on_failure" keyword',
          'The "on_failure" argument requires one of the following keywords: continue or fail.',
          failure.expression.range,
        ),
      );
    }
  }
  const nested = decodeNested(content.blocks, remain, when, diagnostics);
  return { type, when, onFailure, range: block.defRange, typeRange, ...nested };
}

function decodeWhen(
  expression: Parameters<typeof unquoteTraversal>[0] | undefined,
  diagnostics: Diagnostic[],
): Provisioner['when'] {
  if (expression === undefined) return 'create';
  const e = unquoteTraversal(expression, 'keyword', diagnostics);
  const keyword = keywordOf(e, ['create', 'destroy']);
  if (keyword !== undefined) return keyword;
  diagnostics.push(
    errorDiagnostic(
      'Invalid "when" keyword',
      'The "when" argument requires one of the following keywords: create or destroy.',
      e.range,
    ),
  );
  return 'create';
}

function decodeNested(
  blocks: readonly Block[],
  remain: Body,
  when: Provisioner['when'],
  diagnostics: Diagnostic[],
): { readonly body: Body; readonly connection?: Body } {
  const firstBlocks = new Map<string, Block>();
  let body = remain;
  let connection: Body | undefined;
  for (const inner of blocks) {
    if (inner.type === '_') {
      // The spelling is the originals'.
      const message = duplicateEscape('provisioner-typpe-specific', 'provisioner');
      if (isFirst(inner, firstBlocks, message, diagnostics)) body = mergeBodies([body, inner.body]);
    } else if (inner.type === 'connection') {
      if (
        !isFirst(inner, firstBlocks, duplicateOf('connection', 'This provisioner'), diagnostics)
      ) {
        continue;
      }
      if (when === 'destroy') checkConnectionOfDestroy(inner.body, diagnostics);
      connection = inner.body;
    } else reportReservedBlock(inner, 'provisioner', diagnostics);
  }
  return connection === undefined ? { body } : { body, connection };
}

/** Validates that destroy-time provisioners and their connections refer only to their own resource. */
export function checkConnectionOfDestroy(body: Body, diagnostics: Diagnostic[]): void {
  for (const attribute of body.justAttributes().attributes.values()) {
    for (const traversal of variables(attribute.expression)) {
      if (isOwnReference(traversal)) continue;
      diagnostics.push(
        errorDiagnostic(
          'Invalid reference from destroy provisioner',
          "Destroy-time provisioners and their connection configurations may only reference attributes of the related resource, via 'self', 'count.index', or 'each.key'.\n\nReferences to other resources during the destroy phase can cause dependency cycles and interact poorly with create_before_destroy.",
          attribute.expression.range,
        ),
      );
    }
  }
}

function isOwnReference({ steps }: Traversal): boolean {
  const [root, second] = steps;
  if (root?.kind !== 'root') return false;
  switch (root.name) {
    case 'self':
    case 'path':
    case 'terraform':
      return true;
    case 'count':
      return steps.length === 2 && second?.kind === 'attr' && second.name === 'index';
    case 'each':
      return steps.length === 2 && second?.kind === 'attr' && second.name === 'key';
    default:
      return false;
  }
}
