import type { BlockSchema, BodySchema } from '../model.ts';

/** The items of a schema by name. */
export class SchemaIndex {
  static readonly #indices = new WeakMap<BodySchema, SchemaIndex>();

  /** The positions of the attributes in the schema. */
  readonly positions: ReadonlyMap<string, number>;
  readonly required: readonly string[];
  readonly #schema: BodySchema;
  #blocks: ReadonlyMap<string, BlockSchema> | undefined;

  private constructor(schema: BodySchema) {
    const positions = new Map<string, number>();
    const required: string[] = [];
    for (const attribute of schema.attributes) {
      if (!positions.has(attribute.name)) positions.set(attribute.name, positions.size);
      if (attribute.required === true) required.push(attribute.name);
    }
    this.positions = positions;
    this.required = required;
    this.#schema = schema;
  }

  /** Returns the index of a schema; the same object each time. */
  static of(schema: BodySchema): SchemaIndex {
    let index = SchemaIndex.#indices.get(schema);
    if (index === undefined) {
      index = new SchemaIndex(schema);
      SchemaIndex.#indices.set(schema, index);
    }
    return index;
  }

  get blocks(): ReadonlyMap<string, BlockSchema> {
    return (this.#blocks ??= new Map(this.#schema.blocks.map((block) => [block.type, block])));
  }
}
