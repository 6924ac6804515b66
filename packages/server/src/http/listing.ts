import type { SelectQueryBuilder } from 'kysely';
import { collection, pageOf, type Resource } from './json-api.ts';
import { type Answer, type ApiRequest, fields, ok } from './request.ts';

type Listing = Pick<ApiRequest, 'query' | 'url'>;

/** Answers with the page of a query that a request asks for. The query has its order. */
export async function listOf<Db, Tables extends keyof Db, Row>(
  { query, url }: Listing,
  select: SelectQueryBuilder<Db, Tables, Row>,
  present: (row: Row) => Resource | Promise<Resource>,
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
  const data = await Promise.all(rows.map(async (row) => await present(row)));
  return ok(collection(data, page, Number(fields(counted)['total']), url));
}

/** Answers with the page of rows that a request asks for, where all of them are known. */
export async function listOfRows<Row>(
  { query, url }: Listing,
  rows: readonly Row[],
  present: (row: Row) => Resource | Promise<Resource>,
): Promise<Answer> {
  const page = pageOf(query);
  const shown = rows.slice((page.number - 1) * page.size, page.number * page.size);
  return ok(
    collection(
      await Promise.all(shown.map(async (row) => await present(row))),
      page,
      rows.length,
      url,
    ),
  );
}

/** Adds the resources that a request includes to an answer. */
export function withIncluded(answer: Answer, included: readonly Resource[]): Answer {
  return { ...answer, document: { ...answer.document, included } };
}

/** Returns the pattern of LIKE that finds a text anywhere. */
export const containing = (text: string): string => `%${escapedLike(text)}%`;

/** Returns a text in which characters with a meaning in LIKE stand for themselves. */
export const escapedLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
