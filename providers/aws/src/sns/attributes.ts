import { isUnknown } from '@terrane/provider/sdk';

/** Returns the attributes of an object for requests; unset arguments are the empty text. */
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

/** Returns the attributes with a value. The creation of an object omits the others. */
export function givenAttributes(all: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...all].filter(([, value]) => value !== '' && value !== 'false'));
}

/** Returns the attributes that differ from the previous ones. */
export function changedAttributes(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map([...after].filter(([name, value]) => (before.get(name) ?? '') !== value));
}

/** Parses a number in a response; null if it is absent. */
export function numberIn(text: string | undefined): number | null {
  return text === undefined || text === '' ? null : Number(text);
}
