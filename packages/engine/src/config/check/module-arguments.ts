import { type BodySchema, type Diagnostic, type Expression } from '@terrane/hcl';
import type { Configuration, Module } from '../model.ts';

/** Returns the schema of a module call's arguments. */
function argumentSchema(module: Module): BodySchema {
  const attributes = [...module.variables.values()].map((variable) => ({
    name: variable.name,
    required: variable.default === undefined,
  }));
  return { attributes, blocks: [] };
}

const argumentCache = new WeakMap<Module, ReadonlyMap<string, Expression>>();

/** Returns the arguments of a module call by variable, without undeclared ones. The result is cached. */
export function argumentsOf(module: Module): ReadonlyMap<string, Expression> {
  const cached = argumentCache.get(module);
  if (cached !== undefined) return cached;
  const expressions = new Map<string, Expression>();
  argumentCache.set(module, expressions);
  if (module.call === undefined) return expressions;
  const { content } = module.call.body.content(argumentSchema(module));
  for (const [name, attribute] of content.attributes) expressions.set(name, attribute.expression);
  return expressions;
}

/** Arguments of module calls that are missing, or that the module has no variable for. */
export function moduleArgumentProblems(configuration: Configuration): Diagnostic[] {
  const problems: Diagnostic[] = [];
  for (const module of configuration.modules.values()) {
    if (module.call === undefined) continue;
    problems.push(...module.call.body.content(argumentSchema(module)).diagnostics);
  }
  return problems;
}
