import { formatNumber, indexStep, NULL, numToInt } from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import type { ProviderDiagnostic } from '../contract.ts';
import type { CompiledAttribute, CompiledBlock, CompiledObject } from './compile.ts';
import { error, pathText, warning } from './diagnostics.ts';

const MORE_ABOUT_READ_ONLY =
  'Refer to the provider documentation or contact the provider developers for additional information about configurable and read-only attributes that are supported.';
const MORE_ABOUT_REQUIRED =
  'Refer to the provider documentation or contact the provider developers for additional information about configurable attributes that are required.';

/** Checks a written object against its definition, as terraform-plugin-framework does. */
export function validateObject(
  object: CompiledObject,
  config: Value,
  writeOnlyAllowed: boolean,
): ProviderDiagnostic[] {
  const diagnostics: ProviderDiagnostic[] = [];
  validateAt(object, config, [], writeOnlyAllowed, diagnostics);
  return diagnostics;
}

function validateAt(
  object: CompiledObject,
  config: Value,
  path: Path,
  writeOnlyAllowed: boolean,
  diagnostics: ProviderDiagnostic[],
): void {
  if (!config.isKnown || config.isNull) return;
  const values = config.elements();
  for (const attribute of object.attributes) {
    const value = values[attribute.slot.index] ?? NULL;
    const at = [...path, attribute.slot.step];
    validateAttribute(attribute, value, config, at, writeOnlyAllowed, diagnostics);
  }
  for (const block of object.blocks) {
    const value = values[block.slot.index] ?? NULL;
    validateBlock(block, value, config, [...path, block.slot.step], writeOnlyAllowed, diagnostics);
  }
}

function validateAttribute(
  attribute: CompiledAttribute,
  value: Value,
  siblings: Value,
  path: Path,
  writeOnlyAllowed: boolean,
  diagnostics: ProviderDiagnostic[],
): void {
  const { definition, inner } = attribute;
  const malformed = malformedValue(attribute, value, path);
  if (malformed !== undefined) {
    diagnostics.push(malformed);
    return;
  }
  if (definition.computed === true && definition.optional !== true && !value.isNull) {
    const detail = `Cannot set value for this attribute as the provider has marked it as read-only. Remove the configuration line setting the value.\n\n${MORE_ABOUT_READ_ONLY}`;
    diagnostics.push(error('Invalid Configuration for Read-Only Attribute', detail, path));
  }
  if (definition.required === true && value.isNull) {
    const detail = `Must set a configuration value for the ${pathText(path)} attribute as the provider has marked it as required.\n\n${MORE_ABOUT_REQUIRED}`;
    diagnostics.push(error('Missing Configuration for Required Attribute', detail, path));
  }
  if (definition.writeOnly === true && !writeOnlyAllowed && !value.isNull) {
    const detail = `The resource contains a non-null value for WriteOnly attribute ${pathText(path)}. Write-only attributes are only supported in Terraform 1.11 and later.`;
    diagnostics.push(error('WriteOnly Attribute Not Allowed', detail, path));
  }
  const refused = value.isKnown && !value.isNull ? definition.nullInside?.(value) : undefined;
  if (refused !== undefined) {
    const place = [...path, ...refused];
    const detail = `Attribute ${pathText(place)} must not be null.`;
    diagnostics.push(error('Invalid Attribute Value', detail, place));
    return;
  }
  for (const validator of definition.validators ?? []) {
    diagnostics.push(...validator({ path, value, siblings }));
  }
  if (inner)
    validateNested(inner, definition.nested?.nesting, value, path, writeOnlyAllowed, diagnostics);
  if (definition.deprecationMessage !== undefined && value.isKnown && !value.isNull) {
    diagnostics.push(warning('Attribute Deprecated', definition.deprecationMessage, path));
  }
}

/** Returns the error for a value outside the domain of its argument type, such as a fraction for an integer. */
function malformedValue(
  { definition }: CompiledAttribute,
  value: Value,
  path: Path,
): ProviderDiagnostic | undefined {
  if (!value.isKnown || value.isNull) return undefined;
  if (definition.check !== undefined) return definition.check(value.asString(), path);
  if (definition.integer !== true) return undefined;
  const problem = integerProblem(value);
  if (problem === undefined) return undefined;
  const detail = `An unexpected error was encountered trying to convert an attribute value from the configuration. This is always an error in the provider. Please report the following to the provider developer:\n\nError: ${problem}`;
  return error('Configuration Read Error', detail, path);
}

const INT64_LIMIT = 2n ** 63n;

function integerProblem(value: Value): string | undefined {
  const n = value.asNum();
  const integer = numToInt(n);
  if (integer !== undefined && integer >= -INT64_LIMIT && integer < INT64_LIMIT) return undefined;
  const text = `Value %!s(*big.Float=${tenDigits(formatNumber(n))})`;
  return integer === undefined
    ? `${text} is not an integer.`
    : `${text} cannot be represented as a 64-bit integer.`;
}

// Go prints the number with ten significant digits there.
function tenDigits(decimal: string): string {
  const [mantissa = '', exponent = '0'] = Number(decimal).toExponential(9).split('e');
  const power = Number(exponent);
  const digits = mantissa.replace(/\.?0+$/, '');
  if (power >= -4 && power < 10) return String(Number(`${digits}e${power}`));
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function validateBlock(
  { definition, inner }: CompiledBlock,
  value: Value,
  siblings: Value,
  path: Path,
  writeOnlyAllowed: boolean,
  diagnostics: ProviderDiagnostic[],
): void {
  for (const validator of definition.validators ?? []) {
    diagnostics.push(...validator({ path, value, siblings }));
  }
  validateNested(inner, definition.nesting, value, path, writeOnlyAllowed, diagnostics);
  if (definition.deprecationMessage === undefined || !value.isKnown || value.isNull) return;
  if (definition.nesting !== 'single' && value.length === 0) return;
  diagnostics.push(warning('Block Deprecated', definition.deprecationMessage, path));
}

function validateNested(
  inner: CompiledObject,
  nesting: string | undefined,
  value: Value,
  path: Path,
  writeOnlyAllowed: boolean,
  diagnostics: ProviderDiagnostic[],
): void {
  if (!value.isKnown || value.isNull) return;
  if (nesting === 'single' || nesting === 'group') {
    validateAt(inner, value, path, writeOnlyAllowed, diagnostics);
    return;
  }
  for (const [key, element] of value.entries()) {
    validateAt(inner, element, [...path, indexStep(key)], writeOnlyAllowed, diagnostics);
  }
}
