import type { ToolOutcome } from './result.ts';

/** A JSON Schema of the arguments of a tool. */
export interface ArgumentSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** A tool of the server. Arguments were validated by the schema before it is called. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly schema: ArgumentSchema;
  /** false: the tool can change infrastructure */
  readonly isReadOnly: boolean;
  run(args: ToolArguments, signal: AbortSignal | undefined): Promise<ToolOutcome>;
}

/** The arguments of a call; the accessors return undefined for those that are absent. */
export class ToolArguments {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: unknown) {
    this.#values =
      typeof values === 'object' && values !== null ? (values as Record<string, unknown>) : {};
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  number(name: string): number | undefined {
    const value = this.#values[name];
    return typeof value === 'number' ? value : undefined;
  }

  texts(name: string): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  }

  /** The names of the arguments, without their values, which may be secrets. */
  get names(): readonly string[] {
    return Object.keys(this.#values).sort();
  }

  /** The arguments that select a page. */
  get page(): { readonly offset?: number; readonly limit?: number } {
    const [offset, limit] = [this.number('offset'), this.number('limit')];
    return {
      ...(offset === undefined ? {} : { offset }),
      ...(limit === undefined ? {} : { limit }),
    };
  }
}

/** A schema of arguments. */
export function argumentsOf(
  properties: ArgumentSchema['properties'] = {},
  required: readonly string[] = [],
): ArgumentSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A text argument of bounded length. */
export function textOf(description: string): object {
  return { type: 'string', description, maxLength: 10_000 };
}

/** Arguments that select a page of a list. */
export const PAGE: ArgumentSchema['properties'] = {
  offset: { type: 'integer', minimum: 0, description: 'index of the first item' },
  limit: { type: 'integer', minimum: 1, maximum: 200, description: 'number of items; default 20' },
};

/** Arguments of tools that create a plan. */
export const PLANNING: ArgumentSchema['properties'] = {
  mode: { enum: ['normal', 'destroy', 'refresh-only'], description: 'default: normal' },
  targets: {
    type: 'array',
    items: { type: 'string', maxLength: 1_000 },
    maxItems: 200,
    description: 'addresses of the only objects to plan, with their dependencies',
  },
  replace: {
    type: 'array',
    items: { type: 'string', maxLength: 1_000 },
    maxItems: 200,
    description: 'addresses of instances to replace',
  },
};
