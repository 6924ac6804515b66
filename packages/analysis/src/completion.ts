import { friendlyNameForConstraint, type Type } from '@terrane/cty';
import type { FunctionSignature } from '@terrane/functions';
import { isValidIdentifier, type NativeBlock } from '@terrane/hcl';
import type { AttributeSchema, BlockSchema } from '@terrane/provider';
import { impliedType } from '@terrane/provider';
import { type AnalysisContext, partType } from './analysis-context.ts';
import { literalText } from './collect-symbols.ts';
import {
  type CursorContext,
  cursorContext,
  type EnclosingBlock,
  referenceBefore,
} from './cursor-context.ts';
import {
  languageBlocks,
  NESTED_LABELS,
  PROVISIONERS,
  REQUIRED_PROVIDER,
} from './language-schema.ts';
import { own, SchemaLookup, variablesSchema, variableType } from './schema-lookup.ts';
import type { SourceDocument } from './source-document.ts';
import type { Declaration, Span } from './symbol.ts';

/** The kind of a completion item, for icons. */
export type CompletionKind =
  | 'block'
  | 'argument'
  | 'type'
  | 'variable'
  | 'constant'
  | 'function'
  | 'property'
  | 'module'
  | 'keyword'
  | 'file';

/** A completion proposal. `insert` replaces `span`; in snippets, `$1` and `${1:text}` are tab stops. */
export interface CompletionItem {
  readonly label: string;
  readonly kind: CompletionKind;
  readonly detail?: string;
  readonly documentation?: string;
  readonly insert: string;
  readonly isSnippet?: true;
  readonly span: Span;
  readonly deprecated?: boolean;
  /** lower ranks come first */
  readonly rank: number;
}

/** Completion proposals; incomplete if there are more than are listed. */
export interface Completions {
  readonly items: readonly CompletionItem[];
  readonly isIncomplete: boolean;
}

/** The maximum number of items of one answer. */
const MAX_ITEMS = 1000;

