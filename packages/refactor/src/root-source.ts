import { configurationFiles } from '@terrane/engine';
import {
  asList,
  asTraversal,
  type Diagnostic,
  errorDiagnostic,
  type Expression,
  hasErrors,
  type NativeAttribute,
  type NativeBlock,
  type NativeBody,
  parseHcl,
  type Range,
  type Traversal,
  variables,
} from '@terrane/hcl';
import type { FileSystem } from '@terrane/host';
import type { Outcome } from '@terrane/ops';

/** The use of a reference, as far as refactorings distinguish it. */
export type ReferenceUse = 'value' | 'depends_on' | 'replace_triggered_by' | 'import';

/** A reference in the text of a root module. */
export interface Reference {
  /** the declaration that it leads to, such as "var.a", "data.aws_ami.b" or "module.c"; "" for `each`, `path`, … */
  readonly subject: string;
  readonly use: ReferenceUse;
  readonly traversal: Traversal;
  readonly range: Range;
  /** the text of the reference */
  readonly text: string;
}

/** A declaration of a root module: a block, or one value of a `locals` block. */
export interface Item {
  /** as in {@link Reference.subject}; also "output.x" and "provider.aws.west"; "" for other blocks */
  readonly subject: string;
  readonly file: string;
  /** the block, or the `locals` block around the value */
  readonly block: NativeBlock;
  /** the value, if it is one of `locals` */
  readonly attribute?: NativeAttribute;
  readonly references: readonly Reference[];
}

/** The text of a root module, in files of the native syntax. */
export interface RootSource {
  /** texts by path */
  readonly texts: ReadonlyMap<string, string>;
  readonly items: readonly Item[];
}

/** Reads the root module in the working directory. Files in the JSON syntax are an error, because they cannot be edited. */
export async function readRoot(files: FileSystem): Promise<Outcome<RootSource>> {
  const listed = configurationFiles(files, '.');
  const paths = [...(listed?.primary ?? []), ...(listed?.overrides ?? [])];
  const texts = new Map<string, string>();
  const items: Item[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const path of paths) {
    if (path.endsWith('.json')) {
      diagnostics.push(
        errorDiagnostic(
          'JSON configuration',
          `The file ${path} is written in the JSON syntax, which refactorings cannot edit. Convert it to the native syntax first.`,
        ),
      );
      continue;
    }
    const text = await files.readText(path);
    const file = parseHcl(text, { filename: path });
    diagnostics.push(...file.diagnostics);
    texts.set(path, text);
    for (const block of file.body.blocks) items.push(...itemsOf(path, block));
  }
  return hasErrors(diagnostics) ? { diagnostics } : { result: { texts, items }, diagnostics };
}

function itemsOf(file: string, block: NativeBlock): readonly Item[] {
  if (block.type === 'locals') {
    return [...block.body.attributes.values()].map((attribute) => ({
      subject: `local.${attribute.name}`,
      file,
      block,
      attribute,
      references: referencesIn(attribute.expression, 'value', new Set()),
    }));
  }
  return [{ subject: subjectOfBlock(block), file, block, references: referencesOfBlock(block) }];
}

function subjectOfBlock({ type, labels, body }: NativeBlock): string {
  const [first = '', second = ''] = labels;
  switch (type) {
    case 'resource':
      return `${first}.${second}`;
    case 'data':
    case 'ephemeral':
    case 'action':
      return `${type}.${first}.${second}`;
    case 'variable':
      return `var.${first}`;
    case 'module':
    case 'output':
    case 'check':
      return `${type}.${first}`;
    case 'provider': {
      const alias = body.attributes.get('alias')?.expression;
      const value = alias?.kind === 'template' ? alias.parts[0] : undefined;
      const name = value?.kind === 'literal' ? `.${value.value.asString()}` : '';
      return `provider.${first}${name}`;
    }
    default:
      return '';
  }
}

