/**
 * A look at an object for waits, with the state that it is in: `refresh: seen(() => volumeById(aws, id), ({ State }) => State)`.
 * Without `state`, that it exists; where that gives null, it counts as gone.
 */
export function seen<T>(
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
