import { isUnknown } from '@terrane/provider/sdk';
import type { Fields } from './fields.ts';
import { type AttributeDefinition, schemaIn, type SchemaParts } from './schema-of.ts';

/** The case of the members of requests: `QueueName` or `queueName`. */
export type Casing = 'PascalCase' | 'camelCase';

/**
 * The names of members that differ from their argument's, by argument, in blocks by `block.argument`; null: the
 * argument is not sent.
 */
export type AmazonNames = Readonly<Record<string, string | null>>;

/** Marks arguments that are not sent to AWS: `amazon: { ...notSent('force_destroy'), name: 'UserName' }`. */
export function notSent(...names: readonly string[]): AmazonNames {
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** Arguments of every resource type that are not sent as members. */
const OWN: ReadonlySet<string> = new Set([
  ...['id', 'region', 'tags', 'tags_all', 'timeouts', 'name_prefix'],
]);

/**
 * Converts between arguments and the members of requests and responses: `kms_key_id` is `KmsKeyId`, a block with at
 * most one element is an object, others are lists. `names` lists the exceptions.
 */
export class AmazonForm {
  readonly #schema: SchemaParts;
  readonly #names: AmazonNames;
  readonly #casing: Casing;

  constructor(schema: SchemaParts, names: AmazonNames, casing: Casing = 'PascalCase') {
    this.#schema = schema;
    this.#names = names;
    this.#casing = casing;
  }

  /**
   * Returns the arguments in a response, whose members are matched case-insensitively (`ARN` is `arn`); absent ones are
   * null.
   */
  read(answer: unknown): Fields {
    return this.#read(this.#schema, '', answer);
  }

  /**
   * Returns the members of a request for all arguments, or for a selection. Null, unknown and empty texts are omitted,
   * and empty lists in requests for all arguments.
   */
  request(plan: Fields, only?: (name: string) => boolean): Fields {
    return this.#request(this.#schema, '', plan, only);
  }

  #read(schema: SchemaParts, at: string, answer: unknown): Fields {
    const members = new Map(
      Object.entries(fieldsIn(answer)).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const out: Record<string, unknown> = {};
    const memberOf = (name: string): unknown => {
      const member = this.#names[at + name] ?? name.replaceAll('_', '');
      return members.get(member.toLowerCase());
    };
    for (const [name, definition] of Object.entries(schema.attributes)) {
      if (this.#isAmazons(at, name) && definition.writeOnly !== true) {
        out[name] = plain(definition, memberOf(name)) ?? null;
      }
    }
    for (const [name, block] of Object.entries(schema.blocks)) {
      if (!this.#isAmazons(at, name)) continue;
      const content = memberOf(name);
      const elements = Array.isArray(content) ? content : content === undefined ? [] : [content];
      const inner = schemaIn(block);
      out[name] = elements.map((each) => this.#read(inner, `${at}${name}.`, each));
    }
    return out;
  }

  #request(
    schema: SchemaParts,
    at: string,
    written: Fields,
    only?: (name: string) => boolean,
  ): Fields {
    const out: Record<string, unknown> = {};
    for (const [name, definition] of Object.entries(schema.attributes)) {
      const settable = definition.optional === true || definition.required === true;
      const set = settable || definition.default !== undefined;
      if (!set || definition.writeOnly === true || !this.#isAmazons(at, name)) continue;
      const value = written[name];
      if (only?.(name) === false || !isGiven(value)) continue;
      if (only === undefined && Array.isArray(value) && value.length === 0) continue;
      out[this.#memberOf(at, name)] = value;
    }
    for (const [name, block] of Object.entries(schema.blocks)) {
      const value = written[name];
      if (!this.#isAmazons(at, name) || only?.(name) === false || !Array.isArray(value)) continue;
      const inner = schemaIn(block);
      const elements = value.map((each) => this.#request(inner, `${at}${name}.`, fieldsIn(each)));
      if (elements.length === 0) continue;
      out[this.#memberOf(at, name)] = block.maxItems === 1 ? elements[0] : elements;
    }
    return out;
  }

  #isAmazons(at: string, name: string): boolean {
    const named = this.#names[at + name];
    return named === undefined ? at !== '' || !OWN.has(name) : named !== null;
  }

  #memberOf(at: string, name: string): string {
    const named = this.#names[at + name];
    if (named !== undefined && named !== null) return named;
    const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    const member = words.join('');
    return this.#casing === 'PascalCase'
      ? member
      : member.charAt(0).toLowerCase() + member.slice(1);
  }
}

/**
 * Converts a value of a response to a value of the state. Times are texts with seconds; some services return numbers
 * and booleans as texts.
 */
function plain({ type }: AttributeDefinition, value: unknown): unknown {
  if (typeof value === 'string' && type?.kind === 'bool') return value === 'true';
  if (typeof value === 'string' && type?.kind === 'number')
    return value === '' ? null : Number(value);
  return value instanceof Date ? value.toISOString().replace(/\.\d+Z$/, 'Z') : value;
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && !isUnknown(value);
}

function fieldsIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !isUnknown(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
