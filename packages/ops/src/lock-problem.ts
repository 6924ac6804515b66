import { parseVersionConstraint, type ProviderSource } from '@terrane/addresses';

/** Returns the error for a provider that the lock file does not contain. */
export function noSelection({ text }: ProviderSource): string {
  return `provider ${text}: required by this configuration but no version is selected`;
}

/** Returns the error for a locked version that no longer satisfies the constraints; undefined if it does. */
export async function refusedSelection(
  source: ProviderSource,
  constraints: readonly string[],
  version: string,
): Promise<string | undefined> {
  const isRejected = constraints.some(
    (text) => parseVersionConstraint(text).allows?.(version) === false,
  );
  if (!isRejected) return undefined;
  const { constraintsText, joinConstraints, parseProviderConstraints } =
    await import('@terrane/registry');
  const parsed = constraints.flatMap((each) => {
    const read = parseProviderConstraints(each);
    return 'error' in read ? [] : [read];
  });
  const text = constraintsText(joinConstraints(parsed));
  return `provider ${source.text}: locked version selection ${version} doesn't match the updated version constraints ${JSON.stringify(text)}`;
}
