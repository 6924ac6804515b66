import {
  type Expression,
  evaluate,
  hasErrors,
  type NativeBlock,
  parseExpression,
  Source,
  variables,
  walkExpression,
  walkHcl,
} from '@terrane/hcl';
import type { AnalysisContext } from './analysis-context.ts';
import { spanOf } from './symbol-syntax.ts';
import { requiredSnippet } from './completion/completion-item.ts';
import {
  type CodeAction,
  constraintText,
  EXTRACTED_FROM,
  indexedReferences,
  indexUses,
  INSTANCE_ROOTS,
  knownCount,
  MAX_MOVES,
  NOT_EXTRACTED,
  uniqueName,
} from './code-action.ts';
import { ChangeSet } from './edits.ts';
import { importableId } from './importable-id.ts';
import { jsonCodeActions } from './json-code-actions.ts';
import { JsonEditor, jsonRoot } from './json-edits.ts';
import { sourceText } from './hover.ts';
import { baseName } from './paths.ts';
import type { ProjectModel } from './project-model.ts';
import { wholeLines } from './rename.ts';
import { SchemaLookup } from './schema-lookup.ts';
import type { SourceDocument } from './source-document.ts';
import type { Declaration, Span } from './symbol.ts';
import { enclosing, nodesAt } from './syntax-nodes.ts';
import { hasSecrets } from './value-display.ts';

/** A diagnostic that an action may fix. */
export interface ShownDiagnostic {
  readonly span: Span;
  readonly message: string;
}

/** Returns the changes that are possible for a selection, and fixes of the diagnostics in it. */
export function codeActionsAt(
  context: AnalysisContext,
  document: SourceDocument,
  selection: Span,
  diagnostics: readonly ShownDiagnostic[],
): readonly CodeAction[] {
  const spelling = diagnostics.flatMap(
    (diagnostic) => misspelling(context.project, document, diagnostic) ?? [],
  );
  if (!document.isSound()) return spelling;
  const actions = new Actions(context, document, selection);
  const json = jsonRoot(document);
  if (json !== undefined)
    return [
      ...spelling,
      ...actions.undeclared(),
      ...actions.unused(),
      ...jsonCodeActions(context, document, json, selection),
    ];
  if (document.native === undefined) return spelling;
  return [
    ...spelling,
    ...actions.undeclared(),
    ...actions.requiredArguments(),
    ...actions.unused(),
    ...actions.extractions(),
    ...actions.countToForEach(),
    ...actions.importBlock(),
  ];
}

const SUGGESTION = /Did you mean "([^"\n]+)"\?/;

/** Replaces a misspelt name by the suggestion of its diagnostic. */
function misspelling(
  project: ProjectModel,
  document: SourceDocument,
  { span, message }: ShownDiagnostic,
): CodeAction | undefined {
  const suggestion = SUGGESTION.exec(message)?.[1];
  if (suggestion === undefined) return undefined;
  const text = document.text.slice(span.start, span.end);
  const quoted = [...message.slice(0, message.indexOf('Did you mean')).matchAll(/"([^"\n]+)"/g)];
  const wrong = quoted.map(([, name]) => name ?? '').findLast((name) => text.includes(name));
  const at = wrong === undefined ? -1 : text.lastIndexOf(wrong);
  if (wrong === undefined || at < 0) return undefined;
  const set = new ChangeSet();
  set.add(document.path, span.start + at, span.start + at + wrong.length, suggestion);
  return {
    title: `Change to "${suggestion}"`,
    kind: 'quickfix',
    changes: set.finish(project),
    isPreferred: true,
  };
}

class Actions {
  readonly #context: AnalysisContext;
  readonly #document: SourceDocument;
  readonly #selection: Span;
  readonly #directory: string;
  readonly #blocks: readonly NativeBlock[];

  constructor(context: AnalysisContext, document: SourceDocument, selection: Span) {
    this.#context = context;
    this.#document = document;
    this.#selection = selection;
    this.#directory = context.project.moduleDirectoryOf(document);
    const { native } = document;
    this.#blocks = native === undefined ? [] : nodesAt(native, selection.start).blocks;
  }