/** Returns what may be written at an offset of a document. */
export function completionsAt(
  context: AnalysisContext,
  document: SourceDocument,
  offset: number,
): Completions {
  if (document.kind.syntax !== 'native') return { items: [], isIncomplete: false };
  const items = new Completer(context, document, offset).items();
  const typed = document.text.slice(0, offset);
  const matching = items.filter(({ label, span }) =>
    isMatch(label, typed.slice(span.start, offset).replace(/^"/, '')),
  );
  return { items: matching.slice(0, MAX_ITEMS), isIncomplete: matching.length > MAX_ITEMS };
}

/** The typed characters occur in the label in this order, as editors match them. */
function isMatch(label: string, typed: string): boolean {
  const lower = label.toLowerCase();
  let at = 0;
  for (const character of typed.toLowerCase()) {
    at = lower.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

class Completer {
  readonly #context: AnalysisContext;
  readonly #document: SourceDocument;
  readonly #offset: number;
  readonly #cursor: CursorContext;
  readonly #directory: string;
  readonly #lookup: SchemaLookup;

  constructor(context: AnalysisContext, document: SourceDocument, offset: number) {
    this.#context = context;
    this.#document = document;
    this.#offset = offset;
    this.#cursor = cursorContext(document.tokens, offset);
    this.#directory = context.project.moduleDirectoryOf(document);
    this.#lookup = new SchemaLookup(
      context.project,
      this.#directory,
      context.schemas(this.#directory),
    );
  }

  items(): readonly CompletionItem[] {
    const { position } = this.#cursor;
    switch (position.kind) {
      case 'comment':
        return [];
      case 'text':
        return this.#textItems();
      case 'item':
        return this.#itemItems();
      case 'label':
        return this.#labelItems(position);
      case 'key':
        return this.#keyItems();
      case 'value':
        return this.#valueItems();
    }
  }

  // ---------- arguments and blocks

  #itemItems(): readonly CompletionItem[] {
    const { blocks, typed } = this.#cursor;
    const { role } = this.#document.kind;
    if (blocks.length === 0) {
      if (role === 'variables') {
        const schema = variablesSchema(this.#context.project, this.#directory);
        return this.#argumentItems(schema, new Set(this.#document.native?.attributes.keys()));
      }
      return Object.entries(languageBlocks(role)).map(([name, { labels, description, block }]) => ({
        label: name,
        kind: 'block',
        detail: 'block',
        documentation: description,
        insert: `${name}${labels.map((label, i) => ` "\${${i + 1}:${label}}"`).join('')} {\n${requiredSnippet(block, labels.length + 1)}}`,
        isSnippet: true,
        span: typed,
        rank: 1,
      }));
    }
    const innermost = blocks.at(-1);
    if (innermost?.type === 'required_providers') return this.#requiredProviderItems();
    const schema = this.#lookup.blockSchema(role, blocks);
    if (schema === undefined) return [];
    const existing = this.#existingBlock(blocks);
    const used = new Set(existing?.body.attributes.keys());
    return [
      ...this.#argumentItems(schema, used),
      ...this.#blockItems(schema, existing?.body.blocks ?? [], innermost),
    ];
  }

  #argumentItems(schema: BlockSchema, used: ReadonlySet<string>): readonly CompletionItem[] {
    const { typed } = this.#cursor;
    const items: CompletionItem[] = [];
    for (const [name, attribute] of Object.entries(schema.attributes)) {
      const isWritable = attribute.required === true || attribute.optional === true;
      if (!isWritable || used.has(name)) continue;
      items.push({
        label: name,
        kind: 'argument',
        detail: attributeDetail(attribute),
        ...(attribute.description === undefined ? {} : { documentation: attribute.description }),
        insert: `${name} = ${valueSnippet(attribute, 1)}`,
        isSnippet: true,
        span: typed,
        deprecated: attribute.deprecated === true,
        rank: attribute.required === true ? 0 : attribute.deprecated === true ? 4 : 2,
      });
    }
    return items;
  }

  #blockItems(
    schema: BlockSchema,
    existing: readonly NativeBlock[],
    outer: EnclosingBlock | undefined,
  ): readonly CompletionItem[] {
    const { typed } = this.#cursor;
    const items: CompletionItem[] = [];
    for (const [name, { block, maxItems, minItems, nesting }] of Object.entries(schema.blocks)) {
      const count = existing.filter(({ type }) => type === name).length;
      const limit = nesting === 'single' || nesting === 'group' ? 1 : maxItems;
      if (limit !== undefined && limit > 0 && count >= limit) continue;
      const labels = NESTED_LABELS[name] ?? (nesting === 'map' ? ['key'] : []);
      items.push({
        label: name,
        kind: 'block',
        detail: `block${minItems === undefined || minItems === 0 ? '' : ', required'}`,
        ...(block.description === undefined ? {} : { documentation: block.description }),
        insert: `${name}${labels.map((label, i) => ` "\${${i + 1}:${label}}"`).join('')} {\n${requiredSnippet(block, labels.length + 1)}}`,
        isSnippet: true,
        span: typed,
        deprecated: block.deprecated === true,
        rank: minItems !== undefined && minItems > 0 ? 0 : block.deprecated === true ? 4 : 3,
      });
    }
    const generated = Object.keys(schema.blocks).filter(
      (name) => NESTED_LABELS[name] === undefined,
    );
    const [first] = generated.filter((name) => name !== 'lifecycle' && name !== 'connection');
    if (first !== undefined && outer !== undefined && outer.type !== 'terraform')
      items.push({
        label: 'dynamic',
        kind: 'block',
        detail: 'block',
        documentation: 'Generates nested blocks from a collection.',
        insert: `dynamic "\${1:${first}}" {\n  for_each = $2\n  content {\n    $0\n  }\n}`,
        isSnippet: true,
        span: typed,
        rank: 5,
      });
    return items;
  }

  #requiredProviderItems(): readonly CompletionItem[] {
    const { typed } = this.#cursor;
    return this.#lookup.localNames().map((name) => ({
      label: name,
      kind: 'argument',
      insert: `${name} = {\n  source  = "\${1:hashicorp/${name}}"\n  version = "$2"\n}`,
      isSnippet: true,
      span: typed,
      rank: 1,
    }));
  }

  /** The parsed block that the cursor is in. */
  #existingBlock(blocks: readonly EnclosingBlock[]): NativeBlock | undefined {
    let body = this.#document.native;
    let found: NativeBlock | undefined;
    for (const { bodyStart } of blocks) {
      found = body?.blocks.find(({ openBraceRange }) => openBraceRange.end === bodyStart);
      body = found?.body;
    }
    return found;
  }

  // ---------- labels

  #labelItems(position: CursorContext['position'] & { readonly kind: 'label' }): CompletionItem[] {
    const { typed } = this.#cursor;
    const { text } = this.#document;
    const { isQuoted } = position;
    // A name that is typed within quotes replaces everything up to the closing quote.
    let end = this.#offset;
    if (isQuoted) while (end < text.length && /[\w.-]/.test(text[end] ?? '')) end++;
    const span = { start: typed.start, end: isQuoted ? end : typed.end };
    const names = this.#labelNames(position);
    return names.map(({ name, detail, documentation, insert, deprecated }) => ({
      label: name,
      kind: 'type',
      ...(detail === undefined ? {} : { detail }),
      ...(documentation === undefined ? {} : { documentation }),
      insert: isQuoted ? name : (insert ?? `"${name}"`),
      span,
      deprecated: deprecated === true,
      rank: deprecated === true ? 2 : 1,
    }));
  }

  #labelNames({
    block,
    index,
    labels,
  }: CursorContext['position'] & { readonly kind: 'label' }): readonly LabelProposal[] {
    const { blocks } = this.#cursor;
    if (blocks.length === 0 || block === 'data') {
      if (index === 0 && ['resource', 'data', 'ephemeral', 'action', 'list'].includes(block))
        return this.#lookup.types(block).map(({ type, provider, schema }) => ({
          name: type,
          detail: provider,
          documentation: schema.block.description,
          deprecated: schema.block.deprecated,
        }));
      if (index === 0 && (block === 'provider' || block === 'mock_provider'))
        return this.#lookup.localNames().map((name) => ({ name }));
      if (index === 1) return this.#referencedNames(block, labels[0] ?? '');
      if (index === 0 && (block === 'variable' || block === 'module' || block === 'output'))
        return this.#undeclared(block === 'variable' ? 'var' : block);
    }
    if (index > 0) return [];
    if (block === 'backend') return BACKENDS.map((name) => ({ name }));
    if (block === 'provisioner') return Object.keys(PROVISIONERS).map((name) => ({ name }));
    if (block === 'dynamic') {
      const schema = this.#lookup.blockSchema(this.#document.kind.role, blocks);
      return Object.keys(schema?.blocks ?? {}).map((name) => ({ name }));
    }
    if (block === 'mock_resource' || block === 'mock_data')
      return this.#lookup
        .types(block === 'mock_data' ? 'data' : 'resource')
        .map(({ type, provider }) => ({ name: type, detail: provider }));
    return [];
  }

  /** Names of a resource type that are used but not declared. */
  #referencedNames(block: string, type: string): readonly LabelProposal[] {
    const prefix = block === 'resource' ? `${type}.` : `${block}.${type}.`;
    return this.#unresolved((key) =>
      key.startsWith(prefix) ? key.slice(prefix.length) : undefined,
    );
  }

  #undeclared(root: string): readonly LabelProposal[] {
    return this.#unresolved((key) =>
      key.startsWith(`${root}.`) ? key.slice(root.length + 1) : undefined,
    );
  }

  #unresolved(nameOf: (key: string) => string | undefined): readonly LabelProposal[] {
    const module = this.#context.project.module(this.#directory);
    const names = new Set<string>();
    for (const document of module.documents) {
      for (const { key, via, role } of document.symbols.occurrences) {
        const name = via === '' && role === 'reference' ? nameOf(key) : undefined;
        if (name !== undefined && !module.declarations.has(key)) names.add(name);
      }
    }
    return [...names].map((name) => ({ name, detail: 'used, but not declared' }));
  }

  // ---------- values

  #textItems(): readonly CompletionItem[] {
    const { blocks, argument, nesting, typed } = this.#cursor;
    const inString = nesting.at(-1);
    if (inString?.kind !== 'string' || nesting.length > 1) return [];
    if (argument !== 'source' || blocks.at(-1)?.type !== 'module') return [];
    return this.#localModules().map((path) => ({
      label: path,
      kind: 'file',
      detail: 'local module',
      insert: path,
      span: { start: inString.start, end: typed.end },
      rank: 1,
    }));
  }

  /** Directories near the module that contain configuration files. */
  #localModules(): readonly string[] {
    const { project } = this.#context;
    const found: string[] = [];
    const search = (directory: string, prefix: string, depth: number): void => {
      let entries;
      try {
        entries = project.files.readDirectorySync(directory);
      } catch {
        return;
      }
      for (const { name, kind } of entries) {
        if (kind !== 'directory' || name.startsWith('.') || found.length >= 100) continue;
        const inside = `${directory}/${name}`;
        if (inside !== this.#directory && project.module(inside).paths.length > 0)
          found.push(`${prefix}${name}`);
        if (depth > 0) search(inside, `${prefix}${name}/`, depth - 1);
      }
    };
    search(this.#directory, './', 1);
    const slash = this.#directory.lastIndexOf('/');
    if (slash > 0) search(this.#directory.slice(0, slash), '../', 1);
    return found;
  }

  #keyItems(): readonly CompletionItem[] {
    const { nesting, typed } = this.#cursor;
    const object = nesting.at(-1);
    const expected = this.#expected();
    if (expected === undefined || object?.kind !== 'object') return [];
    const attributes =
      expected.attributes ??
      (expected.type?.kind === 'object'
        ? Object.fromEntries(
            expected.type.names.map((name): [string, AttributeSchema] => {
              const type = partType(expected.type ?? ANY, name) ?? ANY;
              const isOptional =
                expected.type?.kind === 'object' && expected.type.optional.has(name);
              return [name, { type, ...(isOptional ? { optional: true } : { required: true }) }];
            }),
          )
        : {});
    return Object.entries(attributes).flatMap(([name, attribute]) =>
      object.used.includes(name) || (attribute.required !== true && attribute.optional !== true)
        ? []
        : [
            {
              label: name,
              kind: 'property' as const,
              detail: attributeDetail(attribute),
              ...(attribute.description === undefined
                ? {}
                : { documentation: attribute.description }),
              insert: `${isValidIdentifier(name) ? name : JSON.stringify(name)} = ${valueSnippet(attribute, 1)}`,
              isSnippet: true as const,
              span: typed,
              rank: attribute.required === true ? 0 : 1,
            },
          ],
    );
  }

  /** The schema of the value at the cursor. */
  #expected(): Expected | undefined {
    const { blocks, argument, nesting } = this.#cursor;
    if (argument === undefined) return undefined;
    const { role } = this.#document.kind;
    const innermost = blocks.at(-1);
    let expected: Expected | undefined;
    if (innermost?.type === 'required_providers')
      expected = { attributes: REQUIRED_PROVIDER.attributes };
    else if (innermost?.type === 'variable' && argument === 'default') {
      const type = this.#existingBlock(blocks)?.body.attributes.get('type')?.expression;
      expected = { type: variableType(type) };
    } else {
      const schema =
        blocks.length === 0
          ? variablesSchema(this.#context.project, this.#directory)
          : this.#lookup.blockSchema(role, blocks);
      const attribute = schema === undefined ? undefined : own(schema.attributes, argument);
      if (attribute?.nested !== undefined)
        expected = {
          attributes: attribute.nested.attributes,
          ...(attribute.nested.nesting === 'single'
            ? {}
            : { collection: attribute.nested.nesting }),
        };
      else if (attribute?.type !== undefined) expected = { type: attribute.type };
    }
    for (const step of nesting) {
      if (expected === undefined) return undefined;
      switch (step.kind) {
        case 'object': {
          if (step.key === undefined) {
            // The keys of a map of objects are free.
            if (expected.collection === 'map') return undefined;
            return step === nesting.at(-1) ? expected : undefined;
          }
          expected = inside(expected, step.key);
          break;
        }
        case 'tuple':
          expected = inside(expected, undefined);
          break;
        case 'parentheses':
          break;
        default:
          return undefined;
      }
    }
    return expected;
  }

  #valueItems(): readonly CompletionItem[] {
    const { text } = this.#document;
    const reference = referenceBefore(text, this.#offset);
    const dot = reference.lastIndexOf('.');
    const keywords = this.#keywordItems();
    if (keywords !== undefined) return keywords;
    if (dot >= 0) {
      const partial = reference.length - dot - 1;
      return this.#memberItems(reference.slice(0, dot), {
        start: this.#offset - partial,
        end: this.#offset,
      });
    }
    return this.#rootItems({ start: this.#offset - reference.length, end: this.#offset });
  }

  /** Values of arguments that are keywords or addresses rather than expressions. */
  #keywordItems(): readonly CompletionItem[] | undefined {
    const { blocks, argument, typed } = this.#cursor;
    const innermost = blocks.at(-1)?.type ?? '';
    const keyword = (label: string, insert = label): CompletionItem => ({
      label,
      kind: 'keyword',
      insert,
      span: typed,
      rank: 0,
      ...(insert === label ? {} : { isSnippet: true as const }),
    });
    const role = this.#document.kind.role;
    if (innermost === 'variable' && argument === 'type') {
      const hasDot = referenceBefore(this.#document.text, this.#offset).includes('.');
      return hasDot ? [] : TYPE_KEYWORDS.map(([label, insert]) => keyword(label, insert));
    }
    if (argument === 'provider' && blocks.length === 1) return this.#providerItems();
    if (argument === 'providers') return this.#providerItems();
    if (innermost === 'lifecycle' && argument === 'ignore_changes') {
      const schema = this.#lookup.blockSchema(role, blocks.slice(0, -1));
      return [
        keyword('all'),
        ...Object.entries(schema?.attributes ?? {}).flatMap(([name, { optional, required }]) =>
          optional === true || required === true ? [keyword(name)] : [],
        ),
      ];
    }
    const fixed = own(FIXED_VALUES, `${innermost}.${argument ?? ''}`);
    return fixed?.map((label) => keyword(label));
  }

  #providerItems(): readonly CompletionItem[] {
    const reference = referenceBefore(this.#document.text, this.#offset);
    const span = { start: this.#offset - reference.length, end: this.#offset };
    const module = this.#context.project.module(this.#directory);
    return module.ofKind('provider').map(({ declaration }) => {
      const label = declaration.key.replace(/^provider\./, '');
      return {
        label,
        kind: 'variable',
        detail: 'provider configuration',
        insert: label,
        span,
        rank: 0,
      };
    });
  }

  #rootItems(span: Span): readonly CompletionItem[] {
    const { role } = this.#document.kind;
    const module = this.#context.project.module(this.#directory);
    const expected = this.#expected();
    const items: CompletionItem[] = [];
    const root = (label: string, detail: string, rank = 2): void => {
      items.push({ label, kind: 'variable', detail, insert: `${label}.`, span, rank });
    };
    if (expected?.type?.kind === 'bool')
      for (const label of ['true', 'false'])
        items.push({ label, kind: 'constant', detail: 'bool', insert: label, span, rank: 0 });
    items.push({ label: 'null', kind: 'constant', insert: 'null', span, rank: 6 });
    if (role === 'variables') return items;
    const declared = (kind: Declaration['kind'], prefix: string): void => {
      for (const { declaration } of module.ofKind(kind)) {
        items.push({
          label: `${prefix}${declaration.name}`,
          kind: kind === 'module' ? 'module' : 'variable',
          detail: this.#declarationDetail(declaration),
          insert: `${prefix}${declaration.name}`,
          span,
          rank: 3,
        });
      }
    };
    const { blocks } = this.#cursor;
    const isInside = (type: string): boolean => blocks.some((block) => block.type === type);
    if (isInside('resource') || isInside('data') || isInside('module') || isInside('ephemeral')) {
      const block = this.#existingBlock(blocks.slice(0, 1));
      if (block?.body.attributes.has('for_each') === true)
        root('each', 'key and value of the instance', 1);
      if (block?.body.attributes.has('count') === true) root('count', 'index of the instance', 1);
    }
    if (isInside('postcondition') || isInside('provisioner') || isInside('connection'))
      root('self', 'this object', 1);
    for (const block of blocks) {
      if (block.type === 'dynamic') root(block.labels[0] ?? '', 'current element', 1);
    }
    for (const name of this.#boundNames())
      items.push({
        label: name,
        kind: 'variable',
        detail: 'element of the for expression',
        insert: name,
        span,
        rank: 0,
      });
    declared('variable', 'var.');
    declared('local', 'local.');
    declared('module', 'module.');
    for (const kind of ['resource', 'data', 'ephemeral', 'list'] as const) {
      for (const { declaration } of module.ofKind(kind)) {
        items.push({
          label: declaration.key,
          kind: 'variable',
          detail: kind,
          insert: declaration.key,
          span,
          rank: 3,
        });
      }
    }
    if (role === 'test') {
      for (const declaration of this.#document.declarations) {
        if (declaration.kind === 'run') root(`run.${declaration.name}`, 'outputs of the run');
      }
      declared('output', 'output.');
    }
    root('path', 'paths of the module', 6);
    root('terraform', 'the workspace', 6);
    for (const signature of this.#context.functions) {
      if (signature.name.includes('::')) continue;
      items.push(functionItem(signature, span));
    }
    items.push(...this.#providerFunctionItems(span));
    return items;
  }

  #providerFunctionItems(span: Span): readonly CompletionItem[] {
    return this.#lookup.localNames().flatMap((provider) => {
      const functions = this.#lookup.provider(provider)?.functions ?? {};
      return Object.entries(functions).map(([name, signature]): CompletionItem => {
        const full = `provider::${provider}::${name}`;
        return {
          label: full,
          kind: 'function',
          detail: signature.parameters.map((parameter) => parameter.name).join(', '),
          ...(signature.description === undefined ? {} : { documentation: signature.description }),
          insert: `${full}($1)`,
          isSnippet: true,
          span,
          rank: 5,
        };
      });
    });
  }

  /** Names that `for` expressions around the cursor bind. */
  #boundNames(): readonly string[] {
    const { valueStart } = this.#cursor;
    if (valueStart === undefined) return [];
    const text = this.#document.text.slice(Math.max(valueStart, this.#offset - 5000), this.#offset);
    return [
      ...text.matchAll(
        /\bfor\s+([\p{ID_Start}_][\p{ID_Continue}-]*)(?:\s*,\s*([\p{ID_Start}_][\p{ID_Continue}-]*))?\s+in\b/gu,
      ),
    ].flatMap(([, first, second]) => [first, second].filter((name) => name !== undefined));
  }

  /** The members of what is before the last dot. */
  #memberItems(of: string, span: Span): readonly CompletionItem[] {
    const { project } = this.#context;
    const module = project.module(this.#directory);
    const path = splitReference(of);
    const [first = '', second = '', third = ''] = path;
    const named = (found: Iterable<Declaration>): CompletionItem[] =>
      [...found].map((declaration) => ({
        label: declaration.name,
        kind: 'variable',
        detail: this.#declarationDetail(declaration),
        ...documentationOf(declaration),
        insert: declaration.name,
        span,
        rank: 1,
      }));
    const declarations = (kind: Declaration['kind']): readonly Declaration[] =>
      module.ofKind(kind).map(({ declaration }) => declaration);
    const plain = (names: Iterable<string>, detail?: string): CompletionItem[] =>
      [...names].map((label) => ({
        label,
        kind: 'property',
        ...(detail === undefined ? {} : { detail }),
        insert: label,
        span,
        rank: 1,
      }));
    if (path.length === 1) {
      switch (first) {
        case 'var':
          return named([
            ...declarations('variable'),
            ...(this.#document.kind.role === 'test'
              ? this.#document.declarations.filter(({ kind }) => kind === 'variable')
              : []),
          ]);
        case 'local':
          return named(declarations('local'));
        case 'module':
          return named(declarations('module'));
        case 'each':
          return plain(['key', 'value']);
        case 'count':
          return plain(['index']);
        case 'path':
          return plain(['module', 'root', 'cwd']);
        case 'terraform':
        case 'tofu':
          return plain(['workspace', 'applying']);
        case 'data':
        case 'ephemeral':
        case 'action':
        case 'list':
          return plain(new Set(declarations(first).flatMap(({ type }) => type ?? [])), first);
        case 'run':
          return named(this.#document.declarations.filter(({ kind }) => kind === 'run'));
        case 'output':
          if (this.#document.kind.role === 'test') return named(declarations('output'));
          break;
        case 'self':
          return this.#selfItems(span);
      }
    }
    if (first === 'module' && path.length === 2) return this.#outputItems(second, span);
    if (first === 'run' && path.length === 2) return named(declarations('output'));
    const isMode = first === 'data' || first === 'ephemeral' || first === 'list';
    const [type, name] = isMode ? [second, third] : [first, second];
    const depth = isMode ? 3 : 2;
    const ofType = declarations(isMode ? first : 'resource').filter(
      (declaration) => declaration.type === type,
    );
    if (path.length === depth - 1 && ofType.length > 0) return named(ofType);
    const resource = ofType.find((declaration) => declaration.name === name);
    if (resource !== undefined && path.length >= depth) {
      const schema = this.#lookup.resource(isMode ? first : 'resource', type);
      if (schema !== undefined) return schemaMembers(schema.block, path.slice(depth), span);
    }
    const declared = this.#declaredType(path);
    if (declared !== undefined) return plain(typeNames(declared));
    const value = this.#context.values(this.#directory)?.valueOf(of);
    return value === undefined ? [] : plain(typeNames(value.type));
  }

  /** The type of a variable and of its parts. */
  #declaredType([root, name, ...rest]: readonly string[]): Type | undefined {
    if (root !== 'var' || name === undefined) return undefined;
    const [found] = this.#context.project.module(this.#directory).declarationsOf(`var.${name}`);
    let type: Type | undefined = variableType(found?.declaration.arguments.get('type'));
    for (const step of rest) type = type === undefined ? undefined : partType(type, step);
    return type?.kind === 'dynamic' ? undefined : type;
  }

  #outputItems(call: string, span: Span): readonly CompletionItem[] {
    const { project } = this.#context;
    const link = project.module(this.#directory).links.get(call);
    const target = link === undefined ? undefined : project.linkedDirectory(this.#directory, link);
    if (target === undefined) return [];
    return project
      .module(target)
      .ofKind('output')
      .map(({ declaration }) => ({
        label: declaration.name,
        kind: 'property',
        detail: 'output',
        ...documentationOf(declaration),
        insert: declaration.name,
        span,
        rank: 1,
      }));
  }

  #selfItems(span: Span): readonly CompletionItem[] {
    const [outer] = this.#cursor.blocks;
    if (outer === undefined) return [];
    const schema = this.#lookup.resource(outer.type, outer.labels[0] ?? '');
    return schema === undefined ? [] : schemaMembers(schema.block, [], span);
  }

  #declarationDetail({ kind, arguments: values }: Declaration): string {
    if (kind !== 'variable') return kind;
    const type = variableType(values.get('type'));
    return friendlyNameForConstraint(type);
  }
}

