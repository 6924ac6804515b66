import { indexStep, tuple, tupleType } from '@terrane/cty';
import { keepOne, mismatch, nullIn, readElement, remember, writeElement } from './codec.ts';
import type { Codec } from './codec.ts';
import { ConversionError } from './provider-error.ts';

/** Returns the codec of tuples, which are frozen arrays in JavaScript. */
export function tupleCodec(parts: readonly Codec[]): Codec {
  const type = tupleType(parts.map((part) => part.type));
  return {
    type,
    nullable: false,
    nullInside: (v) => {
      const elements = v.elements();
      for (const [i, part] of parts.entries()) {
        const element = elements[i];
        const nullPath = element && nullIn(part, element);
        if (nullPath !== undefined) return [indexStep(i), ...nullPath];
      }
      return undefined;
    },
    read: (v) => {
      const elements = v.elements();
      const out = parts.flatMap((part, i) => {
        const element = elements[i];
        return element === undefined ? [] : [readElement(part, element, i)];
      });
      return remember(out, v);
    },
    write: (x) => {
      if (!Array.isArray(x)) return mismatch('an array', x);
      if (x.length !== parts.length) {
        throw new ConversionError(`expected ${parts.length} elements, got ${x.length}`);
      }
      return tuple(parts.map((part, i) => writeElement(part, x[i], i)));
    },
    keep: parts.some((part) => part.keep !== undefined)
      ? (before, after) => {
          const priorElements = before.elements();
          const kept = after.elements().map((element, i) => {
            const keep = parts[i]?.keep;
            const priorElement = priorElements[i];
            return keep === undefined || priorElement === undefined
              ? element
              : keepOne(keep, priorElement, element);
          });
          return tuple(kept);
        }
      : undefined,
  };
}
