import {
  convert,
  CtyError,
  friendlyName,
  list,
  listType,
  nullOf,
  NUMBER,
  number,
  numToFloat,
  object,
  type Value,
} from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, type Range } from '@terrane/hcl';

/** The keys of a key provider; the decryption key is present only if there is data to decrypt. */
export interface Keys {
  readonly encryption: Uint8Array;
  readonly decryption?: Uint8Array | undefined;
}

const BYTES = listType(NUMBER);

/** Returns the value of `key_provider.TYPE.NAME` in expressions: the keys as lists of numbers. */
export function keysValue(keys: Keys): Value {
  return object({
    encryption_key: bytesValue(keys.encryption),
    decryption_key: bytesValue(keys.decryption),
  });
}

function bytesValue(bytes: Uint8Array | undefined): Value {
  if (bytes === undefined || bytes.length === 0) return nullOf(BYTES);
  return list(
    NUMBER,
    Array.from(bytes, (byte) => number(byte)),
  );
}

/** Reads keys from the value of an expression; undefined, with diagnostics, if it is invalid or unknown. */
export function keysFrom(value: Value, range: Range, diagnostics: Diagnostic[]): Keys | undefined {
  if (!value.isKnown) return undefined;
  const { kind } = value.type;
  if (value.isNull || (kind !== 'object' && kind !== 'map')) {
    diagnostics.push(
      errorDiagnostic(
        'Expected key_provider value',
        `Expected a key_provider compatible value, found ${friendlyName(value.type)} instead`,
        range,
      ),
    );
    return undefined;
  }
  const members = new Map([...value.entries()].map(([key, member]) => [key.asString(), member]));
  const encryption = members.get('encryption_key');
  if (encryption === undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Missing encryption_key value',
        'An encryption_key value is required in the key_provider compatible object at this location',
        range,
      ),
    );
    return undefined;
  }
  const decryption = members.get('decryption_key');
  const before = diagnostics.length;
  const keys = {
    encryption: bytesFrom(encryption, range, diagnostics) ?? new Uint8Array(),
    decryption: decryption === undefined ? undefined : bytesFrom(decryption, range, diagnostics),
  };
  return diagnostics.length > before ? undefined : keys;
}

/** Converts a list of numbers to bytes; undefined for null, or with diagnostics if it is invalid. */
function bytesFrom(value: Value, range: Range, diagnostics: Diagnostic[]): Uint8Array | undefined {
  const refuse = (reason: string): undefined => {
    diagnostics.push(
      errorDiagnostic('Unsuitable value type', `Unsuitable value: ${reason}`, range),
    );
    return undefined;
  };
  let numbers: Value;
  try {
    numbers = convert(value, BYTES);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return refuse(error.message);
  }
  if (numbers.isNull) return undefined;
  const bytes: number[] = [];
  for (const element of numbers.elements()) {
    const byte = element.isNull || !element.isKnown ? -1 : numToFloat(element.asNum());
    if (!Number.isInteger(byte) || byte < 0 || byte > 255) {
      return refuse('value must be a whole number, between 0 and 255 inclusive');
    }
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
