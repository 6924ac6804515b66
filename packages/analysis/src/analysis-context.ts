import type { Type, Value } from '@terrane/cty';
import type { FunctionSignature } from '@terrane/functions';
import type { ProjectModel } from './project-model.ts';
import { type ModuleSchemas, NO_SCHEMAS } from './schema-lookup.ts';

/** Values of expressions of one module, from the engine. */
export interface ModuleValues {
  /** Returns the value of an expression; undefined if it is invalid or not available yet. */
  valueOf(expression: string): Value | undefined;
}

/** The context of queries: the project, and the schemas, functions and values of the module of a document. */
export interface AnalysisContext {
  readonly project: ProjectModel;
  readonly schemas: (directory: string) => ModuleSchemas;
  readonly functions: readonly FunctionSignature[];
  readonly values: (directory: string) => ModuleValues | undefined;
}

/** A context without providers, functions and values. */
export function plainContext(project: ProjectModel): AnalysisContext {
  return { project, schemas: () => NO_SCHEMAS, functions: [], values: () => undefined };
}

/** Returns the type of the attribute or element of a type. */
export function partType(type: Type, name: string | undefined): Type | undefined {
  switch (type.kind) {
    case 'object':
      return name === undefined ? undefined : type.types[type.indexOf(name) ?? -1];
    case 'map':
    case 'list':
    case 'set':
      return type.element;
    case 'tuple':
      return type.elements[Number(name ?? '0')] ?? type.elements[0];
    default:
      return undefined;
  }
}
