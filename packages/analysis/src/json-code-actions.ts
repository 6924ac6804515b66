import {
  evaluate,
  hasErrors,
  type JsonObjectNode,
  type JsonProperty,
  type JsonSyntaxNode,
  jsonExpression,
  variables,
} from '@terrane/hcl';
import type { AttributeSchema, BlockSchema } from '@terrane/provider';
import type { AnalysisContext } from './analysis-context.ts';
import {
  type CodeAction,
  EXTRACTED_FROM,
  INSTANCE_ROOTS,
  MAX_MOVES,
  NOT_EXTRACTED,
  constraintText,
  knownCount,
  indexedReferences,
  indexUses,
  uniqueName,
} from './code-action.ts';
import { ChangeSet } from './edits.ts';
import { importableId } from './importable-id.ts';
import { jsonCursor } from './json-cursor.ts';
import { JsonEditor, type NewMember, propertiesAt, propertyOf } from './json-edits.ts';
import { nativeText } from './json-native-text.ts';
import { jsonPlace } from './json-place.ts';
import { SchemaLookup } from './schema-lookup.ts';
import type { SourceDocument } from './source-document.ts';
import type { Declaration, Span } from './symbol.ts';
import { hasSecrets } from './value-display.ts';

/** Returns the changes of a file in JSON syntax that are possible for a selection and need its syntax tree. */
export function jsonCodeActions(
  context: AnalysisContext,
  document: SourceDocument,
  root: JsonObjectNode,
  selection: Span,
): readonly CodeAction[] {
  const actions = new JsonActions(context, document, root, selection);
  return [
    ...actions.requiredArguments(),
    ...actions.extractions(),
    ...actions.countToForEach(),
    ...actions.importBlock(),
  ];
}

class JsonActions {
  readonly #context: AnalysisContext;
  readonly #document: SourceDocument;
  readonly #root: JsonObjectNode;
  readonly #selection: Span;
  readonly #directory: string;
  /** properties around the selection, from the outermost */
  readonly #chain: readonly JsonProperty[];

  constructor(
    context: AnalysisContext,
    document: SourceDocument,
    root: JsonObjectNode,
    selection: Span,
  ) {
    this.#context = context;
    this.#document = document;
    this.#root = root;
    this.#selection = selection;
    this.#directory = context.project.moduleDirectoryOf(document);
    this.#chain = propertiesAt(root, selection.start);
  }

