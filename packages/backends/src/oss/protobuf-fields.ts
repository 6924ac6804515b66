// The little of Protocol Buffers (proto2) that Tablestore's four messages need: numbers, and texts or bytes.

/** A field of a message: a number, or a length-delimited value. */
export type Field = readonly [number: number, value: number | string | Uint8Array];

/** A message in bytes. */
export function protobuf(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number * 8), varint(value)];
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      return [varint(number * 8 + 2), varint(bytes.length), bytes];
    }),
  );
}

/** Returns the length-delimited fields of a message by number, the last of each; throws for a malformed message. */
export function protobufTexts(message: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>();
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++];
      if (byte === undefined || factor > 2 ** 63) throw new Error('a message ends early');
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = next();
    const kind = tag % 8;
    if (kind === 0) next();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else if (kind === 2) {
      const length = next();
      if (at + length > message.length) throw new Error('a message ends early');
      fields.set(Math.floor(tag / 8), message.subarray(at, at + length));
      at += length;
    } else throw new Error(`a field of unknown kind ${kind}`);
  }
  return fields;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Uint8Array.of(...bytes, rest);
}
