import type { Type } from '@terrane/cty';
import type { NativeBlock } from '@terrane/hcl';
import type { AttributeSchema } from '@terrane/provider';
import { type AnalysisContext, partType } from '../analysis-context.ts';
import { type CursorContext, cursorContext, type EnclosingBlock } from '../cursor-context.ts';
import { REQUIRED_PROVIDER } from '../language-schema.ts';
import { ownProperty, SchemaLookup, variablesSchema, variableType } from '../schema-lookup.ts';
import type { SourceDocument } from '../source-document.ts';

/** A place in a document at which completion is requested. */
export class CompletionSite {
  readonly context: AnalysisContext;
  readonly document: SourceDocument;
  readonly offset: number;
  readonly cursor: CursorContext;
  /** the directory of the module that the document belongs to */
  readonly directory: string;
  readonly lookup: SchemaLookup;

  /** `cursor` defaults to the context of the offset in native syntax. */
  constructor(
    context: AnalysisContext,
    document: SourceDocument,
    offset: number,
    cursor: CursorContext = cursorContext(document.tokens, offset),
  ) {
    this.context = context;
    this.document = document;
    this.offset = offset;
    this.cursor = cursor;
    this.directory = context.project.moduleDirectoryOf(document);
    this.lookup = new SchemaLookup(
      context.project,
      this.directory,
      context.schemas(this.directory),
    );
  }

  /** The parsed block that the cursor is in. */
  existingBlock(blocks: readonly EnclosingBlock[]): NativeBlock | undefined {
    let body = this.document.native;
    let block: NativeBlock | undefined;
    for (const { bodyStart } of blocks) {
      block = body?.blocks.find(({ openBraceRange }) => openBraceRange.end === bodyStart);
      body = block?.body;
    }
    return block;
  }

  /** The schema of the value at the cursor. */
  expected(): Expected | undefined {
    const { blocks, argument, nesting } = this.cursor;
    if (argument === undefined) return undefined;
    const { role } = this.document.kind;
    const innermost = blocks.at(-1);
    let expected: Expected | undefined;
    if (innermost?.type === 'required_providers')
      expected = { attributes: REQUIRED_PROVIDER.attributes };
    else if (innermost?.type === 'variable' && argument === 'default') {
      const type = this.existingBlock(blocks)?.body.attributes.get('type')?.expression;
      expected = { type: variableType(type) };
    } else {
      const schema =
        blocks.length === 0
          ? variablesSchema(this.context.project, this.directory)
          : this.lookup.blockSchema(role, blocks);
      const attribute = schema === undefined ? undefined : ownProperty(schema.attributes, argument);
      if (attribute?.nested !== undefined)
        expected = {
          attributes: attribute.nested.attributes,
          ...(attribute.nested.nesting === 'single'
            ? {}
            : { collection: attribute.nested.nesting }),
        };
      else if (attribute?.type !== undefined) expected = { type: attribute.type };
    }
    for (const step of nesting) {
      if (expected === undefined) return undefined;
      switch (step.kind) {
        case 'object': {
          if (step.key === undefined) {
            // The keys of a map of objects are arbitrary.
            if (expected.collection === 'map') return undefined;
            return step === nesting.at(-1) ? expected : undefined;
          }
          expected = inside(expected, step.key);
          break;
        }
        case 'tuple':
          expected = inside(expected, undefined);
          break;
        case 'parentheses':
          break;
        default:
          return undefined;
      }
    }
    return expected;
  }
}

/** The expected value: attributes of an object, or a type. */
export interface Expected {
  readonly attributes?: Readonly<Record<string, AttributeSchema>>;
  readonly collection?: 'list' | 'set' | 'map';
  readonly type?: Type;
}

/** The type of values whose type is unknown. */
export const ANY: Type = variableType(undefined);

function inside(expected: Expected, key: string | undefined): Expected | undefined {
  if (expected.collection !== undefined)
    return expected.attributes === undefined ? undefined : { attributes: expected.attributes };
  if (expected.attributes !== undefined) {
    const attribute = key === undefined ? undefined : ownProperty(expected.attributes, key);
    if (attribute?.nested !== undefined)
      return {
        attributes: attribute.nested.attributes,
        ...(attribute.nested.nesting === 'single' ? {} : { collection: attribute.nested.nesting }),
      };
    return attribute?.type === undefined ? undefined : { type: attribute.type };
  }
  const type = expected.type === undefined ? undefined : partType(expected.type, key);
  return type === undefined ? undefined : { type };
}
