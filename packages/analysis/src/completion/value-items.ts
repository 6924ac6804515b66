import { isValidIdentifier } from '@terrane/hcl';
import type { AttributeSchema } from '@terrane/provider';
import { partType } from '../analysis-context.ts';
import { referenceBefore } from '../cursor-context.ts';
import type { FoundDeclaration } from '../module-index.ts';
import { ownProperty } from '../schema-lookup.ts';
import type { Declaration, Span } from '../symbol.ts';
import {
  attributeDetail,
  type CompletionItem,
  declarationDetail,
  functionItem,
  valueSnippet,
} from './completion-item.ts';
import { ANY, type CompletionSite } from './completion-site.ts';
import { memberItems } from './member-items.ts';

/** Source addresses of local modules. */
export function textItems(site: CompletionSite): readonly CompletionItem[] {
  const { blocks, argument, nesting, typed } = site.cursor;
  const inString = nesting.at(-1);
  if (inString?.kind !== 'string' || nesting.length > 1) return [];
  if (argument !== 'source' || blocks.at(-1)?.type !== 'module') return [];
  return localModules(site).map((path) => ({
    label: path,
    kind: 'file',
    detail: 'local module',
    insert: path,
    span: { start: inString.start, end: typed.end },
    rank: 1,
  }));
}

/** Directories near the module that contain configuration files. */
function localModules(site: CompletionSite): readonly string[] {
  const { project } = site.context;
  const sources: string[] = [];
  const search = (directory: string, prefix: string, depth: number): void => {
    let entries;
    try {
      entries = project.files.readDirectorySync(directory);
    } catch {
      return;
    }
    for (const { name, kind } of entries) {
      if (kind !== 'directory' || name.startsWith('.') || sources.length >= 100) continue;
      const inside = `${directory}/${name}`;
      if (inside !== site.directory && project.module(inside).paths.length > 0)
        sources.push(`${prefix}${name}`);
      if (depth > 0) search(inside, `${prefix}${name}/`, depth - 1);
    }
  };
  search(site.directory, './', 1);
  const slash = site.directory.lastIndexOf('/');
  if (slash > 0) search(site.directory.slice(0, slash), '../', 1);
  return sources;
}

