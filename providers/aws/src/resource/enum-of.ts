/** A text where the SDK's types know a list of texts: the service refuses what it does not know, and may know more. */
export function enumOf<T extends string>(value: string): T;
export function enumOf<T extends string>(value: unknown): T | undefined;
export function enumOf<T extends string>(value: unknown): T | undefined {
  return typeof value === 'string' && value !== '' ? (value as T) : undefined;
}