  #action(
    title: string,
    kind: CodeAction['kind'],
    change: (editor: JsonEditor, set: ChangeSet) => boolean | void,
  ): readonly CodeAction[] {
    const set = new ChangeSet();
    if (change(new JsonEditor(this.#document, this.#root, set), set) === false) return [];
    return [{ title, kind, changes: set.finish(this.#context.project) }];
  }

  /** Adds required arguments and blocks that a block lacks. */
  requiredArguments(): readonly CodeAction[] {
    const lookup = new SchemaLookup(
      this.#context.project,
      this.#directory,
      this.#context.schemas(this.#directory),
    );
    const { role } = this.#document.kind;
    const { path } = jsonCursor(this.#document.text, this.#selection.start);
    const place = jsonPlace(lookup, role, path);
    if (place === undefined || place.label !== undefined || place.blocks.length === 0) return [];
    const object = this.#objectAround();
    const schema = lookup.blockSchema(role, place.blocks);
    if (schema === undefined || object === undefined) return [];
    const names = new Set(object.properties.map(({ name }) => name));
    for (const { name, value } of object.properties)
      if (name === 'dynamic') for (const each of namesIn(value)) names.add(each);
    const members = requiredMembers(schema, names);
    if (members.length === 0) return [];
    return this.#action('Add required arguments', 'quickfix', (editor) =>
      editor.addTo(object, members),
    );
  }

  /** The innermost object around the selection. */
  #objectAround(): JsonObjectNode | undefined {
    const { start } = this.#selection;
    let innermost: JsonObjectNode | undefined;
    const visit = (node: JsonSyntaxNode): void => {
      if (start <= node.range.start || node.range.end <= start) return;
      if (node.kind === 'object') {
        innermost = node;
        for (const { value } of node.properties) visit(value);
      } else if (node.kind === 'array') node.elements.forEach(visit);
    };
    visit(this.#root);
    return innermost;
  }

  /** Extracts the selected value into a local value, and a constant into a variable. */
  extractions(): readonly CodeAction[] {
    const block = this.#chain[0]?.name ?? '';
    const property = this.#chain.at(-1);
    if (property === undefined || this.#document.kind.role !== 'module') return [];
    if (!EXTRACTED_FROM.has(block) || this.#chain.length < MIN_DEPTH[block === 'locals' ? 0 : 1])
      return [];
    const names = this.#chain.map(({ name }) => name);
    if (names.some((name) => NOT_EXTRACTED.has(name) || name === 'dynamic')) return [];
    const node = selectedNode(property.value, this.#selection);
    if (node === undefined || node.kind === 'invalid') return [];
    const expression = jsonExpression(node);
    const uses = variables(expression);
    const usesInstance = uses.some(({ steps: [root] }) =>
      root?.kind === 'root' ? INSTANCE_ROOTS.has(root.name) : true,
    );
    const { path, text } = this.#document;
    const code = text.slice(node.range.start, node.range.end);
    const actions: CodeAction[] = [];
    const module = this.#context.project.module(this.#directory);
    if (!usesInstance && block !== 'locals') {
      const name = uniqueName(module, 'local', property.name);
      actions.push(
        ...this.#action(`Extract to local.${name}`, 'refactor.extract', (editor, set) => {
          set.add(path, node.range.start, node.range.end, `"\${local.${name}}"`);
          return editor.addMember(['locals'], { name, value: undefined, text: code });
        }),
      );
    }
    const problems: Parameters<typeof evaluate>[2] = [];
    const value = uses.length === 0 ? evaluate(expression, undefined, problems) : undefined;
    const isConstant =
      value !== undefined &&
      !hasErrors(problems) &&
      value.isKnown &&
      !value.isNull &&
      !hasSecrets(value);
    if (!isConstant) return actions;
    const name = uniqueName(module, 'var', property.name);
    const type = constraintText(value.type);
    const variable = {
      ...(type === undefined ? {} : { type }),
      default: JSON.parse(code) as unknown,
    };
    return [
      ...actions,
      ...this.#action(`Extract to var.${name}`, 'refactor.extract', (editor, set) => {
        set.add(path, node.range.start, node.range.end, `"\${var.${name}}"`);
        return editor.addMember(['variable'], { name, value: variable });
      }),
    ];
  }

  /** Converts `count` to `for_each`, as in native syntax. */
  countToForEach(): readonly CodeAction[] {
    const block = this.#blockAt();
    if (block === undefined) return [];
    const { declaration, body } = block;
    const { key } = declaration;
    const count = propertyOf(body, 'count');
    const expression = declaration.arguments.get('count');
    if (count === undefined || expression === undefined) return [];
    const text = nativeText(expression);
    const values = this.#context.values(this.#directory);
    const number = knownCount(expression, values, text);
    if (number === undefined || number > MAX_MOVES) return [];
    const set = new ChangeSet();
    if (!indexedReferences(this.#context.project, this.#directory, key, set)) return [];
    const { path } = this.#document;
    const inner = text.replace(/^"\$\{([\s\S]*)\}"$/, '$1');
    set.add(
      path,
      count.nameRange.start,
      count.value.range.end,
      `"for_each": ${JSON.stringify(`\${toset([for i in range(${inner}) : tostring(i)])}`)}`,
    );
    const others = [...declaration.arguments].filter(([name]) => name !== 'count');
    for (const use of indexUses(others.map(([, value]) => value)))
      set.add(path, use.start, use.end, 'tonumber(each.key)');
    new JsonEditor(this.#document, this.#root, set).addElements(
      'moved',
      Array.from({ length: number }, (_, i) => ({ from: `${key}[${i}]`, to: `${key}["${i}"]` })),
    );
    return [
      {
        title: 'Convert count to for_each with moved blocks',
        kind: 'refactor.rewrite',
        changes: set.finish(this.#context.project),
      },
    ];
  }

  /** An `import` block for the object of the state at the address of the resource. */
  importBlock(): readonly CodeAction[] {
    const declaration = this.#blockAt()?.declaration;
    if (declaration === undefined) return [];
    const id = importableId(this.#context, this.#directory, declaration);
    if (id === undefined) return [];
    return this.#action(
      'Add an import block for the object of the state',
      'refactor.rewrite',
      (editor) => editor.addElements('import', [{ to: declaration.key, id }]),
    );
  }

  /** The resource or module call on whose name or `count` the selection is. */
  #blockAt(): { readonly declaration: Declaration; readonly body: JsonObjectNode } | undefined {
    const [type] = this.#chain;
    const depth = type?.name === 'resource' ? 3 : type?.name === 'module' ? 2 : undefined;
    if (depth === undefined) return undefined;
    const named = this.#chain[depth - 1];
    const inner = this.#chain[depth];
    if (named === undefined || (inner !== undefined && inner.name !== 'count')) return undefined;
    const declaration = this.#document.symbols.declarations.find(
      ({ kind, nameSpan }) =>
        (kind === 'resource' || kind === 'module') && nameSpan.start === named.nameRange.start + 1,
    );
    const body = named.value;
    return declaration === undefined || body.kind !== 'object' ? undefined : { declaration, body };
  }
}

/** The number of keys around an argument of a local value, and of a block. */
const MIN_DEPTH = [2, 3] as const;

/** Returns the value, or the part of it, that a selection covers, with or without its quotes. */
function selectedNode(node: JsonSyntaxNode, { start, end }: Span): JsonSyntaxNode | undefined {
  const { range } = node;
  const isWhole = start === range.start && end === range.end;
  const isContent = node.kind === 'string' && start === range.start + 1 && end === range.end - 1;
  if (isWhole || isContent) return node;
  if (node.kind !== 'array') return undefined;
  return node.elements
    .map((each) => selectedNode(each, { start, end }))
    .find((each) => each !== undefined);
}

function namesIn(node: JsonSyntaxNode): readonly string[] {
  if (node.kind === 'array') return node.elements.flatMap(namesIn);
  return node.kind === 'object' ? node.properties.map(({ name }) => name) : [];
}

/** The required arguments and blocks of a schema that are not present, with placeholders as values. */
function requiredMembers(schema: BlockSchema, present: ReadonlySet<string>): readonly NewMember[] {
  const members: NewMember[] = [];
  for (const [name, attribute] of Object.entries(schema.attributes)) {
    if (attribute.required === true && !present.has(name))
      members.push({ name, value: placeholder(attribute) });
  }
  for (const [name, { minItems = 0, block, nesting }] of Object.entries(schema.blocks)) {
    if (minItems === 0 || nesting === 'map' || present.has(name)) continue;
    const inner = requiredMembers(block, new Set());
    members.push({ name, value: Object.fromEntries(inner.map((each) => [each.name, each.value])) });
  }
  return members;
}

function placeholder({ type, nested }: AttributeSchema): unknown {
  if (nested !== undefined)
    return nested.nesting === 'single' || nested.nesting === 'map' ? {} : [];
  switch (type?.kind) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'list':
    case 'set':
    case 'tuple':
      return [];
    case 'map':
    case 'object':
      return {};
    default:
      return null;
  }
}