interface LabelProposal {
  readonly name: string;
  readonly detail?: string | undefined;
  readonly documentation?: string | undefined;
  readonly insert?: string;
  readonly deprecated?: boolean | undefined;
}

/** The expected value: attributes of an object, or a type. */
interface Expected {
  readonly attributes?: Readonly<Record<string, AttributeSchema>>;
  readonly collection?: 'list' | 'set' | 'map';
  readonly type?: Type;
}

const ANY: Type = variableType(undefined);

function inside(expected: Expected, key: string | undefined): Expected | undefined {
  if (expected.collection !== undefined)
    return expected.attributes === undefined ? undefined : { attributes: expected.attributes };
  if (expected.attributes !== undefined) {
    const attribute = key === undefined ? undefined : own(expected.attributes, key);
    if (attribute?.nested !== undefined)
      return {
        attributes: attribute.nested.attributes,
        ...(attribute.nested.nesting === 'single' ? {} : { collection: attribute.nested.nesting }),
      };
    return attribute?.type === undefined ? undefined : { type: attribute.type };
  }
  const type = expected.type === undefined ? undefined : partType(expected.type, key);
  return type === undefined ? undefined : { type };
}

function typeNames(type: Type): readonly string[] {
  return type.kind === 'object' ? type.names : [];
}

