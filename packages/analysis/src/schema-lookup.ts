import { ProviderSource } from '@terrane/addresses';
import { DYNAMIC, type Type } from '@terrane/cty';
import {
  asMap,
  asTraversal,
  type Expression,
  type NativeBlock,
  parseTypeExpression,
} from '@terrane/hcl';
import type { AttributeSchema, BlockSchema, ProviderSchema, Schema } from '@terrane/provider';
import { literalText } from './symbol-syntax.ts';
import type { EnclosingBlock } from './cursor-context.ts';
import type { FileRole } from './file-kind.ts';
import {
  dynamicSchema,
  type LanguageBlock,
  languageBlocks,
  META,
  PROVISIONERS,
} from './language-schema.ts';
import type { ModuleIndex } from './module-index.ts';
import type { ProjectModel } from './project-model.ts';

/** The provider schemas of one module, as far as they are loaded. */
export interface ModuleSchemas {
  /** by full source address */
  provider(source: ProviderSource): ProviderSchema | undefined;
}

/** No provider schemas. */
export const NO_SCHEMAS: ModuleSchemas = { provider: () => undefined };

const EMPTY: BlockSchema = { attributes: {}, blocks: {} };

/** Answers questions about the schema of blocks in one module. */
export class SchemaLookup {
  readonly #project: ProjectModel;
  readonly #directory: string;
  readonly #schemas: ModuleSchemas;

  constructor(project: ProjectModel, directory: string, schemas: ModuleSchemas) {
    this.#project = project;
    this.#directory = directory;
    this.#schemas = schemas;
  }

  /** Returns the source of a local provider name. */
  sourceOf(localName: string): ProviderSource {
    return this.#required().get(localName) ?? ProviderSource.implied(localName);
  }

  /** Local names of all providers of the module: required ones, and those that its blocks imply. */
  localNames(): readonly string[] {
    return this.#project.module(this.#directory).derived(localNamesOf);
  }

  /** Returns the schema of a provider by its local name. */
  provider(localName: string): ProviderSchema | undefined {
    return this.#schemas.provider(this.sourceOf(localName));
  }

  /** Returns the schema of a resource-like block by its type, from any provider of the module. */
  resource(kind: string, type: string): Schema | undefined {
    const implied = impliedProvider(type);
    const impliedTypes = typesOf(this.provider(implied), kind);
    if (Object.hasOwn(impliedTypes, type)) return impliedTypes[type];
    for (const name of this.localNames()) {
      if (name === implied) continue;
      const other = typesOf(this.provider(name), kind);
      if (Object.hasOwn(other, type)) return other[type];
    }
    return undefined;
  }

  /**
   * Types of resource-like blocks that the providers of the module have, with the provider's local name. Schemas are
   * decoded when they are asked for.
   */
  types(
    kind: string,
  ): readonly { readonly type: string; readonly provider: string; schema(): Schema | undefined }[] {
    return this.localNames().flatMap((provider) => {
      const types = typesOf(this.provider(provider), kind);
      return Object.keys(types).map((type) => ({ type, provider, schema: () => types[type] }));
    });
  }

  /** Returns the schema of the innermost of nested blocks; undefined if it is unknown. */
  blockSchema(role: FileRole, blocks: readonly EnclosingBlock[]): BlockSchema | undefined {
    const [first, ...rest] = blocks;
    if (first === undefined) return undefined;
    let schema = this.#topSchema(role, first);
    let outer = first;
    for (const block of rest) {
      if (schema === undefined) return undefined;
      if (block.type === 'dynamic') {
        const generated = ownProperty(schema.blocks, block.labels[0] ?? '')?.block;
        schema = dynamicSchema(generated ?? EMPTY);
      } else schema = this.#nestedSchema(outer, schema, block);
      outer = block;
    }
    return schema;
  }

  /** The description and labels of a top-level block. */
  languageBlock(role: FileRole, type: string): LanguageBlock | undefined {
    return ownProperty(languageBlocks(role), type);
  }

  #topSchema(role: FileRole, { type, labels }: EnclosingBlock): BlockSchema | undefined {
    const language = this.languageBlock(role, type)?.block;
    if (language === undefined) return undefined;
    const [label = ''] = labels;
    switch (type) {
      case 'resource':
      case 'data':
      case 'ephemeral':
        return merged(language, this.resource(type, label)?.block);
      case 'action':
      case 'list': {
        const config = this.resource(type, label)?.block;
        if (config === undefined) return language;
        return {
          ...language,
          blocks: { ...language.blocks, config: { nesting: 'single', block: config } },
        };
      }
      case 'provider':
        return merged(language, this.provider(label)?.provider.block);
      case 'module':
        return merged(language, this.#inputs(label));
      case 'variables':
        return this.#variables(this.#directory);
      default:
        return language;
    }
  }

