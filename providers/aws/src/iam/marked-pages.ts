/** An answer of IAM with a part of a list. */
interface Page {
  readonly IsTruncated?: boolean | undefined;
  readonly Marker?: string | undefined;
}

/** All elements of a list: `markedPages((from) => aws.iam.listRoles({ ...from }), (page) => page.Roles)`. */
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