/** Keys of an object. */
export function keyItems(site: CompletionSite): readonly CompletionItem[] {
  const { nesting, typed } = site.cursor;
  const object = nesting.at(-1);
  const expected = site.expected();
  if (expected === undefined || object?.kind !== 'object') return [];
  const attributes =
    expected.attributes ??
    (expected.type?.kind === 'object'
      ? Object.fromEntries(
          expected.type.names.map((name): [string, AttributeSchema] => {
            const type = partType(expected.type ?? ANY, name) ?? ANY;
            const isOptional = expected.type?.kind === 'object' && expected.type.optional.has(name);
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

/** References, functions and keywords in an expression. */
export function valueItems(site: CompletionSite): readonly CompletionItem[] {
  const { text } = site.document;
  const reference = referenceBefore(text, site.offset);
  const dot = reference.lastIndexOf('.');
  const keywords = keywordItems(site);
  if (keywords !== undefined) return keywords;
  if (dot >= 0) {
    const partial = reference.length - dot - 1;
    return memberItems(site, reference.slice(0, dot), {
      start: site.offset - partial,
      end: site.offset,
    });
  }
  return rootItems(site, { start: site.offset - reference.length, end: site.offset });
}

/** Values of arguments that are keywords or addresses rather than expressions. */
function keywordItems(site: CompletionSite): readonly CompletionItem[] | undefined {
  const { blocks, argument, typed } = site.cursor;
  const innermost = blocks.at(-1)?.type ?? '';
  const keyword = (label: string, insert = label): CompletionItem => ({
    label,
    kind: 'keyword',
    insert,
    span: typed,
    rank: 0,
    ...(insert === label ? {} : { isSnippet: true as const }),
  });
  const role = site.document.kind.role;
  if (innermost === 'variable' && argument === 'type') {
    const hasDot = referenceBefore(site.document.text, site.offset).includes('.');
    return hasDot ? [] : TYPE_KEYWORDS.map(([label, insert]) => keyword(label, insert));
  }
  if (argument === 'provider' && blocks.length === 1) return providerItems(site);
  if (argument === 'providers') return providerItems(site);
  if (innermost === 'lifecycle' && argument === 'ignore_changes') {
    const schema = site.lookup.blockSchema(role, blocks.slice(0, -1));
    return [
      keyword('all'),
      ...Object.entries(schema?.attributes ?? {}).flatMap(([name, { optional, required }]) =>
        optional === true || required === true ? [keyword(name)] : [],
      ),
    ];
  }
  const fixed = ownProperty(FIXED_VALUES, `${innermost}.${argument ?? ''}`);
  return fixed?.map((label) => keyword(label));
}

function providerItems(site: CompletionSite): readonly CompletionItem[] {
  const reference = referenceBefore(site.document.text, site.offset);
  const span = { start: site.offset - reference.length, end: site.offset };
  const module = site.context.project.module(site.directory);
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

function rootItems(site: CompletionSite, span: Span): readonly CompletionItem[] {
  const { role } = site.document.kind;
  const module = site.context.project.module(site.directory);
  const expected = site.expected();
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
    for (const { declaration } of nearestFirst(site, module.ofKind(kind))) {
      items.push({
        label: `${prefix}${declaration.name}`,
        kind: kind === 'module' ? 'module' : 'variable',
        detail: declarationDetail(declaration),
        insert: `${prefix}${declaration.name}`,
        span,
        rank: 3,
      });
    }
  };
  const { blocks } = site.cursor;
  const isInside = (type: string): boolean => blocks.some((block) => block.type === type);
  if (isInside('resource') || isInside('data') || isInside('module') || isInside('ephemeral')) {
    const block = site.existingBlock(blocks.slice(0, 1));
    if (block?.body.attributes.has('for_each') === true)
      root('each', 'key and value of the instance', 1);
    if (block?.body.attributes.has('count') === true) root('count', 'index of the instance', 1);
  }
  if (isInside('postcondition') || isInside('provisioner') || isInside('connection'))
    root('self', 'this object', 1);
  for (const block of blocks) {
    if (block.type === 'dynamic') root(block.labels[0] ?? '', 'current element', 1);
  }
  for (const name of boundNames(site))
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
    for (const { declaration } of nearestFirst(site, module.ofKind(kind))) {
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
    for (const declaration of site.document.declarations) {
      if (declaration.kind === 'run') root(`run.${declaration.name}`, 'outputs of the run');
    }
    declared('output', 'output.');
  }
  root('path', 'paths of the module', 6);
  root('terraform', 'the workspace', 6);
  for (const signature of site.context.functions) {
    if (signature.name.includes('::')) continue;
    items.push(functionItem(signature, span));
  }
  items.push(...providerFunctionItems(site, span));
  return items;
}

/** Declarations of the same file come first, because there may be more of them than are offered. */
function nearestFirst(
  { document: { path } }: CompletionSite,
  declarations: readonly FoundDeclaration[],
): readonly FoundDeclaration[] {
  const isNear = ({ document }: FoundDeclaration): boolean => document.path === path;
  const near = declarations.filter(isNear);
  if (near.length === 0) return declarations;
  return [...near, ...declarations.filter((declaration) => !isNear(declaration))];
}

function providerFunctionItems(site: CompletionSite, span: Span): readonly CompletionItem[] {
  return site.lookup.localNames().flatMap((provider) => {
    const functions = site.lookup.provider(provider)?.functions ?? {};
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
function boundNames(site: CompletionSite): readonly string[] {
  const { valueStart } = site.cursor;
  if (valueStart === undefined) return [];
  const text = site.document.text.slice(Math.max(valueStart, site.offset - 5000), site.offset);
  return [
    ...text.matchAll(
      /\bfor\s+([\p{ID_Start}_][\p{ID_Continue}-]*)(?:\s*,\s*([\p{ID_Start}_][\p{ID_Continue}-]*))?\s+in\b/gu,
    ),
  ].flatMap(([, first, second]) => [first, second].filter((name) => name !== undefined));
}

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
