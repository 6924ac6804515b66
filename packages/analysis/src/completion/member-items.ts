import type { Type } from '@terrane/cty';
import { type BlockSchema, impliedType } from '@terrane/provider';
import { partType } from '../analysis-context.ts';
import { variableType } from '../schema-lookup.ts';
import type { Declaration, Span } from '../symbol.ts';
import {
  attributeDetail,
  type CompletionItem,
  declarationDetail,
  documentationOf,
} from './completion-item.ts';
import type { CompletionSite } from './completion-site.ts';

/** Returns the members of the reference before the last dot. */
export function memberItems(
  site: CompletionSite,
  of: string,
  span: Span,
): readonly CompletionItem[] {
  const { project } = site.context;
  const module = project.module(site.directory);
  const path = splitReference(of);
  const [first = '', second = '', third = ''] = path;
  const named = (members: Iterable<Declaration>): CompletionItem[] =>
    [...members].map((declaration) => ({
      label: declaration.name,
      kind: 'variable',
      detail: declarationDetail(declaration),
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
          ...(site.document.kind.role === 'test'
            ? site.document.declarations.filter(({ kind }) => kind === 'variable')
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
        return named(site.document.declarations.filter(({ kind }) => kind === 'run'));
      case 'output':
        if (site.document.kind.role === 'test') return named(declarations('output'));
        break;
      case 'self':
        return selfItems(site, span);
    }
  }
  if (first === 'module' && path.length === 2) return outputItems(site, second, span);
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
    const schema = site.lookup.resource(isMode ? first : 'resource', type);
    if (schema !== undefined) return schemaMembers(schema.block, path.slice(depth), span);
  }
  const declared = declaredType(site, path);
  if (declared !== undefined) return plain(typeNames(declared));
  const value = site.context.values(site.directory)?.valueOf(of);
  return value === undefined ? [] : plain(typeNames(value.type));
}

/** The type of a variable and of its parts. */
function declaredType(
  site: CompletionSite,
  [root, name, ...rest]: readonly string[],
): Type | undefined {
  if (root !== 'var' || name === undefined) return undefined;
  const [variable] = site.context.project.module(site.directory).declarationsOf(`var.${name}`);
  let type: Type | undefined = variableType(variable?.declaration.arguments.get('type'));
  for (const step of rest) type = type === undefined ? undefined : partType(type, step);
  return type?.kind === 'dynamic' ? undefined : type;
}

function outputItems(site: CompletionSite, call: string, span: Span): readonly CompletionItem[] {
  const { project } = site.context;
  const link = project.module(site.directory).links.get(call);
  const target = link === undefined ? undefined : project.linkedDirectory(site.directory, link);
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

function selfItems(site: CompletionSite, span: Span): readonly CompletionItem[] {
  const [outer] = site.cursor.blocks;
  if (outer === undefined) return [];
  const schema = site.lookup.resource(outer.type, outer.labels[0] ?? '');
  return schema === undefined ? [] : schemaMembers(schema.block, [], span);
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
