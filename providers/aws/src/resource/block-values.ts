/** Blocks and arguments as the configuration or the plan has them. */
export type Block = Readonly<Record<string, unknown>>;

/** Returns the blocks for a part of a response: one, or none. */
export function list<T, B extends object>(
  part: T | undefined,
  block: (part: T) => B,
): readonly B[] {
  return part === undefined ? [] : [block(part)];
}

/** Returns the arguments of a block or map; empty for other values. */
export function record(value: unknown): Block {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The blocks of a name; none where they are not known. */
export function many(value: unknown): readonly Block[] {
  return Array.isArray(value) ? value.map(record) : [];
}

/** Returns the single block of a name. */
export function firstBlock(value: unknown): Block | undefined {
  return many(value)[0];
}

/** Returns a non-empty text. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The texts of a list or set; none where they are not known. */
export function texts(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((each): each is string => typeof each === 'string')
    : [];
}

/** A number that is known. */
export function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Returns a number above zero: the older SDK does not distinguish zero from null. */
export function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

/** A time that is written. */
export function time(value: unknown): Date | undefined {
  return typeof value === 'string' && value !== '' ? new Date(value) : undefined;
}

/** A time as it is written, without parts of seconds. */
export function timeText(value: Date | undefined): string | undefined {
  return value?.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Returns a non-empty list. */
export function orNone<T>(all: T[]): T[] | undefined {
  return all.length === 0 ? undefined : all;
}

/** Returns an object without undefined members. */
export function compact<T extends object>(
  object: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
