import type { Message, MetaModel, Property, Type } from './meta-model.ts';

/** A message of JSON-RPC. */
export interface JsonRpcMessage {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

/** Methods of JSON-RPC itself and of extensions that are no part of the protocol. */
const OTHER = /^\$\/(?:cancelRequest|progress|logTrace|setTrace)$/;

/**
 * Checks the messages of one connection against the meta model: direction, parameters, results, and that no structure
 * has properties that the protocol does not know.
 */
export class MessageChecker {
  readonly #model: MetaModel;
  readonly #types: ReadonlyMap<string, Type>;
  readonly #structures: ReadonlyMap<string, MetaModel['structures'][number]>;
  readonly #pending = new Map<string, MetaModel['requests'][number]>();
  readonly #problems: string[] = [];
  #checked = 0;

  constructor(model: MetaModel) {
    this.#model = model;
    this.#types = new Map(model.typeAliases.map(({ name, type }) => [name, type]));
    this.#structures = new Map(model.structures.map((structure) => [structure.name, structure]));
  }

  /** the problems so far, each with the method and the path of the value */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** the number of messages that were checked */
  get checked(): number {
    return this.#checked;
  }

  /** Checks a message that one side has sent. */
  check(sender: 'client' | 'server', message: JsonRpcMessage): void {
    this.#checked++;
    const { id, method, params, result, error } = message;
    if (method === undefined) {
      // A response: its request came from the other side.
      const key = `${sender === 'client' ? 'server' : 'client'} ${id}`;
      const request = this.#pending.get(key);
      this.#pending.delete(key);
      if (request === undefined) this.#report(`response to unknown request ${id}`);
      else if (error !== undefined) this.#checkError(request.method, error);
      else this.#value(request.result, result, `${request.method} result`);
      return;
    }
    if (OTHER.test(method)) return;
    const known: readonly Message[] =
      id === undefined ? this.#model.notifications : this.#model.requests;
    const definition = known.find((each) => each.method === method);
    if (definition === undefined) {
      this.#report(
        `${method} is no ${id === undefined ? 'notification' : 'request'} of the protocol`,
      );
      return;
    }
    const wrong = sender === 'client' ? 'serverToClient' : 'clientToServer';
    if (definition.messageDirection === wrong) this.#report(`${method} was sent by the ${sender}`);
    if (definition.params !== undefined) this.#value(definition.params, params, `${method} params`);
    const request = this.#model.requests.find((each) => each === definition);
    if (request !== undefined) this.#pending.set(`${sender} ${id}`, request);
  }

  #report(problem: string): void {
    this.#problems.push(problem);
  }

  #checkError(method: string, { code, message }: NonNullable<JsonRpcMessage['error']>): void {
    if (!Number.isInteger(code)) this.#report(`${method} error.code: no integer`);
    if (typeof message !== 'string') this.#report(`${method} error.message: no string`);
  }

  #value(type: Type, value: unknown, path: string): void {
    const [problem] = this.#errors(type, value, path);
    if (problem !== undefined) this.#report(problem);
  }

  /** Returns the problems of a value; those of the alternative that fits best for a union. */
  #errors(type: Type, value: unknown, path: string): readonly string[] {
    switch (type.kind) {
      case 'base':
        return isBase(type.name, value) ? [] : [`${path}: ${shown(value)} is no ${type.name}`];
      case 'stringLiteral':
      case 'integerLiteral':
      case 'booleanLiteral':
        return value === type.value ? [] : [`${path}: ${shown(value)} is not ${shown(type.value)}`];
      case 'array':
        if (!Array.isArray(value)) return [`${path}: ${shown(value)} is no array`];
        return value.flatMap((item, index) =>
          this.#errors(type.element, item, `${path}[${index}]`),
        );
      case 'tuple':
        if (!Array.isArray(value) || value.length !== type.items.length) {
          return [`${path}: ${shown(value)} has not ${type.items.length} elements`];
        }
        return type.items.flatMap((item, index) =>
          this.#errors(item, value[index], `${path}[${index}]`),
        );
      case 'map':
        if (!isObject(value)) return [`${path}: ${shown(value)} is no object`];
        return Object.entries(value).flatMap(([key, item]) =>
          this.#errors(type.value, item, `${path}.${key}`),
        );
      case 'or': {
        const results = type.items.map((item) => this.#errors(item, value, path));
        return results.reduce((best, each) => (each.length < best.length ? each : best));
      }
      case 'and':
      case 'literal':
        return this.#objectErrors(type, value, path);
      case 'reference':
        if (type.name === 'LSPAny') return value === undefined ? [`${path}: missing`] : [];
        if (this.#structures.has(type.name)) return this.#objectErrors(type, value, path);
        return this.#errors(this.#alias(type.name), value, path);
    }
  }

  #alias(name: string): Type {
    const type = this.#types.get(name);
    if (type === undefined) throw new Error(`the meta model lacks ${name}`);
    return type;
  }

  #objectErrors(type: Type, value: unknown, path: string): readonly string[] {
    const variants = this.#variants(type);
    if (!isObject(value)) return [`${path}: ${shown(value)} is no object`];
    const results = variants.map((properties) => this.#propertyErrors(properties, value, path));
    return results.reduce((best, each) => (each.length < best.length ? each : best));
  }

  #propertyErrors(
    properties: ReadonlyMap<string, Property>,
    value: Readonly<Record<string, unknown>>,
    path: string,
  ): readonly string[] {
    const missing = [...properties.values()]
      .filter(({ name, optional }) => optional !== true && value[name] === undefined)
      .map(({ name }) => `${path}.${name}: missing`);
    const wrong = Object.entries(value).flatMap(([name, item]) => {
      const property = properties.get(name);
      if (property === undefined) return [`${path}.${name}: not in the protocol`];
      return item === undefined ? [] : this.#errors(property.type, item, `${path}.${name}`);
    });
    return [...missing, ...wrong];
  }

  /** Returns the sets of properties that an object of a type may have; several if a part is a union. */
  #variants(type: Type): readonly ReadonlyMap<string, Property>[] {
    switch (type.kind) {
      case 'literal':
        return [byName(type.value.properties)];
      case 'and':
        return type.items
          .map((item) => this.#variants(item))
          .reduce((left, right) =>
            left.flatMap((first) => right.map((second) => new Map([...first, ...second]))),
          );
      case 'or':
        return type.items.flatMap((item) => this.#variants(item));
      case 'reference': {
        const structure = this.#structures.get(type.name);
        if (structure === undefined) return this.#variants(this.#alias(type.name));
        const own = byName(structure.properties);
        const inherited = (structure.extends ?? []).map((each) => this.#variants(each));
        return inherited
          .reduce(
            (left, right) =>
              left.flatMap((first) => right.map((second) => new Map([...first, ...second]))),
            [new Map<string, Property>()] as readonly ReadonlyMap<string, Property>[],
          )
          .map((properties) => new Map([...properties, ...own]));
      }
      default:
        return [];
    }
  }
}

function byName(properties: readonly Property[]): ReadonlyMap<string, Property> {
  return new Map(properties.map((property) => [property.name, property]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBase(name: string, value: unknown): boolean {
  switch (name) {
    case 'integer':
      return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
    case 'uinteger':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;
    case 'decimal':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null || value === undefined;
    case 'DocumentUri':
    case 'URI':
      return typeof value === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(value);
    default:
      return typeof value === 'string';
  }
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 80);
}