function schemaMembers(
  block: BlockSchema,
  path: readonly string[],
  span: Span,
): readonly CompletionItem[] {
  if (path.length === 0) {
    const attributes = Object.entries(block.attributes).map(
      ([label, attribute]): CompletionItem => ({
        label,
        kind: 'property',
        detail: attributeDetail(attribute),
        ...(attribute.description === undefined ? {} : { documentation: attribute.description }),
        insert: label,
        span,
        deprecated: attribute.deprecated === true,
        rank: attribute.deprecated === true ? 3 : 1,
      }),
    );
    const blocks = Object.keys(block.blocks).map((label): CompletionItem => ({
      label,
      kind: 'property',
      detail: 'block',
      insert: label,
      span,
      rank: 2,
    }));
    return [...attributes, ...blocks];
  }
  let type: Type | undefined = impliedType(block);
  for (const step of path) type = type === undefined ? undefined : partType(type, step);
  return type === undefined
    ? []
    : typeNames(type).map((label) => ({ label, kind: 'property', insert: label, span, rank: 1 }));
}

/** Splits a reference into names; indices and splats become steps that only select an element. */
function splitReference(text: string): readonly string[] {
  const steps: string[] = [];
  for (const [, name, index] of text.matchAll(/(?:^|\.)([\p{ID_Continue}-]+|\*)|\[([^[\]]*)\]/gu)) {
    if (name !== undefined) steps.push(name);
    // The instance key of a resource or module is no part of its value.
    else if (index !== undefined && !isInstanceKey(steps)) steps.push(index.replaceAll('"', ''));
  }
  return steps;
}

