import { editHcl, expression, type NativeBlock, parseHcl, type Range } from '@terrane/hcl';

/** A `resource` block with the arguments that it may lack, because a plan is tried without them. */
export interface DraftForm {
  /** the block with all arguments that are not null */
  readonly full: string;
  /** top-level arguments that are left out, and blocks whose empty arguments are */
  readonly omitted: ReadonlySet<string>;
  /** arguments that a plan needs, which are not left out again */
  readonly needed: ReadonlySet<string>;
  /** the block without what is left out */
  readonly resource: string;
}

/** Why an object cannot be adopted with the present form of its block. */
export interface Obstacle {
  /** for users */
  readonly reason: string;
  /** arguments and blocks that the plan would change */
  readonly differing?: readonly string[];
  /** top-level arguments with errors, and blocks with errors in them */
  readonly invalid?: readonly string[];
}

/** The literals of values that providers store for unset arguments. */
const EMPTY: ReadonlySet<string> = new Set(['""', '0', 'false', '[]', '{}']);

type Content = ReturnType<typeof editHcl>;

/**
 * Returns the first form of a block: without empty arguments. Providers that store an empty value for each unset
 * argument would otherwise have all of them written, also those that exclude each other.
 */
export function firstForm(full: string): DraftForm {
  const content = editHcl(full).block('resource')?.content;
  const omitted = new Set<string>();
  for (const { name, source } of content?.attributes ?? [])
    if (EMPTY.has(source)) omitted.add(name);
  for (const { type, content: inner } of content?.blocks() ?? [])
    if (hasEmpty(inner)) omitted.add(type);
  return formOf(full, omitted, new Set());
}

/**
 * Returns the next form to try: with the omitted arguments that make a difference, or without an argument that is
 * rejected, which the provider may compute. Undefined if nothing is left to try.
 */
export function nextForm(
  { full, omitted, needed }: DraftForm,
  { differing = [], invalid = [] }: Obstacle,
): DraftForm | undefined {
  // An omitted argument with an error is required.
  const restored = [...differing, ...invalid].filter((name) => omitted.has(name));
  if (restored.length > 0) {
    const rest = [...omitted].filter((name) => !restored.includes(name));
    return formOf(full, new Set(rest), new Set([...needed, ...restored]));
  }
  const { attributes = [] } = editHcl(full).block('resource')?.content ?? {};
  const [dropped] = invalid
    .filter((name) => !needed.has(name) && attributes.some((each) => each.name === name))
    // Of arguments that exclude each other, the longest name is usually that of a derived one (`zone`, `zone_id`).
    .toSorted((a, b) => b.length - a.length);
  return dropped === undefined ? undefined : formOf(full, new Set([...omitted, dropped]), needed);
}

/** Returns the form without some arguments and blocks, whose values are secrets; their changes are ignored. */
export function formWithout(
  { full, omitted, needed }: DraftForm,
  names: readonly string[],
): DraftForm {
  const editor = editHcl(full);
  const content = editor.block('resource')?.content;
  for (const attribute of content?.attributes ?? [])
    if (names.includes(attribute.name)) attribute.remove();
  for (const block of content?.blocks() ?? []) if (names.includes(block.type)) block.remove();
  if (content !== undefined) ignoreArguments(content, names);
  return formOf(String(editor), omitted, needed);
}

/** Adds arguments with sensitive values to `ignore_changes`. */
export function ignoreArguments(content: Content, names: readonly string[]): void {
  if (names.length === 0) return;
  const existing = content.block('lifecycle');
  const ignored = existing?.content.attribute('ignore_changes')?.source.replaceAll(/^\[|\]$/g, '');
  const list = expression(
    `[${[...(ignored === undefined ? [] : [ignored]), ...names].join(', ')}]`,
  );
  if (existing !== undefined) {
    existing.content.set('ignore_changes', list);
    return;
  }
  const lifecycle = content.addBlock('lifecycle', [], { ignore_changes: list });
  lifecycle.setComment('Sensitive values are not adopted.');
}

function formOf(
  full: string,
  omitted: ReadonlySet<string>,
  needed: ReadonlySet<string>,
): DraftForm {
  const editor = editHcl(full);
  const content = editor.block('resource')?.content;
  for (const attribute of content?.attributes ?? [])
    if (omitted.has(attribute.name)) attribute.remove();
  for (const { type, content: inner } of content?.blocks() ?? [])
    if (omitted.has(type)) removeEmpty(inner);
  return { full, omitted, needed, resource: String(editor) };
}

function hasEmpty(content: Content): boolean {
  return (
    content.attributes.some(({ source }) => EMPTY.has(source)) ||
    content.blocks().some((block) => hasEmpty(block.content))
  );
}

function removeEmpty(content: Content): void {
  for (const attribute of content.attributes) if (EMPTY.has(attribute.source)) attribute.remove();
  for (const block of content.blocks()) removeEmpty(block.content);
}

/** Returns the name of the top-level argument, or the type of the block, at an offset of a `resource` block in a file. */
export function argumentAt(
  text: string,
  type: string,
  name: string,
  offset: number,
): string | undefined {
  const block = parseHcl(text).body.blocks.find(
    (each: NativeBlock) =>
      each.type === 'resource' && each.labels[0] === type && each.labels[1] === name,
  );
  const isInside = ({ range }: { readonly range: Range }): boolean =>
    range.start <= offset && offset < range.end;
  const attributes = [...(block?.body.attributes.values() ?? [])];
  return attributes.find(isInside)?.name ?? block?.body.blocks.find(isInside)?.type;
}
