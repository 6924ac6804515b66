import { number, NUMBER, numToInt, str, STRING } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { error, parseInt64, requiresReplace, useStateForUnknown } from '@terrane/provider';
import type { Fields, Outcome, ProviderPorts, ResourceDefinition } from '@terrane/provider';
import { drawBigBelow } from './drawing.ts';
import { KEEPERS } from './keepers.ts';
import { SeededRandom, seedOf } from './seeded-random.ts';

/** `random_integer`: a number of a range. */
export function integerResource({ random }: Pick<ProviderPorts, 'random'>): ResourceDefinition {
  return {
    description:
      'The resource `random_integer` generates random values from a given range, described by the `min` and `max` attributes of a given resource.\n\nThis resource can be used in conjunction with resources that have the `create_before_destroy` lifecycle flag set, to avoid conflicts with unique names during the brief period where both the old and new resources exist concurrently.',
    attributes: {
      keepers: KEEPERS,
      id: {
        type: STRING,
        computed: true,
        description: 'The string representation of the integer result.',
        modifiers: [useStateForUnknown],
      },
      max: {
        type: NUMBER,
        integer: true,
        required: true,
        description: 'The maximum inclusive value of the range.',
        modifiers: [requiresReplace],
      },
      min: {
        type: NUMBER,
        integer: true,
        required: true,
        description: 'The minimum inclusive value of the range.',
        modifiers: [requiresReplace],
      },
      result: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'The random integer result.',
        modifiers: [useStateForUnknown],
      },
      seed: {
        type: STRING,
        optional: true,
        description: 'A custom seed to always produce the same value.',
        modifiers: [requiresReplace],
      },
    },
    create: ({ plan }): Outcome => {
      const [min, max] = [wide(plan, 'min'), wide(plan, 'max')];
      if (max < min) {
        const detail =
          'The minimum (minVal) value needs to be smaller than or equal to maximum (maxVal) value.';
        return { diagnostics: [error('Create Random Integer Error', detail)] };
      }
      const seed = plan.string('seed') ?? '';
      const size = max - min + 1n;
      const offset =
        seed === '' || size >= 2n ** 63n
          ? drawBigBelow(random, size)
          : new SeededRandom(seedOf(seed)).below(size);
      const drawn = min + offset;
      return { state: plan.with({ id: drawn.toString(), result: number(drawn) }) };
    },
    import: (id, empty) => importInteger(id, empty),
  };
}

function wide(plan: Fields, name: string): bigint {
  return numToInt(plan.value(name).asNum()) ?? 0n;
}

function importInteger(id: string, empty: Fields): Outcome {
  const summary = 'Import Random Integer Error';
  const parts = id.split(',');
  if (parts.length !== 3 && parts.length !== 4) {
    const detail =
      'Invalid import usage: expecting {result},{min},{max} or {result},{min},{max},{seed}';
    return { diagnostics: [error(summary, detail)] };
  }
  const state: Record<string, Value> = { id: str(parts[0] ?? '') };
  for (const [i, name] of ['result', 'min', 'max'].entries()) {
    const parsed = parseInt64(parts[i] ?? '');
    if (typeof parsed === 'string') {
      const what = name === 'result' ? 'value' : `${name} value`;
      const detail = `The ${what} supplied could not be parsed as an integer.\n\nOriginal Error: ${parsed}`;
      return { diagnostics: [error(summary, detail)] };
    }
    state[name] = number(parsed);
  }
  if (parts[3] !== undefined) state['seed'] = str(parts[3]);
  return { state: empty.with(state) };
}
