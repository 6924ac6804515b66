import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import * as protocol from 'vscode-languageserver-protocol';
import { root } from '../../../scripts/root.ts';
import type { BaseName, Message, MetaModel, Property, Structure, Type } from './meta-model.ts';

/** A node of the syntax tree of declarations. Only the fields that are read are looked at. */
// oxlint-disable-next-line typescript/no-explicit-any -- ESTree nodes of TypeScript have no usable union here
type Node = any;

/** The installed package of the protocol. */
export const PROTOCOL_PACKAGE: string = join(root, 'node_modules/vscode-languageserver-protocol');

const BASES: Readonly<Record<string, BaseName>> = {
  URI: 'URI',
  DocumentUri: 'DocumentUri',
  integer: 'integer',
  uinteger: 'uinteger',
  decimal: 'decimal',
};

/** Types that accept any JSON value. */
const ANY = 'LSPAny';

/** Returns the declaration files of the published packages of the protocol. */
function declarationFiles(): string[] {
  const common = join(PROTOCOL_PACKAGE, 'lib/common');
  return [
    join(root, 'node_modules/vscode-languageserver-types/lib/esm/main.d.ts'),
    ...readdirSync(common)
      .filter((name) => /^protocol\..*d\.ts$|^protocol\.d\.ts$/.test(name))
      .map((name) => join(common, name)),
  ];
}

/** The declarations of the meta model by name. */
interface Declarations {
  readonly types: Map<string, Node>;
  /** type arguments of the constant `type` of a namespace */
  readonly messages: Map<string, Node>;
  /** literal constants of namespaces, by "Namespace.Name" */
  readonly constants: Map<string, Node>;
}

function readDeclarations(): Declarations {
  const types = new Map<string, Node>();
  const messages = new Map<string, Node>();
  const constants = new Map<string, Node>();
  for (const file of declarationFiles()) {
    const { program } = parseSync(file, readFileSync(file, 'utf8'));
    for (const statement of program.body as Node[]) {
      const declaration = statement.declaration ?? statement;
      const name: string = declaration.id?.name ?? '';
      if (/^TS(?:Interface|TypeAlias)Declaration$/.test(declaration.type)) {
        types.set(name, declaration);
      }
      if (declaration.type !== 'TSModuleDeclaration') continue;
      for (const inner of declaration.body?.body ?? []) {
        const variables = (inner.declaration ?? inner).declarations ?? [];
        for (const variable of variables) {
          const annotation = variable.id?.typeAnnotation?.typeAnnotation ?? variable.init;
          if (variable.id?.name === 'type') messages.set(name, annotation);
          else constants.set(`${name}.${variable.id?.name}`, annotation);
        }
      }
    }
  }
  return { types, messages, constants };
}

/**
 * Reads the meta model of the installed protocol from the declarations of its package. The published metaModel.json is
 * generated from the same sources, but no package contains it; metaModel.schema.json of the package describes the form.
 */
