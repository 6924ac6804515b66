/** A page of a list in a response of IAM. */
interface Page {
  readonly IsTruncated?: boolean | undefined;
  readonly Marker?: string | undefined;
}

/** Returns all elements of a list: `markedPages((from) => aws.iam.listRoles({ ...from }), (page) => page.Roles)`. */
export async function markedPages<P extends Page, T>(
  ask: (from: { readonly Marker?: string }) => Promise<P>,
  items: (page: P) => readonly T[] | undefined,
): Promise<readonly T[]> {
  const all: T[] = [];
  let marker: string | undefined;
  do {
    const page = await ask(marker === undefined ? {} : { Marker: marker });
    all.push(...(items(page) ?? []));
    marker = page.IsTruncated === true ? page.Marker : undefined;
  } while (marker !== undefined);
  return all;
}
