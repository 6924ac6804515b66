import type { Path, Value } from '@terrane/cty';
import { type Block, type Body, expandDynamic, type Expression, type Range } from '@terrane/hcl';
import type { BlockSchema } from '@terrane/provider';
import type { Scope } from '@terrane/hcl';

/** Where a body says what a part of its value is. */
export type Said =
  | {
      readonly kind: 'argument';
      readonly expression: Expression;
      /** the whole argument */
      readonly range: Range;
      /** the part of what the expression gives */
      readonly path: Path;
      /** what the `dynamic` blocks around it repeat over */
      readonly generators: readonly Expression[];
    }
  | {
      /** how many blocks there are, or what is in blocks that are not told apart */
      readonly kind: 'blocks';
      readonly bodies: readonly Body[];
      readonly schema: BlockSchema | undefined;
      /** the first of them */
      readonly range: Range | undefined;
      readonly generators: readonly Expression[];
    }
  /** nothing is said of it */
  | { readonly kind: 'nothing'; readonly range: Range };

/**
 * Where a body says what is at a path of its value. `scope` is what `dynamic` blocks are expanded with;
 * arguments that they generate are expressions that know their iterators.
 */
export function argumentAt(
  body: Body,
  schema: BlockSchema,
  path: Path,
  scope: Scope | undefined,
): Said {
  let current = scope === undefined ? body : expandDynamic(body, scope);
  let block = schema;
  const generators: Expression[] = [];
  for (let at = 0; at < path.length; at++) {
    const step = path[at];
    if (step?.kind !== 'attr') break;
    const { name } = step;
    if (Object.hasOwn(block.attributes, name)) {
      const { attributes } = current.partialContent({ attributes: [{ name }], blocks: [] }).content;
      const found = attributes.get(name);
      if (found !== undefined) {
        const { expression, range } = found;
        return { kind: 'argument', expression, range, path: path.slice(at + 1), generators };
      }
      // An attribute whose type is a list of objects may be written as blocks.
      const blocks = blocksOf(current, name, undefined);
      return blocks.length === 0
        ? { kind: 'nothing', range: body.missingItemRange }
        : {
            kind: 'blocks',
            bodies: blocks.map((one) => one.body),
            schema: undefined,
            range: blocks[0]?.defRange,
            generators: dynamicGenerators(body, name),
          };
    }
    const nested = Object.hasOwn(block.blocks, name) ? block.blocks[name] : undefined;
    if (nested === undefined) break;
    if (at === 0) generators.push(...dynamicGenerators(body, name));
    const blocks = blocksOf(current, name, nested.nesting);
    const following = path[at + 1];
    const isOne = nested.nesting === 'single' || nested.nesting === 'group';
    const key = isOne || following?.kind !== 'index' ? undefined : following.key;
    const chosen = isOne ? blocks[0] : key === undefined ? undefined : chooseBlock(blocks, key);
    const isEnd = at + (isOne ? 1 : 2) >= path.length;
    if (chosen === undefined || isEnd) {
      const bodies = (chosen === undefined ? blocks : [chosen]).map((one) => one.body);
      const range = (chosen ?? blocks[0])?.defRange;
      return { kind: 'blocks', bodies, schema: nested.block, range, generators };
    }
    current = chosen.body;
    block = nested.block;
    if (!isOne) at++;
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

/** What the `dynamic` blocks of a type in a body repeat over. */
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
    const found = attributes.get('for_each');
    return found === undefined ? [] : [found.expression];
  });
}

/** Every argument in a body and the blocks in it, by its schema. */
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
