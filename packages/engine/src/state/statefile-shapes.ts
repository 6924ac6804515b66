import { list, map, struct, type JsonShape, type StructShape } from './json-struct.ts';

/** The member with the format version of a statefile. */
export const SNIFF_SHAPE: StructShape = struct({ version: 'unsigned?' });

/** The member with the version of the program that wrote a statefile. */
export const CREATOR_SHAPE: StructShape = struct({ terraform_version: 'string' });

/** An output in a statefile of version 4. */
export const OUTPUT_SHAPE: StructShape = struct({ value: 'raw', type: 'raw', sensitive: 'bool' });

/** An object in a statefile of version 4; its last members are those of later versions and of OpenTofu. */
export const OBJECT_SHAPE: StructShape = struct({
  index_key: 'any',
  status: 'string',
  deposed: 'string',
  provider: 'string',
  schema_version: 'unsigned',
  attributes: 'raw',
  attributes_flat: map('string'),
  sensitive_attributes: 'raw',
  identity_schema_version: 'unsigned',
  identity: 'raw',
  private: 'bytes',
  dependencies: list('string'),
  create_before_destroy: 'bool',
  skip_destroy: 'bool',
});

/** A step of a path in `sensitive_attributes`. */
export const STEP_SHAPE: StructShape = struct({ type: 'string', value: 'raw' });

/** A resource in a statefile of version 4. */
export const RESOURCE_SHAPE: StructShape = struct({
  module: 'string',
  mode: 'string',
  type: 'string',
  name: 'string',
  each: 'string',
  provider: 'string',
  instances: list(OBJECT_SHAPE),
});

/** The check results in a statefile of version 4. */
export const CHECKS_SHAPE: JsonShape = list(
  struct({
    object_kind: 'string',
    config_addr: 'string',
    status: 'string',
    objects: list(
      struct({ object_addr: 'string', status: 'string', failure_messages: list('string') }),
    ),
  }),
);

/** A statefile of version 4. */
export const VERSION4_SHAPE: StructShape = struct({
  version: 'raw',
  terraform_version: 'string',
  serial: 'unsigned',
  lineage: 'string',
  outputs: map(OUTPUT_SHAPE),
  resources: list(RESOURCE_SHAPE),
  check_results: CHECKS_SHAPE,
});

const LEGACY_OBJECT = struct(
  { id: 'string', attributes: map('string'), meta: map('any'), tainted: 'bool' },
  true,
);

const LEGACY_REMOTE = struct({ type: 'string', config: map('string') }, true);

/** A statefile of version 2 or 3. */
export const VERSION3_SHAPE: StructShape = struct({
  version: 'integer',
  terraform_version: 'string',
  serial: 'integer',
  lineage: 'string',
  remote: LEGACY_REMOTE,
  backend: struct({ type: 'string', config: 'raw', hash: 'unsigned' }, true),
  modules: list(
    struct(
      {
        path: list('string'),
        outputs: map(struct({ sensitive: 'bool', type: 'string', value: 'any' }, true)),
        resources: map(
          struct(
            {
              type: 'string',
              depends_on: list('string'),
              primary: LEGACY_OBJECT,
              deposed: list(LEGACY_OBJECT),
              provider: 'string',
            },
            true,
          ),
        ),
        depends_on: list('string'),
      },
      true,
    ),
  ),
});

const OLDEST_OBJECT = struct(
  { id: 'string', attributes: map('string'), meta: map('string') },
  true,
);

/** A statefile of version 1. */
export const VERSION1_SHAPE: StructShape = struct({
  version: 'integer',
  serial: 'integer',
  remote: LEGACY_REMOTE,
  modules: list(
    struct(
      {
        path: list('string'),
        outputs: map('string'),
        resources: map(
          struct(
            {
              type: 'string',
              depends_on: list('string'),
              primary: OLDEST_OBJECT,
              tainted: list(OLDEST_OBJECT),
              deposed: list(OLDEST_OBJECT),
              provider: 'string',
            },
            true,
          ),
        ),
        depends_on: list('string'),
      },
      true,
    ),
  ),
});
