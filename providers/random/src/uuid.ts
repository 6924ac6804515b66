import { STRING } from '@terrane/cty';
import { error, useStateForUnknown } from '@terrane/provider';
import type { Outcome, ProviderPorts, ResourceDefinition } from '@terrane/provider';
import { RETRY } from './failures.ts';
import { KEEPERS } from './keepers.ts';
import { formatUuid, parsePlainUuid, parseUuid, version4, version7 } from './uuid-text.ts';

type Ports = Pick<ProviderPorts, 'random' | 'clock'>;

/** `random_uuid`: sixteen random bytes in the notation of UUIDs, of no version. */
export function uuidResource({ random }: Ports): ResourceDefinition {
  return {
    description:
      'The resource `random_uuid` generates a random uuid string that is intended to be used as a unique identifier for other resources.\n\nThis resource uses [hashicorp/go-uuid](https://github.com/hashicorp/go-uuid) to generate a UUID-formatted string for use with services needing a unique string identifier.',
    attributes: {
      keepers: KEEPERS,
      id: {
        type: STRING,
        computed: true,
        description: 'The generated uuid presented in string format.',
        modifiers: [useStateForUnknown],
      },
      result: {
        type: STRING,
        computed: true,
        description: 'The generated uuid presented in string format.',
        modifiers: [useStateForUnknown],
      },
    },
    ...lifecycle(() => formatUuid(random.bytes(16)), parsePlainUuid),
  };
}

/** `random_uuid4`: a UUID of version 4. */
export function uuid4Resource({ random }: Ports): ResourceDefinition {
  return {
    description:
      'The resource `random_uuid4` generates a random version 4 uuid string that is intended to be used as a unique identifier for other resources.\n\nThis resource uses [google/uuid](https://github.com/google/uuid) to generate a valid V4 UUID for use with services needing a unique string identifier.',
    attributes: {
      keepers: KEEPERS,
      id: {
        type: STRING,
        computed: true,
        description: 'The generated uuid presented in string format.',
        modifiers: [useStateForUnknown],
      },
      result: {
        type: STRING,
        computed: true,
        description: 'The generated uuid presented in string format.',
        modifiers: [useStateForUnknown],
      },
    },
    ...lifecycle(() => version4(random), parseUuid),
  };
}

/** `random_uuid7`: a UUID of version 7, which begins with the time. */
export function uuid7Resource({ random, clock }: Ports): ResourceDefinition {
  return {
    description:
      'The resource `random_uuid7` generates a random version 7 uuid string that is intended to be used as a unique identifier for other resources.\n\nThis resource uses [google/uuid](https://github.com/google/uuid) to generate a valid V7 UUID for use with services needing a unique string identifier.',
    attributes: {
      keepers: KEEPERS,
      id: {
        type: STRING,
        computed: true,
        description: 'The generated uuid presented in string format.',
        modifiers: [useStateForUnknown],
      },
      result: {
        type: STRING,
        computed: true,
        description: 'The generated uuid presented in string format.',
        modifiers: [useStateForUnknown],
      },
    },
    ...lifecycle(() => version7(random, clock.now()), parseUuid),
  };
}

function lifecycle(
  make: () => string,
  parse: (text: string) => { readonly bytes: Uint8Array } | { readonly problem: string },
): Pick<ResourceDefinition, 'create' | 'import'> {
  return {
    create: ({ plan }) => {
      const result = make();
      return { state: plan.with({ id: result, result }) };
    },
    import: (id, empty): Outcome => {
      const parsed = parse(id);
      if ('problem' in parsed) {
        const detail = `There was an error during the parsing of the UUID.\n\n${RETRY}Original Error: ${parsed.problem}`;
        return { diagnostics: [error('Import Random UUID Error', detail)] };
      }
      const result = formatUuid(parsed.bytes);
      return { state: empty.with({ id: result, result }) };
    },
  };
}
