import type { ProviderPorts } from '@terrane/provider';
import { ProviderError, resource, string } from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { RETRY } from './failures.ts';
import { KEEPERS } from './keepers.ts';
import { formatUuid, parsePlainUuid, parseUuid, version4, version7 } from './uuid-text.ts';

type Ports = Pick<ProviderPorts, 'random' | 'clock'>;

const GENERATED = string({
  computed: true,
  description: 'The generated uuid presented in string format.',
  useStateForUnknown: true,
});

/** `random_uuid`: sixteen random bytes formatted as a UUID, without version bits. */
export function uuidResource({ random }: Ports): Resource {
  return resource({
    description:
      'The resource `random_uuid` generates a random uuid string that is intended to be used as a unique identifier for other resources.\n\nThis resource uses [hashicorp/go-uuid](https://github.com/hashicorp/go-uuid) to generate a UUID-formatted string for use with services needing a unique string identifier.',
    attributes: { keepers: KEEPERS, id: GENERATED, result: GENERATED },
    create: ({ plan }) => ({ ...plan, ...uuid(formatUuid(random.bytes(16))) }),
    import: ({ id = '' }) => importUuid(id, parsePlainUuid),
  });
}

/** `random_uuid4`: a UUID of version 4. */
export function uuid4Resource({ random }: Ports): Resource {
  return resource({
    description:
      'The resource `random_uuid4` generates a random version 4 uuid string that is intended to be used as a unique identifier for other resources.\n\nThis resource uses [google/uuid](https://github.com/google/uuid) to generate a valid V4 UUID for use with services needing a unique string identifier.',
    attributes: { keepers: KEEPERS, id: GENERATED, result: GENERATED },
    create: ({ plan }) => ({ ...plan, ...uuid(version4(random)) }),
    import: ({ id = '' }) => importUuid(id, parseUuid),
  });
}

/** `random_uuid7`: a UUID of version 7, which starts with the time. */
export function uuid7Resource({ random, clock }: Ports): Resource {
  return resource({
    description:
      'The resource `random_uuid7` generates a random version 7 uuid string that is intended to be used as a unique identifier for other resources.\n\nThis resource uses [google/uuid](https://github.com/google/uuid) to generate a valid V7 UUID for use with services needing a unique string identifier.',
    attributes: { keepers: KEEPERS, id: GENERATED, result: GENERATED },
    create: ({ plan }) => ({ ...plan, ...uuid(version7(random, clock.now())) }),
    import: ({ id = '' }) => importUuid(id, parseUuid),
  });
}

interface Uuid {
  readonly id: string;
  readonly result: string;
}

function uuid(result: string): Uuid {
  return { id: result, result };
}

/** Imports a UUID in the notation of `random_uuid` and its newer variants. */
function importUuid(
  id: string,
  parse: (text: string) => { readonly bytes: Uint8Array } | { readonly problem: string },
): Uuid {
  const parsed = parse(id);
  if ('bytes' in parsed) return uuid(formatUuid(parsed.bytes));
  const detail = `There was an error during the parsing of the UUID.\n\n${RETRY}Original Error: ${parsed.problem}`;
  throw new ProviderError('Import Random UUID Error', detail);
}
