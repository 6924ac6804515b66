// Validation of responses against the OpenAPI document of the HCP Terraform API.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { fields } from '../http/request.ts';
import { deviationOf } from './api-deviations.ts';

/** A response of the server. */
export interface ObservedResponse {
  readonly method: string;
  /** the path of the request, without its query */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}

type Json = Readonly<Record<string, unknown>>;

const PREFIX = '/api/v2';
const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);
const MOST_ERRORS = 5;
const ERROR = { pointer: '/components/schemas/errors', hasSchema: true };

/** An operation of the document. */
interface Operation {
  /** `GET /workspaces/{workspace_id}` */
  readonly name: string;
  readonly method: string;
  readonly pattern: RegExp;
  /** the number of parameters of the path: the operation with the fewest is the one meant */
  readonly parameters: number;
  /** pointers to the responses in the document, by status */
  readonly responses: ReadonlyMap<
    string,
    { readonly pointer: string; readonly hasSchema: boolean }
  >;
}

/** The OpenAPI document, prepared for the validation of responses. */
export class ApiDocument {
  readonly #ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  readonly #operations: readonly Operation[];
  readonly #validators = new Map<string, ValidateFunction>();
  /** operations with the number of responses that were validated, by name */
  readonly validated: Map<string, number> = new Map();

  constructor(document: Json) {
    this.#ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
    // Names of formats that say nothing about the text.
    for (const format of ['uri', 'email', 'binary', 'password', 'int32', 'int64', 'double', 'uuid'])
      this.#ajv.addFormat(format, true);
    const converted = fields(asJsonSchema(document));
    this.#ajv.addSchema({ ...converted, $id: 'api' });
    this.#operations = operationsOf(converted);
  }

  /** The number of operations in the document. */
  get size(): number {
    return this.#operations.length;
  }

  /** Returns the operation that a request is one of; undefined if the document has none. */
  operation(method: string, path: string): Operation | undefined {
    if (!path.startsWith(PREFIX)) return undefined;
    const rest = path.slice(PREFIX.length);
    return this.#operations
      .filter((each) => each.method === method.toLowerCase() && each.pattern.test(rest))
      .toSorted((one, other) => one.parameters - other.parameters)[0];
  }

  /** Returns how a response differs from the document; nothing for requests that the document does not describe. */
  problems({ method, path, status, contentType, body }: ObservedResponse): readonly string[] {
    const operation = this.operation(method, path);
    if (operation === undefined) return [];
    const { name, responses } = operation;
    // The document does not list each error of each operation; all of them have one form.
    const response =
      responses.get(String(status)) ??
      (status >= 400 ? (responses.get('default') ?? ERROR) : undefined);
    this.validated.set(name, (this.validated.get(name) ?? 0) + 1);
    const report = (problem: string): string[] =>
      deviationOf(`${name} ${status}: ${problem}`) === undefined
        ? [`${name} ${status}: ${problem}`]
        : [];
    if (response === undefined) {
      return report(`the status is not one of ${[...responses.keys()].join(', ')}`);
    }
    if (!response.hasSchema) return [];
    if (body.length === 0) return report('the body is empty');
    if (!contentType.includes('json')) return report(`the content type is ${contentType}`);
    const content: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const validate = this.#validator(response.pointer);
    if (validate(content)) return [];
    const texts = (validate.errors ?? []).map(
      ({ instancePath, message = '', params }) =>
        `${instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${message} ${JSON.stringify(params)}`,
    );
    return [...new Set(texts)].flatMap(report).slice(0, MOST_ERRORS);
  }

  #validator(pointer: string): ValidateFunction {
    const known = this.#validators.get(pointer);
    if (known !== undefined) return known;
    const compiled = this.#ajv.compile({ $ref: `api#${pointer}` });
    this.#validators.set(pointer, compiled);
    return compiled;
  }
}

/** Where `scripts/oracle/install-api-document.mjs` installs the document. */
const INSTALLED = join(
  process.env['TERRANE_ORACLE_CACHE'] ?? join(homedir(), '.cache', 'terrane-oracle'),
  'programs',
  'hcp-terraform-api-2.1.0',
  'spec.json',
);

let opened: ApiDocument | undefined;

/** Opens the installed document; undefined if there is none, which is an error in CI. */
export function openApiDocument(): ApiDocument | undefined {
  if (opened !== undefined) return opened;
  if (!existsSync(INSTALLED)) {
    if (process.env['CI'] !== 'true') return undefined;
    throw new Error(
      'The OpenAPI document is not installed: scripts/oracle/install-api-document.mjs',
    );
  }
  opened = new ApiDocument(fields(JSON.parse(readFileSync(INSTALLED, 'utf8'))));
  return opened;
}

function operationsOf(document: Json): readonly Operation[] {
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(fields(document['paths']))) {
    for (const [method, operation] of Object.entries(fields(item))) {
      if (!METHODS.has(method)) continue;
      const responses = new Map<string, { pointer: string; hasSchema: boolean }>();
      for (const [status, response] of Object.entries(fields(fields(operation)['responses']))) {
        const content = fields(fields(response)['content']);
        const type = Object.keys(content).find((each) => each.includes('json'));
        const segments = [
          'paths',
          path,
          method,
          'responses',
          status,
          'content',
          type ?? '',
          'schema',
        ];
        responses.set(status, {
          pointer: segments.map((each) => `/${escapedPointer(each)}`).join(''),
          hasSchema: type !== undefined && fields(content[type])['schema'] !== undefined,
        });
      }
      operations.push({
        name: `${method.toUpperCase()} ${path}`,
        method,
        pattern: new RegExp(
          `^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`,
        ),
        parameters: path.split('{').length - 1,
        responses,
      });
    }
  }
  return operations;
}

const escapedPointer = (segment: string): string =>
  encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Converts schemas of OpenAPI 3.0 to JSON Schema, for responses: `nullable`, and properties that are only written. */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, required, ...rest } = fields(value);
  // A few references of the document name the file that it was made of.
  const file = /^\.\/.*?([\w-]+)\.yml$/.exec(String(rest['$ref'] ?? ''))?.[1];
  if (file !== undefined) return { $ref: `#/components/schemas/${file}` };
  const schema: Record<string, unknown> = Object.fromEntries(
    // A property without a schema is null in the document.
    Object.entries(rest).map(([name, child]) => [name, child === null ? {} : asJsonSchema(child)]),
  );
  // `required` of a parameter is a boolean, and `nullable` may be the name of a property.
  if (Array.isArray(required)) {
    const properties = fields(rest['properties']);
    schema['required'] = required.filter(
      (name) => fields(properties[String(name)])['writeOnly'] !== true,
    );
  } else if (required !== undefined) schema['required'] = asJsonSchema(required);
  if (nullable !== true) {
    if (nullable !== undefined) schema['nullable'] = asJsonSchema(nullable);
    return schema;
  }
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}