function isInstanceKey([first, ...rest]: readonly string[]): boolean {
  switch (first) {
    case 'var':
    case 'local':
    case 'each':
    case 'self':
      return false;
    case 'module':
      return rest.length === 1;
    case 'data':
    case 'ephemeral':
      return rest.length === 2;
    default:
      return rest.length === 1;
  }
}

/** Describes an argument: its type and whether it must be set. */
export function attributeDetail(attribute: AttributeSchema): string {
  const parts: string[] = [];
  if (attribute.required === true) parts.push('required');
  else if (attribute.optional === true) parts.push('optional');
  if (attribute.computed === true) parts.push('computed');
  if (attribute.sensitive === true) parts.push('sensitive');
  if (attribute.writeOnly === true) parts.push('write-only');
  if (attribute.deprecated === true) parts.push('deprecated');
  parts.push(attributeType(attribute));
  return parts.join(', ');
}

/** The type of an argument in words. */
export function attributeType({ type, nested }: AttributeSchema): string {
  if (type !== undefined) return friendlyNameForConstraint(type);
  return nested?.nesting === 'single' ? 'object' : `${nested?.nesting ?? ''} of object`;
}

/** Required arguments and blocks of a new block as a snippet, indented by two spaces, with the next free tab stop. */
export function requiredSnippet(block: BlockSchema, firstStop: number): string {
  let stop = firstStop;
  const lines: string[] = [];
  const required = Object.entries(block.attributes).filter(
    ([, attribute]) => attribute.required === true,
  );
  const width = Math.max(0, ...required.map(([name]) => name.length));
  for (const [name, attribute] of required) {
    lines.push(`  ${name.padEnd(width)} = ${valueSnippet(attribute, stop)}`);
    stop++;
  }
  for (const [name, { minItems, block: inner, nesting }] of Object.entries(block.blocks)) {
    if (minItems === undefined || minItems === 0 || nesting === 'map') continue;
    const innerLines = requiredSnippet(inner, stop)
      .split('\n')
      .filter((line) => line !== '');
    stop += innerLines.length;
    if (lines.length > 0) lines.push('');
    lines.push(`  ${name} {`, ...innerLines.map((line) => `  ${line}`), '  }');
  }
  return lines.length === 0 ? '  $0\n' : `${lines.join('\n')}\n`;
}