export function readMetaModel(): MetaModel {
  const declarations = readDeclarations();
  const structures: Structure[] = [];
  const typeAliases: { name: string; type: Type }[] = [{ name: ANY, type: reference(ANY) }];
  for (const [name, node] of declarations.types) {
    if (name === ANY || name === 'LSPObject' || name in BASES) continue;
    if (node.type === 'TSInterfaceDeclaration') {
      const extended = (node.extends ?? []).map((clause: Node) =>
        reference(clause.expression.name),
      );
      structures.push({
        name,
        properties: propertiesOf(node.body.body, declarations),
        ...(extended.length === 0 ? {} : { extends: extended }),
      });
    } else typeAliases.push({ name, type: typeOf(node.typeAnnotation, declarations) });
  }
  const requests: (Message & { readonly result: Type })[] = [];
  const notifications: Message[] = [];
  for (const [namespace, annotation] of declarations.messages) {
    const runtime = (protocol as unknown as Record<string, Partial<Message>>)[namespace];
    if (runtime?.method === undefined || runtime.messageDirection === undefined) continue;
    const args: Node[] = annotation.typeArguments?.params ?? [];
    const message = (params: Node | undefined): Message => ({
      method: runtime.method ?? '',
      typeName: namespace,
      messageDirection: runtime.messageDirection ?? 'both',
      ...(params === undefined ? {} : { params: typeOf(params, declarations) }),
    });
    const kind: string = annotation.typeName?.name;
    if (kind === 'ProtocolNotificationType') notifications.push(message(args[0]));
    if (kind === 'ProtocolNotificationType0') notifications.push(message(undefined));
    if (kind === 'ProtocolRequestType') {
      requests.push({ ...message(args[0]), result: resultOf(args[1], declarations) });
    }
    if (kind === 'ProtocolRequestType0') {
      requests.push({ ...message(undefined), result: resultOf(args[0], declarations) });
    }
  }
  const manifest = readFileSync(join(PROTOCOL_PACKAGE, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  const metaData = { version };
  return { metaData, requests, notifications, structures, enumerations: [], typeAliases };
}

function reference(name: string): Type {
  return { kind: 'reference', name };
}

/** A request without a result answers null. */
function resultOf(node: Node, declarations: Declarations): Type {
  return node.type === 'TSVoidKeyword'
    ? { kind: 'base', name: 'null' }
    : typeOf(node, declarations);
}

function propertiesOf(members: readonly Node[], declarations: Declarations): Property[] {
  return members.flatMap((member): Property[] => {
    if (member.type !== 'TSPropertySignature') return [];
    const name: string = member.key.name ?? member.key.value;
    const type = typeOf(member.typeAnnotation.typeAnnotation, declarations);
    return [{ name, type, ...(member.optional === true ? { optional: true } : {}) }];
  });
}

function typeOf(node: Node, declarations: Declarations): Type {
  const convert = (inner: Node): Type => typeOf(inner, declarations);
  switch (node.type) {
    case 'TSStringKeyword':
      return { kind: 'base', name: 'string' };
    case 'TSNumberKeyword':
      return { kind: 'base', name: 'decimal' };
    case 'TSBooleanKeyword':
      return { kind: 'base', name: 'boolean' };
    case 'TSNullKeyword':
    case 'TSVoidKeyword':
    case 'TSUndefinedKeyword':
      return { kind: 'base', name: 'null' };
    case 'TSAnyKeyword':
    case 'TSUnknownKeyword':
    case 'TSObjectKeyword':
      return reference(ANY);
    case 'TSParenthesizedType':
      return convert(node.typeAnnotation);
    case 'TSTypeOperator':
      return convert(node.typeAnnotation);
    case 'TSArrayType':
      return { kind: 'array', element: convert(node.elementType) };
    case 'TSTupleType':
      return {
        kind: 'tuple',
        items: node.elementTypes.map((item: Node) => convert(item.elementType ?? item)),
      };
    case 'TSUnionType':
      return { kind: 'or', items: node.types.map(convert) };
    case 'TSIntersectionType':
      return { kind: 'and', items: node.types.map(convert) };
    case 'TSLiteralType':
    case 'Literal':
      return literalOf(node.literal ?? node);
    case 'TSTypeLiteral':
      return literalType(node, declarations);
    case 'TSTypeQuery': {
      const { left, right } = node.exprName;
      const constant = declarations.constants.get(`${left?.name}.${right?.name}`);
      if (constant === undefined) throw new Error(`unknown constant ${left?.name}.${right?.name}`);
      return convert(constant);
    }
    case 'TSTypeReference':
      return referenceType(node, declarations);
    default:
      throw new Error(`type ${node.type} has no place in the meta model`);
  }
}

function literalOf(node: Node): Type {
  const value: unknown = node.type === 'UnaryExpression' ? -node.argument.value : node.value;
  if (typeof value === 'string') return { kind: 'stringLiteral', value };
  if (typeof value === 'number') return { kind: 'integerLiteral', value };
  return { kind: 'booleanLiteral', value: value === true };
}

function literalType(node: Node, declarations: Declarations): Type {
  const [first] = node.members;
  if (first?.type === 'TSIndexSignature') {
    return {
      kind: 'map',
      key: typeOf(first.parameters[0].typeAnnotation.typeAnnotation, declarations),
      value: typeOf(first.typeAnnotation.typeAnnotation, declarations),
    };
  }
  return { kind: 'literal', value: { properties: propertiesOf(node.members, declarations) } };
}

function referenceType(node: Node, declarations: Declarations): Type {
  const name: string = node.typeName.name;
  const args: Node[] = node.typeArguments?.params ?? [];
  if (name in BASES) return { kind: 'base', name: BASES[name] ?? 'string' };
  if (name === 'Array' && args[0] !== undefined) {
    return { kind: 'array', element: typeOf(args[0], declarations) };
  }
  if (name === 'ProgressToken') {
    return {
      kind: 'or',
      items: [
        { kind: 'base', name: 'integer' },
        { kind: 'base', name: 'string' },
      ],
    };
  }
  // Type parameters, whose arguments are "any" in the protocol.
  if (/^[A-Z]$/.test(name) || name === 'LSPObject') return reference(ANY);
  return reference(name);
}
