import type { SelectQueryBuilder } from 'kysely';
import { ApiError, collection, pageOf, type Resource } from './json-api.ts';
import { type Answer, type ApiRequest, fields, ok } from './request.ts';

type PageRequest = Pick<ApiRequest, 'query' | 'url'>;

/** Responds with the requested page of a query, which must be ordered. */
export async function listOf<Db, Tables extends keyof Db, Row>(
  request: PageRequest,
  select: SelectQueryBuilder<Db, Tables, Row>,
  present: (row: Row) => Resource | Promise<Resource>,
): Promise<Answer> {
  return await listOfPage(request, select, (rows) =>
    Promise.all(rows.map(async (row) => await present(row))),
  );
}

/** Responds with the requested page of a query, which must be ordered. The rows of the page are presented at once. */
export async function listOfPage<Db, Tables extends keyof Db, Row>(
  { query, url }: PageRequest,
  select: SelectQueryBuilder<Db, Tables, Row>,
  presentAll: (rows: readonly Row[]) => Promise<readonly Resource[]>,
): Promise<Answer> {
  const page = pageOf(query);
  const counted = await select
    .clearSelect()
    .clearOrderBy()
    .select((count) => count.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await select
    .limit(page.size)
    .offset((page.number - 1) * page.size)
    .execute();
  return ok(collection(await presentAll(rows), page, Number(fields(counted)['total']), url));
}

/** Responds with the requested page of rows that are in memory. */
export async function listOfRows<Row>(
  { query, url }: PageRequest,
  rows: readonly Row[],
  present: (row: Row) => Resource | Promise<Resource>,
): Promise<Answer> {
  const page = pageOf(query);
  const pageRows = rows.slice((page.number - 1) * page.size, page.number * page.size);
  return ok(
    collection(
      await Promise.all(pageRows.map(async (row) => await present(row))),
      page,
      rows.length,
      url,
    ),
  );
}

/** Throws an ApiError if a request includes resources that an endpoint does not have. */
export function requireIncluded(
  { query }: Pick<ApiRequest, 'query'>,
  known: readonly string[],
): void {
  const wanted = (query.get('include') ?? '').split(',').filter((name) => name !== '');
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ApiError(
    400,
    'invalid include parameter',
    `The include parameter has ${JSON.stringify(unknown)}. It has to be some of: ${known.join(', ')}.`,
  );
}

/** Adds the resources that a request includes to an answer. */
export function withIncluded(answer: Answer, included: readonly Resource[]): Answer {
  return { ...answer, document: { ...answer.document, included } };
}

/** Returns the LIKE pattern of texts that contain a text. */
export const containing = (text: string): string => `%${escapedLike(text)}%`;

/** Escapes the wildcards of LIKE. */
export const escapedLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
