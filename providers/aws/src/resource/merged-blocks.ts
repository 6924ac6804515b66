import type { Attribute, Blocks } from '@terrane/provider/sdk';

type BlockDefinition = Blocks[string]['definition'];
type AttributeDefinition = Attribute['definition'];
type Element = Readonly<Record<string, unknown>>;

/**
 * Blocks as they were read, where what Amazon says is empty stays as it was: null where nothing is written. Blocks in
 * order are compared by their place, those of sets with the ones that say the same.
 */
export function mergedBlocks(block: BlockDefinition, before: unknown, read: unknown): unknown {
  const { nesting } = block;
  if (nesting !== 'list' && nesting !== 'set') return read ?? null;
  const was = elementsOf(before);
  const found = elementsOf(read);
  if (nesting === 'list') return found.map((each, index) => mergedBlock(block, was[index], each));
  const left = [...was];
  return found.map((each) => {
    const at = left.findIndex((other) =>
      saysTheSame(block, other, mergedBlock(block, other, each)),
    );
    const [same] = at < 0 ? [] : left.splice(at, 1);
    return mergedBlock(block, same, each);
  });
}

function mergedBlock(block: BlockDefinition, before: Element | undefined, read: Element): Element {
  const attributes = Object.entries(block.attributes).map(([name, definition]) => {
    const [was, now] = [before?.[name] ?? null, read[name] ?? null];
    return [name, isEmpty(was) && isEmpty(now) && !isOpen(definition, was) ? was : now] as const;
  });
  const blocks = Object.entries(block.blocks ?? {}).map(
    ([name, inner]) => [name, mergedBlocks(inner, before?.[name], read[name])] as const,
  );
  return Object.fromEntries([...attributes, ...blocks]);
}

/** Whether a value that nobody wrote may be given. */
function isOpen(
  { computed, required, default: usual }: AttributeDefinition,
  was: unknown,
): boolean {
  return was === null && (computed === true || required === true || usual !== undefined);
}

/** Whether two blocks are the same in what users write. */
function saysTheSame(block: BlockDefinition, a: Element, b: Element): boolean {
  const attributes = Object.entries(block.attributes).every(
    ([name, { computed }]) =>
      (computed === true && isEmpty(a[name] ?? null)) || sameValue(a[name], b[name]),
  );
  return (
    attributes &&
    Object.entries(block.blocks ?? {}).every(([name, inner]) => {
      const [as, bs] = [elementsOf(a[name]), elementsOf(b[name])];
      return (
        as.length === bs.length &&
        as.every((each) => bs.some((other) => saysTheSame(inner, each, other)))
      );
    })
  );
}

function sameValue(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return JSON.stringify(a) === JSON.stringify(b);
  // Lists whose order counts differ in more than it where they are of different blocks.
  const texts = (list: readonly unknown[]): string => JSON.stringify(list.map(textOf).sort());
  return texts(a) === texts(b);
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function elementsOf(value: unknown): readonly Element[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each): each is Element => typeof each === 'object' && each !== null);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