function valueSnippet({ type, nested }: AttributeSchema, stop: number): string {
  if (nested !== undefined)
    return nested.nesting === 'single' || nested.nesting === 'map'
      ? `{ $${stop} }`
      : `[{ $${stop} }]`;
  switch (type?.kind) {
    case 'string':
      return `"$${stop}"`;
    case 'bool':
      return `\${${stop}:false}`;
    case 'list':
    case 'set':
    case 'tuple':
      return type.kind !== 'tuple' && type.element.kind === 'string'
        ? `["$${stop}"]`
        : `[$${stop}]`;
    case 'map':
    case 'object':
      return `{ $${stop} }`;
    default:
      return `$${stop}`;
  }
}

function functionItem(signature: FunctionSignature, span: Span): CompletionItem {
  return {
    label: signature.name,
    kind: 'function',
    detail: signatureText(signature),
    documentation: signature.description,
    insert: `${signature.name}($1)`,
    isSnippet: true,
    span,
    rank: 5,
  };
}

/** A signature such as `cidrsubnet(prefix, newbits, netnum) string`. */
export function signatureText({ name, parameters, variadic, returns }: FunctionSignature): string {
  const names = parameters.map((parameter) => parameter.name);
  if (variadic !== undefined) names.push(`${variadic.name}...`);
  return `${name}(${names.join(', ')}) ${friendlyNameForConstraint(returns)}`;
}

