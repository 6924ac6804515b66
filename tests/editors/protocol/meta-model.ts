/** Types of the meta model of the Language Server Protocol, as metaModel.schema.json describes them. */

export type BaseName =
  | 'URI'
  | 'DocumentUri'
  | 'integer'
  | 'uinteger'
  | 'decimal'
  | 'RegExp'
  | 'string'
  | 'boolean'
  | 'null';

export type Type =
  | { readonly kind: 'base'; readonly name: BaseName }
  | { readonly kind: 'reference'; readonly name: string }
  | { readonly kind: 'array'; readonly element: Type }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  | { readonly kind: 'and'; readonly items: readonly Type[] }
  | { readonly kind: 'or'; readonly items: readonly Type[] }
  | { readonly kind: 'tuple'; readonly items: readonly Type[] }
  | { readonly kind: 'literal'; readonly value: { readonly properties: readonly Property[] } }
  | { readonly kind: 'stringLiteral'; readonly value: string }
  | { readonly kind: 'integerLiteral'; readonly value: number }
  | { readonly kind: 'booleanLiteral'; readonly value: boolean };

export interface Property {
  readonly name: string;
  readonly type: Type;
  readonly optional?: true;
}

export interface Structure {
  readonly name: string;
  readonly properties: readonly Property[];
  readonly extends?: readonly Type[];
}

export interface Message {
  readonly method: string;
  readonly typeName: string;
  readonly messageDirection: 'clientToServer' | 'serverToClient' | 'both';
  readonly params?: Type;
}

export interface MetaModel {
  readonly metaData: { readonly version: string };
  readonly requests: readonly (Message & { readonly result: Type })[];
  readonly notifications: readonly Message[];
  readonly structures: readonly Structure[];
  readonly enumerations: readonly [];
  readonly typeAliases: readonly { readonly name: string; readonly type: Type }[];
}
