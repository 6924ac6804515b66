import { isUnknown } from '@terrane/provider/sdk';

/** Attributes of an object as requests have them: those that are written, and what is not as the empty text. */
export function attributesOf(
  object: object,
  names: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [argument, value] of Object.entries(object) as [string, unknown][]) {
    const name = names[argument];
    if (name === undefined || isUnknown(value)) continue;
    const plain = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    attributes.set(name, typeof plain === 'string' ? plain : '');
  }
  return attributes;
}

/** Those that are something: a new object need not be told what is off or empty. */
export function givenAttributes(all: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...all].filter(([, value]) => value !== '' && value !== 'false'));
}

/** Those that are other ones than before. */
export function changedAttributes(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map([...after].filter(([name, value]) => (before.get(name) ?? '') !== value));
}

/** A number in an answer; null: it is not told. */
export function numberIn(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}
