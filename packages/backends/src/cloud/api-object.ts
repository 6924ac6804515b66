/** Fields of a JSON object; missing fields are `undefined`. */
export type Fields = Readonly<Record<string, unknown>>;

/** A resource of a JSON:API. */
export interface ApiObject {
  readonly type: string;
  readonly id: string;
  readonly attributes: Fields;
  /** to-one relationships by name */
  readonly relations: ReadonlyMap<string, ApiReference>;
  /** to-many relationships by name */
  readonly lists: ReadonlyMap<string, readonly ApiReference[]>;
}

/** A reference to a resource by type and ID. */
export interface ApiReference {
  readonly type: string;
  readonly id: string;
}

/** The content of a response: resources, included resources, and pagination. */
export interface ApiDocument {
  readonly data: readonly ApiObject[];
  readonly included: readonly ApiObject[];
  readonly page: number;
  readonly pages: number;
}

/** Decodes a JSON:API response; missing members and members of other types become empty. */
export function readApiDocument(json: unknown): ApiDocument {
  const fields = fieldsOf(json);
  const data = fields['data'];
  const pagination = fieldsOf(fieldsOf(fields['meta'])['pagination']);
  return {
    data: (Array.isArray(data) ? data : data === undefined || data === null ? [] : [data]).map(
      apiObject,
    ),
    included: listOf(fields['included']).map(apiObject),
    page: numberOf(pagination['current-page']) ?? 1,
    pages: numberOf(pagination['total-pages']) ?? 1,
  };
}

function apiObject(json: unknown): ApiObject {
  const { type, id, attributes, relationships } = fieldsOf(json);
  const relations = new Map<string, ApiReference>();
  const lists = new Map<string, readonly ApiReference[]>();
  for (const [name, value] of Object.entries(fieldsOf(relationships))) {
    const { data } = fieldsOf(value);
    if (Array.isArray(data))
      lists.set(
        name,
        data.flatMap((each) => referenceOf(each) ?? []),
      );
    const reference = referenceOf(data);
    if (reference !== undefined) relations.set(name, reference);
  }
  return {
    type: textOf(type) ?? '',
    id: textOf(id) ?? '',
    attributes: fieldsOf(attributes),
    relations,
    lists,
  };
}

function referenceOf(json: unknown): ApiReference | undefined {
  const related = fieldsOf(json);
  const id = textOf(related['id']);
  return id === undefined ? undefined : { type: textOf(related['type']) ?? '', id };
}

/** Returns the fields of a JSON object; empty for other values. */
export function fieldsOf(json: unknown): Fields {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : {};
}

/** Returns the elements of a JSON array; empty for other values. */
export function listOf(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [];
}

/** Returns the value if it is a string. */
export function textOf(json: unknown): string | undefined {
  return typeof json === 'string' ? json : undefined;
}

/** Returns the value if it is a number. */
export function numberOf(json: unknown): number | undefined {
  return typeof json === 'number' ? json : undefined;
}