  get #project(): ProjectModel {
    return this.#context.project;
  }

  #action(
    title: string,
    kind: CodeAction['kind'],
    change: (set: ChangeSet) => void,
  ): readonly CodeAction[] {
    const set = new ChangeSet();
    change(set);
    return [{ title, kind, changes: set.finish(this.#project) }];
  }

  /** Declares the variable or local value at the selection, if it is not declared. */
  undeclared(): readonly CodeAction[] {
    const occurrence = this.#project.occurrenceAt(this.#document, this.#selection.start);
    if (occurrence?.role !== 'reference' || this.#document.kind.role !== 'module') return [];
    const target = this.#project.targetOf(this.#document, occurrence);
    if (target === undefined || this.#project.declarationsOf(target).length > 0) return [];
    const [root, name = ''] = target.key.split('.');
    if (root !== 'var' && root !== 'local') return [];
    if (target.directory.includes('/.terraform/')) return [];
    const { paths } = this.#project.module(target.directory);
    const files =
      root === 'var' ? ['variables.tf', 'variables.tofu'] : ['locals.tf', 'locals.tofu'];
    const path = paths.find((each) => files.includes(baseName(each))) ?? this.#document.path;
    const block =
      root === 'var' ? `variable "${name}" {\n  type = string\n}` : `locals {\n  ${name} = null\n}`;
    const rootObject = jsonRoot(this.#document);
    return this.#action(`Declare ${target.key}`, 'quickfix', (set) => {
      const isDeclared =
        rootObject !== undefined &&
        path === this.#document.path &&
        new JsonEditor(this.#document, rootObject, set).addMember(
          [root === 'var' ? 'variable' : 'locals'],
          { name, value: root === 'var' ? { type: 'string' } : null },
        );
      if (isDeclared) return;
      const isJson = path.endsWith('.json');
      const file = isJson ? `${target.directory}/${files[0] ?? ''}` : path;
      set.append(this.#project, file, block);
    });
  }

  /** Adds required arguments and blocks that a block lacks. */
  requiredArguments(): readonly CodeAction[] {
    const block = this.#blocks.at(-1);
    if (block === undefined) return [];
    const lookup = new SchemaLookup(
      this.#project,
      this.#directory,
      this.#context.schemas(this.#directory),
    );
    const schema = lookup.blockSchema(this.#document.kind.role, enclosing(this.#blocks));
    if (schema === undefined) return [];
    const { attributes, blocks } = block.body;
    const isDynamic = (name: string): boolean =>
      blocks.some(
        ({ type, labels }) => type === name || (type === 'dynamic' && labels[0] === name),
      );
    const lacking = {
      attributes: Object.fromEntries(
        Object.entries(schema.attributes).filter(
          ([name, { required }]) => required === true && !attributes.has(name),
        ),
      ),
      blocks: Object.fromEntries(
        Object.entries(schema.blocks).filter(
          ([name, { minItems = 0 }]) => minItems > 0 && !isDynamic(name),
        ),
      ),
    };
    const count = Object.keys(lacking.attributes).length + Object.keys(lacking.blocks).length;
    if (count === 0) return [];
    const lines = withValues(requiredSnippet(lacking, 1));
    const { start } = spanOf(block.closeBraceRange);
    const { text } = this.#document;
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const isOwnLine = /^\s*$/.test(text.slice(lineStart, start));
    const indent =
      /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', block.range.start - 1) + 1))?.[0] ?? '';
    const inserted = lines
      .split('\n')
      .map((line) => (line === '' ? line : `${indent}${line}`))
      .join('\n');
    return this.#action('Add required arguments', 'quickfix', (set) => {
      if (isOwnLine) set.add(this.#document.path, lineStart, lineStart, inserted);
      else {
        // A block on one line gets lines of its own.
        const { end: open } = spanOf(block.openBraceRange);
        const inside = text.slice(open, start).trim();
        const kept = inside === '' ? '' : `${indent}  ${inside}\n`;
        set.add(this.#document.path, open, start, `\n${kept}${inserted}${indent}`);
      }
    });
  }

  /** Removes a variable or local value that nothing refers to, with the values that are set for it. */
  unused(): readonly CodeAction[] {
    const declaration = this.#declarationAt();
    if (declaration === undefined || this.#document.kind.role !== 'module') return [];
    const { kind, key } = declaration;
    if (kind !== 'variable' && kind !== 'local') return [];
    const occurrences = this.#project.occurrencesOf({ directory: this.#directory, key });
    if (occurrences.some(({ occurrence: { role } }) => role === 'reference')) return [];
    return this.#action(`Remove unused ${key}`, 'quickfix', (set) => {
      for (const { document, occurrence } of occurrences) {
        const root = jsonRoot(document);
        if (root !== undefined) {
          new JsonEditor(document, root, set).removeAt(occurrence.span.start);
          continue;
        }
        const { start, end } = removedSpan(document, occurrence.extent);
        set.add(document.path, start, end, '');
      }
    });
  }

  #declarationAt(): Declaration | undefined {
    const { start } = this.#selection;
    return this.#document.symbols.declarations.find(
      ({ nameSpan }) => nameSpan.start <= start && start <= nameSpan.end,
    );
  }

  /** Extracts the selected expression into a local value, and a constant into a variable. */
  extractions(): readonly CodeAction[] {
    const [block] = this.#blocks;
    if (block === undefined || this.#document.kind.role !== 'module') return [];
    if (!EXTRACTED_FROM.has(block.type)) return [];
    const { native, text, path } = this.#document;
    if (native === undefined) return [];
    const { attribute, expressions } = nodesAt(native, this.#selection.start);
    if (attribute === undefined || NOT_EXTRACTED.has(attribute.name)) return [];
    const expression = expressions.find(({ range }) => {
      const { start, end } = spanOf(range);
      return start === this.#selection.start && end === this.#selection.end && end > start;
    });
    if (expression === undefined || !isExtractable(expression)) return [];
    const span = spanOf(expression.range);
    // Inside a template, an interpolation would have to be added.
    const isPart = expressions.some(
      (outer) => outer !== expression && outer.kind === 'template' && expression.kind === 'literal',
    );
    if (isPart) return [];
    const module = this.#project.module(this.#directory);
    const unique = (root: 'var' | 'local'): string => uniqueName(module, root, attribute.name);
    const bound = boundNames(this.#blocks, expressions);
    const usesInstance = variables(expression).some(({ steps: [root] }) =>
      root?.kind === 'root' ? INSTANCE_ROOTS.has(root.name) || bound.has(root.name) : true,
    );
    const actions: CodeAction[] = [];
    if (!usesInstance && block.type !== 'locals') {
      const name = unique('local');
      actions.push(
        ...this.#action(`Extract to local.${name}`, 'refactor.extract', (set) => {
          set.add(path, span.start, span.end, `local.${name}`);
          const { start } = spanOf(block.range);
          const code = text.slice(span.start, span.end);
          set.add(path, start, start, `locals {\n  ${name} = ${code}\n}\n\n`);
        }),
      );
    }
    const problems: Parameters<typeof evaluate>[2] = [];
    const value =
      variables(expression).length === 0 ? evaluate(expression, undefined, problems) : undefined;
    if (
      value !== undefined &&
      !hasErrors(problems) &&
      value.isKnown &&
      !value.isNull &&
      !hasSecrets(value)
    ) {
      const name = unique('var');
      const type = constraintText(value.type);
      actions.push(
        ...this.#action(`Extract to var.${name}`, 'refactor.extract', (set) => {
          set.add(path, span.start, span.end, `var.${name}`);
          const { start } = spanOf(block.range);
          const code = text.slice(span.start, span.end);
          const typed = type === undefined ? '' : `  type    = ${type}\n`;
          set.add(path, start, start, `variable "${name}" {\n${typed}  default = ${code}\n}\n\n`);
        }),
      );
    }
    return actions;
  }

  /**
   * Converts `count` to `for_each` over the same indices as strings, with a `moved` block for each instance. Offered if
   * the number is known and all references name an instance.
   */
  countToForEach(): readonly CodeAction[] {
    const [block] = this.#blocks;
    if (block === undefined || (block.type !== 'resource' && block.type !== 'module')) return [];
    const count = block.body.attributes.get('count');
    const declaration = this.#document.symbols.declarations.find((each) => each.block === block);
    if (count === undefined || declaration === undefined) return [];
    const span = spanOf(count.range);
    if (this.#selection.start < block.range.start || this.#selection.start > span.end) return [];
    const text = sourceText(count.expression);
    const number = knownCount(count.expression, this.#context.values(this.#directory), text);
    if (number === undefined || number > MAX_MOVES) return [];
    const { key } = declaration;
    const set = new ChangeSet();
    if (!indexedReferences(this.#project, this.#directory, key, set)) return [];
    const { path, text: all } = this.#document;
    set.add(
      path,
      span.start,
      span.end,
      `for_each = toset([for i in range(${text}) : tostring(i)])`,
    );
    const inside = spanOf(block.range);
    const arguments_: Expression[] = [];
    walkHcl(block.body, { attribute: ({ expression }) => void arguments_.push(expression) });
    for (const { start, end } of indexUses(arguments_))
      set.add(path, start, end, 'tonumber(each.key)');
    const moves = Array.from(
      { length: number },
      (_, i) => `\n\nmoved {\n  from = ${key}[${i}]\n  to   = ${key}["${i}"]\n}`,
    );
    const lineEnd = all.indexOf('\n', inside.end);
    const at = lineEnd < 0 ? all.length : lineEnd;
    set.add(path, at, at, moves.join(''));
    return [
      {
        title: 'Convert count to for_each with moved blocks',
        kind: 'refactor.rewrite',
        changes: set.finish(this.#project),
      },
    ];
  }

  /** An `import` block for the object of the state at the address of the resource. */
  importBlock(): readonly CodeAction[] {
    const [block] = this.#blocks;
    const declaration = this.#document.symbols.declarations.find((each) => each.block === block);
    if (declaration === undefined || block === undefined) return [];
    if (this.#selection.start > block.openBraceRange.end) return [];
    const id = importableId(this.#context, this.#directory, declaration);
    if (id === undefined) return [];
    return this.#action(
      'Add an import block for the object of the state',
      'refactor.rewrite',
      (set) => {
        const { start } = spanOf(block.range);
        set.add(
          this.#document.path,
          start,
          start,
          `import {\n  to = ${declaration.key}\n  id = ${JSON.stringify(id)}\n}\n\n`,
        );
      },
    );
  }
}

/** Returns the names that `dynamic` blocks and `for` expressions around an expression bind. */
function boundNames(
  blocks: readonly NativeBlock[],
  expressions: readonly Expression[],
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { type, labels, body } of blocks) {
    if (type !== 'dynamic') continue;
    const iterator = body.attributes.get('iterator')?.expression;
    names.add(iterator === undefined ? (labels[0] ?? '') : sourceText(iterator));
  }
  for (const expression of expressions) {
    if (expression.kind !== 'for') continue;
    names.add(expression.valueName);
    if (expression.keyName !== undefined) names.add(expression.keyName);
  }
  return names;
}

function isExtractable(expression: Expression): boolean {
  if (expression.kind === 'objectKey' || expression.kind === 'splatItem') return false;
  // The parts of a splat are expressions of the tree, but not by themselves.
  const alone = parseExpression(new Source('', sourceText(expression)));
  if (hasErrors(alone.diagnostics) || alone.expression?.kind !== expression.kind) return false;
  let isSound = true;
  walkExpression(expression, (each) => {
    if (each.kind === 'syntaxError') isSound = false;
  });
  return isSound;
}

/** Values for the tab stops of a snippet. */
function withValues(snippet: string): string {
  return snippet
    .replaceAll(/\$\{\d+:([^}]*)\}/g, '$1')
    .replaceAll(/"\$\d+"/g, '""')
    .replaceAll(/\[\{ \$\d+ \}\]/g, '[]')
    .replaceAll(/\[\$\d+\]/g, '[]')
    .replaceAll(/\{ \$\d+ \}/g, '{}')
    .replaceAll(/= \$\d+/g, '= null')
    .replaceAll(/^\s*\$\d+\n/gm, '');
}

/** A declared block, or an argument with its line. */
function removedSpan({ text }: SourceDocument, span: Span): Span {
  const isBlock = text[span.end - 1] === '}' && text.slice(span.start, span.end).includes('{');
  if (isBlock && text.slice(span.start).startsWith('variable')) return wholeLines(text, span);
  const lineStart = text.lastIndexOf('\n', span.start - 1) + 1;
  const lineEnd = text.indexOf('\n', span.end);
  const before = text.slice(lineStart, span.start);
  const after = text.slice(span.end, lineEnd < 0 ? text.length : lineEnd);
  // Other text on the line stays.
  if (!/^\s*$/.test(before) || !/^\s*(?:(?:#|\/\/).*)?$/.test(after)) return span;
  return { start: lineStart, end: lineEnd < 0 ? text.length : lineEnd + 1 };
}
