/**
 * Returns a read of an object for waits, with its state: `refresh: seen(() => volumeById(aws, id), ({ State }) =>
 * State)`. Without `state`, that it exists; if that returns null, it counts as deleted.
 */
export function readState<T>(
  look: () => Promise<T>,
  state: (object: NonNullable<T>) => string | undefined | null = () => 'exists',
): () => Promise<{ readonly result: NonNullable<T>; readonly state: string } | undefined> {
  return async () => {
    const result = await look();
    if (result === undefined || result === null) return undefined;
    const name = state(result);
    return name === null ? undefined : { result, state: name ?? '' };
  };
}
