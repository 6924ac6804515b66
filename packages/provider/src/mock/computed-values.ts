import { friendlyName, type Path, transform, unknownOf, type Value } from '@terrane/cty';
import type { ProviderDiagnostic } from '../contract.ts';
import { attributeByPath } from '../schema/attribute-by-path.ts';
import { attributeType } from '../schema/implied-type.ts';
import type { AttributeSchema, BlockSchema } from '../schema/model.ts';
import { writeOnlyPaths } from '../schema/value-paths.ts';
import { nullOf } from '@terrane/cty';
import { filledAttribute, membersOf, UnfitValue } from './filled-value.ts';
import { generatedAttribute, type RandomBytes } from './made-up-value.ts';

/** Mock values for computed attributes. */
export interface MockValues {
  /**
   * an object in the structure of the schema, in which a nested block represents all blocks of its type; undefined: no
   * mock values
   */
  readonly value: Value | undefined;
  /** source location for messages */
  readonly where: string;
}

/** No mock values: all values are generated. */
export const NO_MOCK_VALUES: MockValues = { value: undefined, where: ':0,0-0' };

/** A value with its computed parts filled in, and the diagnostics of unsuitable mock values. */
export interface ComputedValues {
  readonly value: Value;
  readonly diagnostics: readonly ProviderDiagnostic[];
}

/** Replaces null computed arguments with unknown values, as a plan does. */
export function unknownComputed(value: Value, block: BlockSchema): Value {
  return transform(value, (path, part) => {
    const attribute = attributeByPath(block, path);
    if (attribute?.computed !== true || !part.isNull) return part;
    return unknownOf(attributeType(attribute));
  });
}

/**
 * Fills null or unknown computed arguments of a value with the mock values, or generated ones if there are none
 * (mocking.populateComputedValues). Always returns a value, also after errors.
 */
export function knownComputed(
  value: Value,
  which: 'null' | 'unknown',
  block: BlockSchema,
  values: MockValues,
  random: RandomBytes,
): ComputedValues {
  const diagnostics: ProviderDiagnostic[] = [];
  let replacement = values.value;
  if (replacement !== undefined && replacement.type.kind !== 'object') {
    diagnostics.push({
      severity: 'error',
      summary: 'Invalid replacement value',
      detail: `The requested replacement value must be an object type, but was ${friendlyName(replacement.type)}.`,
    });
    replacement = undefined;
  }
  const filled = transform(value, (path, part) => {
    const attribute = attributeByPath(block, path);
    if (attribute?.computed !== true) return part;
    if (which === 'null' ? !part.isNull : part.isKnown) return part;
    const innerValues = { ...values, value: replacement };
    return knownAttribute(attribute, path, innerValues, random, diagnostics);
  });
  return { value: filled, diagnostics };
}

function knownAttribute(
  attribute: AttributeSchema,
  path: Path,
  values: MockValues,
  random: RandomBytes,
  diagnostics: ProviderDiagnostic[],
): Value {
  const replacement = valueAt(values, path, diagnostics);
  if (replacement !== undefined) {
    try {
      return filledAttribute(replacement, attribute, random);
    } catch (error) {
      if (!(error instanceof UnfitValue)) throw error;
      const name = pathText([...path, ...error.path]);
      diagnostics.push({
        severity: 'error',
        summary: 'Failed to compute attribute',
        detail: `Terraform could not compute a value for the target type ${friendlyName(attributeType(attribute))} with the mocked data defined at ${values.where} with the attribute "${name}": ${error.message}.`,
        attribute: path,
      });
    }
  }
  return generatedAttribute(attribute, random);
}

/** Returns the mock value of the argument at a path; index keys in the path are ignored. */
function valueAt(
  { value, where }: MockValues,
  path: Path,
  diagnostics: ProviderDiagnostic[],
): Value | undefined {
  let current = value;
  const before: Path[number][] = [];
  for (const step of path) {
    if (current === undefined) return undefined;
    if (step.kind === 'attr') {
      if (current.type.kind !== 'object') {
        diagnostics.push({
          severity: 'error',
          summary: 'Failed to compute attribute',
          detail: `Terraform expected an object type for attribute "${pathText(before)}" defined within the mocked data at ${where}, but found ${friendlyName(current.type)}.`,
          attribute: [...before],
        });
        return undefined;
      }
      current = membersOf(current).get(step.name);
    }
    before.push(step);
  }
  return current;
}

function pathText(path: Path): string {
  return path.flatMap((step) => (step.kind === 'attr' ? [step.name] : [])).join('.');
}

/** Returns the value with null write-only arguments, as providers return it. */
export function withoutWriteOnly(value: Value, block: BlockSchema): Value {
  const paths = writeOnlyPaths(block, value);
  if (paths.length === 0) return value;
  return transform(value, (path, part) =>
    attributeByPath(block, path)?.writeOnly === true ? nullOf(part.type) : part,
  );
}
