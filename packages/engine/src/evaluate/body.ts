import { formatPath, infinitePaths, type Path, unknownOf, type Value } from '@terrane/cty';
import {
  type Body,
  decodeBody,
  type Diagnostic,
  expandDynamic,
  hasErrors,
  type Range,
} from '@terrane/hcl';
import { type BlockSchema, decodeSpec, impliedType } from '@terrane/provider';
import {
  deprecationWarning,
  isWarned,
  rangeInside,
  takeDeprecationsAt,
  type WarningScope,
} from '../config/deprecations.ts';
import type { Module } from '../config/model.ts';
import { infiniteNumber } from '../config/named-problems.ts';
import { referencesInBody } from '../lang/references.ts';
import { rangeAt } from '../session/provider-diagnostics.ts';

/**
 * Evaluates a body by its schema, with `dynamic` blocks expanded; incomplete after errors. Deprecated values in it
 * cause warnings, and their marks are removed; infinite numbers cause errors. `address` is the object of the body.
 */
export function evaluateBody(
  body: Body,
  block: BlockSchema,
  scope: WarningScope,
  address: string,
  diagnostics: Diagnostic[],
): Value {
  const expanded = expandDynamic(body, scope);
  if (expanded !== body && !checkGenerated(expanded, block, scope, diagnostics)) {
    return unknownOf(impliedType(block));
  }
  const value = decodeBody(expanded, decodeSpec(block), scope, diagnostics);
  for (const path of infinitePaths(value)) {
    diagnostics.push(
      infiniteNumber(
        `argument "${formatPath(path).replace(/^\./, '')}"`,
        argumentRange(body, path),
        address,
      ),
    );
  }
  return takeBodyDeprecations(value, body, scope.warnsFor, address, diagnostics);
}

/** Validates the references in generated blocks, because without values it is unknown whether they are generated. */
function checkGenerated(
  body: Body,
  block: BlockSchema,
  scope: WarningScope,
  diagnostics: Diagnostic[],
): boolean {
  const before = diagnostics.length;
  const analysis = referencesInBody(body, block);
  diagnostics.push(...analysis.diagnostics);
  for (const reference of analysis.references)
    diagnostics.push(...(scope.staticProblems?.(reference) ?? []));
  return !hasErrors(diagnostics, before);
}

/** Returns the source range of a part of a body's value: within the argument's expression if its syntax allows. */
function argumentRange(body: Body, path: Path): Range {
  const [first, ...rest] = path;
  if (first?.kind === 'attr') {
    const { content } = body.partialContent({ attributes: [{ name: first.name }], blocks: [] });
    const expression = content.attributes.get(first.name)?.expression;
    if (expression !== undefined) return rangeInside(expression, rest);
  }
  return rangeAt(body, path);
}

/** Returns the value of a body without deprecation marks, each of which is reported as a warning at its argument. */
export function takeBodyDeprecations(
  value: Value,
  body: Body,
  module: Module | undefined,
  address: string,
  diagnostics: Diagnostic[],
): Value {
  if (!value.hasMarkDeep('deprecated')) return value;
  return takeDeprecationsAt(value, (path, mark) => {
    if (isWarned(module)) {
      diagnostics.push(deprecationWarning(mark, argumentRange(body, path), address));
    }
  });
}
