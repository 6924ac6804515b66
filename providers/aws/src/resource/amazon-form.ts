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
 * Arguments in the form that Amazon's requests and answers have them in: `kms_key_id` is `KmsKeyId`, a block of which
 * there is at most one is an object, others are lists. What is called otherwise is told by `names`.
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
   * The arguments that an answer tells; what it leaves out is null. Capitals make no difference: `ARN` is `arn`.
   */
  read(answer: unknown): Fields {
    return this.#read(this.#schema, '', answer);
  }

  /**
   * The members of a request: of what is written, or of some arguments only. Nothing, unknown and empty texts are left
   * out, and empty lists where it is about all arguments.
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
 * A value of an answer as the state has it. A time is the text of it, to the second; some services tell numbers and
 * what is true by texts.
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