function documentationOf(declaration: Declaration): { readonly documentation?: string } {
  const description = declaration.arguments.get('description');
  const text = description === undefined ? undefined : literalText(description);
  return text === undefined ? {} : { documentation: text };
}

const BACKENDS: readonly string[] = [
  'azurerm',
  'consul',
  'cos',
  'gcs',
  'http',
  'kubernetes',
  'local',
  'oss',
  'pg',
  'remote',
  's3',
];

const TYPE_KEYWORDS: readonly (readonly [label: string, insert: string])[] = [
  ['string', 'string'],
  ['number', 'number'],
  ['bool', 'bool'],
  ['any', 'any'],
  ['list', 'list(${1:string})'],
  ['set', 'set(${1:string})'],
  ['map', 'map(${1:string})'],
  ['object', 'object({\n  ${1:name} = ${2:string}\n})'],
  ['tuple', 'tuple([${1:string}])'],
  ['optional', 'optional(${1:string})'],
];

/** Keywords of arguments by block and argument. */
const FIXED_VALUES: Readonly<Record<string, readonly string[]>> = {
  'provisioner.when': ['create', 'destroy'],
  'provisioner.on_failure': ['fail', 'continue'],
  'run.command': ['plan', 'apply'],
  'plan_options.mode': ['normal', 'refresh-only'],
  'override_resource.override_during': ['plan', 'apply'],
  'override_data.override_during': ['plan', 'apply'],
  'override_module.override_during': ['plan', 'apply'],
  'mock_provider.override_during': ['plan', 'apply'],
  'action_trigger.events': [
    'before_create',
    'after_create',
    'before_update',
    'after_update',
    'before_destroy',
    'after_destroy',
  ],
  'action_trigger.on_failure': ['halt', 'taint', 'continue'],
};