function referencesOfBlock(block: NativeBlock): readonly Reference[] {
  const isResource = ['resource', 'data', 'ephemeral', 'module', 'action'].includes(block.type);
  const references: Reference[] = [];
  const visit = (body: NativeBody, path: readonly string[], bound: ReadonlySet<string>): void => {
    for (const { name, expression } of body.attributes.values()) {
      references.push(
        ...attributeReferences(block.type, isResource, path, name, expression, bound),
      );
    }
    for (const inner of body.blocks) {
      const iterator = inner.type === 'dynamic' ? iteratorOf(inner) : undefined;
      if (iterator === undefined) {
        visit(inner.body, [...path, inner.type], bound);
        continue;
      }
      for (const { name, expression } of inner.body.attributes.values()) {
        if (name === 'iterator') continue;
        references.push(...referencesIn(expression, 'value', bound));
      }
      const within = new Set([...bound, iterator]);
      for (const content of inner.body.blocks) visit(content.body, [...path, 'content'], within);
    }
  };
  visit(block.body, [], new Set());
  return references;
}

function attributeReferences(
  type: string,
  isResource: boolean,
  path: readonly string[],
  name: string,
  expression: Expression,
  bound: ReadonlySet<string>,
): readonly Reference[] {
  if (type === 'moved' || type === 'removed') return [];
  if (type === 'import' && path.length === 0 && name === 'to') {
    return referencesIn(expression, 'import', bound);
  }
  if (path.length === 0 && (isResource || type === 'import') && name === 'provider') return [];
  if (path.length === 0 && type === 'module' && name === 'providers') return [];
  if (type === 'variable' && name === 'type') return [];
  if (path.length === 0 && name === 'depends_on') return listReferences(expression, 'depends_on');
  if (path[0] === 'lifecycle' && path.length === 1) {
    if (name === 'ignore_changes') return [];
    if (name === 'replace_triggered_by') {
      return referencesIn(expression, 'replace_triggered_by', bound);
    }
  }
  return referencesIn(expression, 'value', bound);
}

function listReferences(expression: Expression, use: ReferenceUse): readonly Reference[] {
  return (asList(expression) ?? []).flatMap((element) => {
    const traversal = asTraversal(element);
    return traversal === undefined ? [] : [referenceOf(traversal, use)];
  });
}

function iteratorOf({ labels, body }: NativeBlock): string {
  const iterator = body.attributes.get('iterator')?.expression;
  const root = iterator === undefined ? undefined : asTraversal(iterator)?.steps[0];
  return root?.kind === 'root' ? root.name : (labels[0] ?? '');
}

function referencesIn(
  expression: Expression,
  use: ReferenceUse,
  bound: ReadonlySet<string>,
): readonly Reference[] {
  return variables(expression).flatMap((traversal) => {
    const [root] = traversal.steps;
    return root?.kind === 'root' && bound.has(root.name) ? [] : [referenceOf(traversal, use)];
  });
}

function referenceOf(traversal: Traversal, use: ReferenceUse): Reference {
  const { range } = traversal;
  const text = range.source.text.slice(range.start, range.end);
  return { subject: subjectOf(traversal), use, traversal, range, text };
}

const OWN_NAMES = new Set(['each', 'count', 'self', 'path', 'terraform', 'tofu', 'caller']);

/** Returns the declaration that a traversal leads to; "" if there is none in the module. */
export function subjectOf({ steps }: Traversal): string {
  const names = steps.slice(0, 3).map((step) => ('name' in step ? step.name : undefined));
  const [root, second, third] = names;
  if (root === undefined || second === undefined || OWN_NAMES.has(root)) return '';
  if (root === 'var' || root === 'local' || root === 'module') return `${root}.${second}`;
  if (root === 'data' || root === 'ephemeral' || root === 'action') {
    return third === undefined ? '' : `${root}.${second}.${third}`;
  }
  return `${root}.${second}`;
}

/** A replacement of a part of a file. */
export interface Replacement {
  readonly file: string;
  readonly range: Range;
  readonly text: string;
}

/** Returns texts with replacements; all other parts are unchanged. */
export function replaceParts(
  texts: ReadonlyMap<string, string>,
  replacements: readonly Replacement[],
): Map<string, string> {
  const results = new Map(texts);
  const byFile = new Map<string, Replacement[]>();
  for (const each of replacements) {
    byFile.set(each.file, [...(byFile.get(each.file) ?? []), each]);
  }
  for (const [file, list] of byFile) {
    const original = results.get(file) ?? '';
    const pieces: string[] = [];
    let end = 0;
    for (const { range, text } of list.toSorted((a, b) => a.range.start - b.range.start)) {
      if (range.start < end) continue;
      pieces.push(original.slice(end, range.start), text);
      end = range.end;
    }
    pieces.push(original.slice(end));
    results.set(file, pieces.join(''));
  }
  return results;
}
