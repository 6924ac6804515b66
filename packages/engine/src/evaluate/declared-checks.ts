import type { Configuration } from '../config/model.ts';
import type { CheckBook } from './check-book.ts';

/**
 * Declares every object of a configuration that has conditions. Objects that a run does not reach, such as in a destroy
 * or targeted run, are in the results as unknown.
 */
export function declareChecks(book: CheckBook, configuration: Configuration): void {
  for (const module of configuration.modules.values()) {
    const prefix = module.path.isRoot ? '' : `${module.path.text}.`;
    for (const { addr, preconditions, postconditions } of module.resources.values()) {
      if (preconditions.length + postconditions.length === 0) continue;
      book.declare('resource', prefix + addr.text);
    }
    for (const { name, preconditions } of module.outputs.values()) {
      if (preconditions.length > 0) book.declare('output_value', `${prefix}output.${name}`);
    }
    for (const { name } of module.checks.values()) book.declare('check', `${prefix}check.${name}`);
    for (const { name, validations } of module.variables.values()) {
      if (validations.length > 0) book.declare('input_variable', `${prefix}var.${name}`);
    }
  }
}
