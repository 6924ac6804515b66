import type { Path, Value } from '@terrane/cty';
import { type Block, type Body, expandDynamic, type Expression, type Range } from '@terrane/hcl';
import type { BlockSchema } from '@terrane/provider';
import type { Scope } from '@terrane/hcl';

/** The part of a body that defines a part of its value. */
export type Definition =
  | {
      readonly kind: 'argument';
      readonly expression: Expression;
      /** the range of the whole argument */
      readonly range: Range;
      /** the path into the value of the expression */
      readonly path: Path;
      /** the collections of the `dynamic` blocks around it */
      readonly generators: readonly Expression[];
    }
  | {
      /** the blocks, for paths that end at their number or at the content of blocks without keys */
      readonly kind: 'blocks';
      readonly bodies: readonly Body[];
      readonly schema: BlockSchema | undefined;
      /** the range of the first block */
      readonly range: Range | undefined;
      readonly generators: readonly Expression[];
    }
  /** the body does not define it */
  | { readonly kind: 'nothing'; readonly range: Range };

/**
 * Returns the definition of the value at a path of a body. `dynamic` blocks are expanded in `scope`; the arguments that
 * they generate are expressions with the values of their iterators.
 */
export function argumentAt(
  body: Body,
  schema: BlockSchema,
  path: Path,
  scope: Scope | undefined,
): Definition {
  let current = scope === undefined ? body : expandDynamic(body, scope);
  let block = schema;
  const generators: Expression[] = [];
  for (let index = 0; index < path.length; index++) {
    const step = path[index];
    if (step?.kind !== 'attr') break;
    const { name } = step;
    if (Object.hasOwn(block.attributes, name)) {
      const { attributes } = current.partialContent({ attributes: [{ name }], blocks: [] }).content;
      const argument = attributes.get(name);
      if (argument !== undefined) {
        const { expression, range } = argument;
        return { kind: 'argument', expression, range, path: path.slice(index + 1), generators };
      }
      // An attribute whose type is a list of objects may be written as blocks.
      const blocks = blocksOf(current, name, undefined);
      return blocks.length === 0
        ? { kind: 'nothing', range: body.missingItemRange }
        : {
            kind: 'blocks',
            bodies: blocks.map((nestedBlock) => nestedBlock.body),
            schema: undefined,
            range: blocks[0]?.defRange,
            generators: dynamicGenerators(body, name),
          };
    }
    const nested = Object.hasOwn(block.blocks, name) ? block.blocks[name] : undefined;
    if (nested === undefined) break;
    if (index === 0) generators.push(...dynamicGenerators(body, name));
    const blocks = blocksOf(current, name, nested.nesting);
    const following = path[index + 1];
    const isOne = nested.nesting === 'single' || nested.nesting === 'group';
    const key = isOne || following?.kind !== 'index' ? undefined : following.key;
    const selectedBlock = isOne
      ? blocks[0]
      : key === undefined
        ? undefined
        : chooseBlock(blocks, key);
    const isEnd = index + (isOne ? 1 : 2) >= path.length;
    if (selectedBlock === undefined || isEnd) {
      const bodies = (selectedBlock === undefined ? blocks : [selectedBlock]).map(
        (nestedBlock) => nestedBlock.body,
      );
      const range = (selectedBlock ?? blocks[0])?.defRange;
      return { kind: 'blocks', bodies, schema: nested.block, range, generators };
    }
    current = selectedBlock.body;
    block = nested.block;
    if (!isOne) index++;
  }
  return { kind: 'nothing', range: body.missingItemRange };
}

function blocksOf(body: Body, type: string, nesting: string | undefined): readonly Block[] {
  const labelNames = nesting === 'map' ? ['key'] : [];
  return body.partialContent({ attributes: [], blocks: [{ type, labelNames }] }).content.blocks;
}

function chooseBlock(blocks: readonly Block[], key: Value): Block | undefined {
  if (!key.isKnown || key.isNull) return undefined;
  switch (key.type.kind) {
    case 'number':
      return blocks[key.asInt()];
    case 'string':
      return blocks.find((block) => block.labels[0] === key.asString());
    default:
      return undefined;
  }
}

/** Returns the collections of the `dynamic` blocks of a type. */
function dynamicGenerators(body: Body, type: string): readonly Expression[] {
  const { blocks } = body.partialContent({
    attributes: [],
    blocks: [{ type: 'dynamic', labelNames: ['type'] }],
  }).content;
  return blocks.flatMap((block) => {
    if (block.labels[0] !== type) return [];
    const { attributes } = block.body.partialContent({
      attributes: [{ name: 'for_each' }],
      blocks: [],
    }).content;
    const argument = attributes.get('for_each');
    return argument === undefined ? [] : [argument.expression];
  });
}

/** Yields the arguments of a body and its nested blocks. */
export function* argumentsIn(body: Body, schema: BlockSchema | undefined): Iterable<Expression> {
  if (schema === undefined) {
    for (const { expression } of body.justAttributes().attributes.values()) yield expression;
    return;
  }
  const { attributes, blocks } = body.partialContent({
    attributes: Object.keys(schema.attributes).map((name) => ({ name })),
    blocks: Object.entries(schema.blocks).map(([type, { nesting }]) => ({
      type,
      labelNames: nesting === 'map' ? ['key'] : [],
    })),
  }).content;
  for (const { expression } of attributes.values()) yield expression;
  for (const block of blocks) {
    const nested = Object.hasOwn(schema.blocks, block.type) ? schema.blocks[block.type] : undefined;
    yield* argumentsIn(block.body, nested?.block);
  }
}
