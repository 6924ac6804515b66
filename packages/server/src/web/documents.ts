import type { Resource } from '../http/json-api.ts';
import { type Answer, fields } from '../http/request.ts';

/** The resources of a list of the API, which pages display. */
export interface Listed {
  readonly resources: readonly Resource[];
  readonly links: Readonly<Record<string, string | null>>;
}

/** Reads the response of a handler of the API. */
export function readList({ document = {} }: Answer): Listed {
  const { data, links } = fields(document);
  const list: readonly unknown[] = Array.isArray(data) ? data : [];
  return {
    resources: list.flatMap((each) => (isResource(each) ? [each] : [])),
    links: Object.fromEntries(
      Object.entries(fields(links)).map(([name, link]) => [
        name,
        typeof link === 'string' ? link : null,
      ]),
    ),
  };
}

function isResource(value: unknown): value is Resource {
  const { id, type } = fields(value);
  return typeof id === 'string' && typeof type === 'string';
}

export function attribute({ attributes = {} }: Resource, name: string): unknown {
  return attributes[name];
}

/** Returns an attribute as text; an empty text for null and other types. */
export function textOf(resource: Resource, name: string): string {
  const value = attribute(resource, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Returns the ID of a related resource. */
export function relatedId({ relationships = {} }: Resource, name: string): string | undefined {
  const { id } = fields(relationships[name]?.data);
  return typeof id === 'string' ? id : undefined;
}