  #nestedSchema(
    outer: EnclosingBlock,
    schema: BlockSchema,
    block: EnclosingBlock,
  ): BlockSchema | undefined {
    if (block.type === 'provisioner') {
      const existing = ownProperty(schema.blocks, 'provisioner')?.block;
      return merged(existing ?? EMPTY, ownProperty(PROVISIONERS, block.labels[0] ?? ''));
    }
    if (outer.type === 'check' && block.type === 'data')
      return merged(META['data'] ?? EMPTY, this.resource('data', block.labels[0] ?? '')?.block);
    if (outer.type === 'run' && block.type === 'variables') return this.#variables(this.#directory);
    return ownProperty(schema.blocks, block.type)?.block;
  }

  /** The input variables of the module that a call leads to, as arguments. */
  #inputs(call: string): BlockSchema | undefined {
    const module = this.#project.module(this.#directory);
    const link = module.links.get(call);
    const target =
      link === undefined ? undefined : this.#project.linkedDirectory(this.#directory, link);
    return target === undefined ? undefined : this.#variables(target);
  }

  #variables(directory: string): BlockSchema {
    return variablesSchema(this.#project, directory);
  }

  #required(): ReadonlyMap<string, ProviderSource> {
    return this.#project.module(this.#directory).derived(requiredProviders);
  }
}

/** The input variables of a module as arguments of a block. */
export function variablesSchema(project: ProjectModel, directory: string): BlockSchema {
  const attributes: Record<string, AttributeSchema> = {};
  for (const { declaration } of project.module(directory).ofKind('variable')) {
    const description = declaration.arguments.get('description');
    const isRequired = !declaration.arguments.has('default');
    attributes[declaration.name] = {
      type: variableType(declaration.arguments.get('type')),
      ...(isRequired ? { required: true } : { optional: true }),
      ...(description === undefined ? {} : { description: literalText(description) ?? '' }),
      ...(isTrue(declaration.arguments.get('sensitive')) ? { sensitive: true } : {}),
      ...(declaration.arguments.has('deprecated') ? { deprecated: true } : {}),
    };
  }
  return { attributes, blocks: {} };
}

/** Returns the type of a `type` argument; dynamic without one, and after errors. */
export function variableType(expression: Expression | undefined): Type {
  return expression === undefined
    ? DYNAMIC
    : parseTypeExpression(expression, { allowDefaults: true }).type;
}

/** Returns true for the literal `true`. */
export function isTrue(expression: Expression | undefined): boolean {
  return (
    expression?.kind === 'literal' &&
    expression.value.type.kind === 'bool' &&
    !expression.value.isNull &&
    expression.value.asBool()
  );
}

/** Local names of the providers that a module requires or implies. */
function localNamesOf(module: ModuleIndex): readonly string[] {
  const names = new Set(module.derived(requiredProviders).keys());
  for (const declarations of module.declarations.values()) {
    for (const { declaration } of declarations) {
      const { kind, type } = declaration;
      if (type === undefined) continue;
      if (kind === 'provider') names.add(type);
      else if (kind !== 'module') names.add(impliedProvider(type));
    }
  }
  return [...names].sort();
}

/** Sources of `required_providers` by local name. */
function requiredProviders({ documents }: ModuleIndex): ReadonlyMap<string, ProviderSource> {
  const sources = new Map<string, ProviderSource>();
  for (const { native } of documents) {
    for (const block of native?.blocks ?? []) {
      if (block.type !== 'terraform') continue;
      for (const inner of block.body.blocks) {
        if (inner.type !== 'required_providers') continue;
        for (const [name, source] of sourcesIn(inner)) sources.set(name, source);
      }
    }
  }
  return sources;
}

function sourcesIn(block: NativeBlock): readonly (readonly [string, ProviderSource])[] {
  return [...block.body.attributes.values()].flatMap(({ name, expression }) => {
    for (const { key, value } of asMap(expression) ?? []) {
      const text = asTraversal(key)?.steps[0];
      const keyName = text?.kind === 'root' ? text.name : literalText(key);
      if (keyName !== 'source') continue;
      const parsed = ProviderSource.parse(literalText(value) ?? '');
      if (!('error' in parsed)) return [[name, parsed] as const];
    }
    return [];
  });
}

/** The local name of the provider that a type belongs to, unless the block says otherwise. */
export function impliedProvider(type: string): string {
  const underscore = type.indexOf('_');
  return underscore < 0 ? type : type.slice(0, underscore);
}

const NO_TYPES: Readonly<Record<string, Schema>> = {};

function typesOf(
  schema: ProviderSchema | undefined,
  kind: string,
): Readonly<Record<string, Schema>> {
  switch (kind) {
    case 'resource':
      return schema?.resources ?? NO_TYPES;
    case 'data':
      return schema?.dataSources ?? NO_TYPES;
    case 'ephemeral':
      return schema?.ephemeralResources ?? NO_TYPES;
    case 'action':
      return schema?.actions ?? NO_TYPES;
    case 'list':
      return schema?.listResources ?? NO_TYPES;
    default:
      return NO_TYPES;
  }
}

function merged(language: BlockSchema, provider: BlockSchema | undefined): BlockSchema {
  if (provider === undefined) return language;
  return {
    ...provider,
    attributes: { ...provider.attributes, ...language.attributes },
    blocks: { ...provider.blocks, ...language.blocks },
  };
}

/** Returns a member by a name that may come from a file, and so could be that of a prototype's property. */
export function ownProperty<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
