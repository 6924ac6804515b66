import { isNode, type Node, parseSource, type Syntax } from '../syntax.ts';

/** An exported name and the module that declares it, relative to the sources. */
export interface Export {
  readonly name: string;
  readonly module: string;
}

/** A declaration with its documentation. */
export interface Declaration {
  readonly name: string;
  /** without bodies, initial values and private members */
  readonly signature: string;
  /** text of the doc comment; empty without one */
  readonly comment: string;
  /** names of types in the signature */
  readonly references: readonly string[];
}

/** Returns the names that an index module exports from modules of the package, in its order. */
export function exportsOf(index: Syntax): readonly Export[] {
  return bodyOf(index.program).flatMap((statement) => {
    const { source, specifiers } = statement;
    if (statement.type !== 'ExportNamedDeclaration' || !isNode(source)) return [];
    const specifier = String(source['value']);
    if (!specifier.startsWith('.') || !Array.isArray(specifiers)) return [];
    return specifiers.filter(isNode).map((each) => ({
      name: nameOf(each['exported']),
      module: resolveModule(index.path, specifier),
    }));
  });
}

/** Returns the modules that a module imports names from, by name. */
export function importsOf(syntax: Syntax): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  for (const statement of bodyOf(syntax.program)) {
    const { source, specifiers } = statement;
    if (statement.type !== 'ImportDeclaration' || !isNode(source)) continue;
    const specifier = String(source['value']);
    if (!specifier.startsWith('.') || !Array.isArray(specifiers)) continue;
    for (const each of specifiers.filter(isNode)) {
      modules.set(nameOf(each['local']), resolveModule(syntax.path, specifier));
    }
  }
  return modules;
}

/** Returns the declarations of a module by name. Overloads are one declaration, without the implementation. */
export function declarationsOf(syntax: Syntax): ReadonlyMap<string, Declaration> {
  const declarations = new Map<string, Declaration>();
  for (const statement of bodyOf(syntax.program)) {
    const isExport = statement.type === 'ExportNamedDeclaration';
    const node = isExport ? statement['declaration'] : statement;
    if (!isNode(node)) continue;
    for (const { name, signature } of signaturesOf(syntax, node)) {
      const earlier = declarations.get(name);
      const comment = commentBefore(syntax, statement.start);
      if (earlier === undefined) {
        declarations.set(name, { name, signature, comment, references: typeNames(signature) });
      } else if (node.type === 'TSDeclareFunction') {
        const joined = `${earlier.signature}\n${signature}`;
        declarations.set(name, { ...earlier, signature: joined, references: typeNames(joined) });
      }
    }
  }
  return declarations;
}

interface Signature {
  readonly name: string;
  readonly signature: string;
}

function signaturesOf({ text }: Syntax, node: Node): readonly Signature[] {
  const slice = (from: number, to: number): string => text.slice(from, to).trim();
  switch (node.type) {
    case 'TSDeclareFunction':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
      return [{ name: nameOf(node['id']), signature: slice(node.start, node.end) }];
    case 'FunctionDeclaration': {
      const { body } = node;
      const signature = `${slice(node.start, isNode(body) ? body.start : node.end)};`;
      return [{ name: nameOf(node['id']), signature }];
    }
    case 'VariableDeclaration':
      return nodes(node['declarations']).map((each) => {
        const { id } = each;
        const declared = isNode(id) ? slice(id.start, id.end) : '';
        return { name: nameOf(id), signature: `const ${declared};` };
      });
    case 'ClassDeclaration':
      return [{ name: nameOf(node['id']), signature: classSignature(text, node) }];
    default:
      return [];
  }
}

function classSignature(text: string, node: Node): string {
  const { body } = node;
  if (!isNode(body)) return '';
  const members = nodes(body['body']).flatMap((member) => {
    const { key, value } = member;
    if (isNode(key) && key.type === 'PrivateIdentifier') return [];
    if (member.type !== 'MethodDefinition' && member.type !== 'PropertyDefinition') return [];
    if (member['accessibility'] === 'private') return [];
    const inner = isNode(value) ? value['body'] : undefined;
    const initial = member.type === 'PropertyDefinition' && isNode(value) ? value.start : undefined;
    const end = initial ?? (isNode(inner) ? inner.start : member.end);
    const declared = text
      .slice(member.start, end)
      .replace(/[\s=;]+$/, '')
      .replace(/^override /, '');
    const comment = rawCommentBefore(text, member.start);
    return [`${comment === '' ? '' : `  ${comment}\n`}  ${declared};`];
  });
  const head = text.slice(node.start, body.start).trim();
  return `${head} {\n${members.join('\n')}\n}`;
}

/** Returns the text of the doc comment directly before an offset, without delimiters. */
function commentBefore({ text }: Syntax, offset: number): string {
  return rawCommentBefore(text, offset)
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();
}

function rawCommentBefore(text: string, offset: number): string {
  const before = text.slice(0, offset).trimEnd();
  if (!before.endsWith('*/')) return '';
  const start = before.lastIndexOf('/*');
  const comment = before.slice(start);
  return comment.startsWith('/**') ? comment : '';
}

const typeNames = (signature: string): readonly string[] => [
  ...new Set(
    Array.from(
      signature.replaceAll(/\/\*\*[\s\S]*?\*\//g, '').matchAll(/\b[A-Z]\w+/g),
      ([name]) => name,
    ),
  ),
];

function bodyOf(program: Node): readonly Node[] {
  return nodes(program['body']);
}

function nodes(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node['name'] ?? node['value']) : '';
}

/** Resolves a relative specifier against the module that contains it. */
function resolveModule(from: string, specifier: string): string {
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

/** Parses a module of the sources. */
export function parseModule(path: string, text: string): Syntax {
  return parseSource(path, text);
}
