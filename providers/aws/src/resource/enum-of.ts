/** Converts a text to an enumeration of the SDK's types: the service rejects unknown ones, and may support more. */
export function enumOf<T extends string>(value: string): T;
export function enumOf<T extends string>(value: unknown): T | undefined;
export function enumOf<T extends string>(value: unknown): T | undefined {
  return typeof value === 'string' && value !== '' ? (value as T) : undefined;
}
