import { BOOL, DYNAMIC, listType, mapType, NUMBER, STRING, type Type } from '@terrane/cty';
import type { AttributeSchema, BlockSchema, NestedBlock } from '@terrane/provider';
import type { FileRole } from './file-kind.ts';

/** A block type of the language, with the names of its labels. */
export interface LanguageBlock {
  readonly labels: readonly string[];
  readonly description: string;
  readonly block: BlockSchema;
  /** page of the documentation of the language */
  readonly link?: string;
}

const DOCUMENTATION = 'https://developer.hashicorp.com/terraform/language';

type Flags = 'required' | 'optional';

function argument(type: Type, description: string, flag: Flags = 'optional'): AttributeSchema {
  return {
    type,
    description,
    descriptionKind: 'markdown',
    ...(flag === 'required' ? { required: true } : { optional: true }),
  };
}

function body(
  attributes: Readonly<Record<string, AttributeSchema>>,
  blocks: Readonly<Record<string, NestedBlock>> = {},
  description?: string,
): BlockSchema {
  return {
    attributes,
    blocks,
    ...(description === undefined ? {} : { description, descriptionKind: 'markdown' }),
  };
}

function nestedBlock(block: BlockSchema, maxItems?: number, minItems?: number): NestedBlock {
  return {
    nesting: 'list',
    block,
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(minItems === undefined ? {} : { minItems }),
  };
}

const EMPTY: BlockSchema = body({});
const DEPENDS_ON = argument(
  listType(DYNAMIC),
  'References to objects that must be complete before this one, for dependencies that no expression shows.',
);
const COUNT = argument(
  NUMBER,
  'The number of instances. `count.index` is the index of an instance. Conflicts with `for_each`.',
);
const FOR_EACH = argument(
  DYNAMIC,
  'A map or a set of strings; there is one instance for each member. `each.key` and `each.value` identify it. Conflicts with `count`.',
);

const RULE = body(
  {
    condition: argument(BOOL, 'The expression that must be true.', 'required'),
    error_message: argument(STRING, 'The message if the condition is false.', 'required'),
  },
  {},
  'A condition and the message if it is false.',
);

const ACTION_TRIGGER = body(
  {
    events: argument(
      listType(DYNAMIC),
      'The events of the resource that trigger the actions: `before_create`, `after_create`, `before_update`, `after_update`.',
      'required',
    ),
    condition: argument(BOOL, 'The actions are invoked only if this is true.'),
    actions: argument(listType(DYNAMIC), 'The actions, in the order of invocation.', 'required'),
  },
  {},
  'Invokes actions at events of this resource.',
);

const LIFECYCLE = body(
  {
    create_before_destroy: argument(
      BOOL,
      'For a replacement, creates the new object before the old one is destroyed.',
    ),
    prevent_destroy: argument(BOOL, 'Rejects every plan that would destroy the object.'),
    ignore_changes: argument(
      listType(DYNAMIC),
      'Arguments whose later changes are ignored, or `all`.',
    ),
    replace_triggered_by: argument(
      listType(DYNAMIC),
      'References to resources or attributes whose change replaces this object.',
    ),
  },
  {
    precondition: nestedBlock({ ...RULE, description: 'Checked before the object is planned.' }),
    postcondition: nestedBlock({
      ...RULE,
      description: 'Checked after the object is planned and applied; `self` is the object.',
    }),
    action_trigger: nestedBlock(ACTION_TRIGGER),
  },
  'How changes of this resource are made.',
);

const CONNECTION = body(
  {
    type: argument(STRING, '`ssh` or `winrm`.'),
    host: argument(STRING, 'The address to connect to.', 'required'),
    user: argument(STRING, 'The user to connect as.'),
    password: argument(STRING, 'The password to connect with.'),
    port: argument(NUMBER, 'The port to connect to.'),
    timeout: argument(STRING, 'The time-out of the connection, such as `30s` or `5m`.'),
    private_key: argument(STRING, 'The contents of the SSH key.'),
    certificate: argument(STRING, 'The contents of a signed CA certificate.'),
    agent: argument(BOOL, 'Whether to use `ssh-agent`.'),
    host_key: argument(STRING, 'The public key of the host or of its CA.'),
    bastion_host: argument(STRING, 'The bastion host to connect through.'),
    bastion_user: argument(STRING, 'The user on the bastion host.'),
  },
  {},
  'How provisioners connect to the object.',
);

const PROVISIONER = body(
  {
    when: argument(DYNAMIC, '`create` (the default) or `destroy`.'),
    on_failure: argument(DYNAMIC, '`fail` (the default) or `continue`.'),
  },
  { connection: nestedBlock(CONNECTION, 1) },
  'Runs after the object is created, or before it is destroyed.',
);

/** Arguments of the provisioners that the engine has. */
export const PROVISIONERS: Readonly<Record<string, BlockSchema>> = {
  'local-exec': body({
    command: argument(STRING, 'The command to run on this machine.', 'required'),
    working_dir: argument(STRING, 'The working directory of the command.'),
    interpreter: argument(listType(STRING), 'The interpreter and its arguments.'),
    environment: argument(mapType(STRING), 'Environment variables of the command.'),
    quiet: argument(BOOL, 'If true, the command is not printed.'),
  }),
  'remote-exec': body({
    inline: argument(listType(STRING), 'Commands, run one after another.'),
    script: argument(STRING, 'A local script to copy and run.'),
    scripts: argument(listType(STRING), 'Local scripts to copy and run in this order.'),
  }),
  file: body({
    source: argument(STRING, 'The local file or directory to copy.'),
    content: argument(STRING, 'The content to write.'),
    destination: argument(STRING, 'The path on the other machine.', 'required'),
  }),
};

const PROVIDER_ARGUMENT = argument(
  DYNAMIC,
  "The provider configuration, such as `aws.west`. By default that of the type's prefix.",
);

/** Meta-arguments of resource-like blocks, which the schema of the provider does not have. */
export const META: Readonly<Record<string, BlockSchema>> = {
  resource: body(
    { count: COUNT, for_each: FOR_EACH, provider: PROVIDER_ARGUMENT, depends_on: DEPENDS_ON },
    {
      lifecycle: nestedBlock(LIFECYCLE, 1),
      connection: nestedBlock(CONNECTION, 1),
      provisioner: nestedBlock(PROVISIONER),
    },
  ),
  data: body(
    { count: COUNT, for_each: FOR_EACH, provider: PROVIDER_ARGUMENT, depends_on: DEPENDS_ON },
    {
      lifecycle: nestedBlock(
        body({}, { precondition: nestedBlock(RULE), postcondition: nestedBlock(RULE) }),
        1,
      ),
    },
  ),
  ephemeral: body(
    { count: COUNT, for_each: FOR_EACH, provider: PROVIDER_ARGUMENT, depends_on: DEPENDS_ON },
    {
      lifecycle: nestedBlock(
        body({}, { precondition: nestedBlock(RULE), postcondition: nestedBlock(RULE) }),
        1,
      ),
    },
  ),
  list: body(
    {
      count: COUNT,
      for_each: FOR_EACH,
      provider: { ...PROVIDER_ARGUMENT, required: true, optional: false },
      limit: argument(NUMBER, 'The maximum number of results.'),
      include_resource: argument(BOOL, 'Whether results include all attributes of the resource.'),
    },
    { config: nestedBlock(EMPTY, 1) },
  ),
  action: body(
    { count: COUNT, for_each: FOR_EACH, provider: PROVIDER_ARGUMENT },
    { config: nestedBlock(EMPTY, 1) },
  ),
  provider: body({
    alias: argument(STRING, 'The name of an additional configuration of the provider.'),
    version: {
      ...argument(STRING, 'Deprecated: use `required_providers`.'),
      deprecated: true,
    },
  }),
  module: body({
    source: argument(
      STRING,
      'The source: a local path beginning with `./` or `../`, a registry address, or an address of a repository or archive.',
      'required',
    ),
    version: argument(STRING, 'The version constraint of a module from a registry.'),
    count: COUNT,
    for_each: FOR_EACH,
    providers: argument(mapType(DYNAMIC), 'Provider configurations that are passed to the module.'),
    depends_on: DEPENDS_ON,
  }),
};

const BACKEND = body({}, {}, 'Where the state is stored.');

const TERRAFORM = body(
  {
    required_version: argument(STRING, 'The constraint for the version of the program.'),
    experiments: argument(listType(DYNAMIC), 'Experimental features of the language.'),
  },
  {
    required_providers: nestedBlock(
      body({}, {}, 'The providers of the module, with sources and version constraints.'),
      1,
    ),
    backend: nestedBlock(BACKEND, 1),
    cloud: nestedBlock(
      body(
        {
          organization: argument(STRING, 'The organization of the workspaces.'),
          hostname: argument(STRING, 'The host name; by default `app.terraform.io`.'),
          token: argument(STRING, 'The API token; better set by the command `login`.'),
        },
        {
          workspaces: nestedBlock(
            body({
              name: argument(STRING, 'The name of a single workspace.'),
              tags: argument(DYNAMIC, 'Tags of the workspaces.'),
              project: argument(STRING, 'The project of the workspaces.'),
            }),
            1,
          ),
        },
        'Connects the directory to HCP Terraform or Terraform Enterprise.',
      ),
      1,
    ),
    provider_meta: nestedBlock(body({}, {}, 'Metadata for a provider.')),
    encryption: nestedBlock(body({}, {}, 'Encryption of states and plans.'), 1),
  },
  'Settings of the module.',
);

const VARIABLE = body(
  {
    type: argument(
      DYNAMIC,
      'The type constraint, such as `string` or `list(object({ name = string }))`.',
    ),
    default: argument(DYNAMIC, 'The value if none is given. Without it, the variable is required.'),
    description: argument(STRING, 'The purpose of the variable, for its users.'),
    sensitive: argument(BOOL, 'Hides the value in output.'),
    ephemeral: argument(BOOL, 'The value is not stored in plans and states.'),
    nullable: argument(BOOL, 'If false, the variable is never null: null stands for the default.'),
    const: argument(BOOL, 'The value is known before the plan, so that module sources may use it.'),
    deprecated: argument(STRING, 'The deprecation message for callers that set it.'),
  },
  { validation: nestedBlock({ ...RULE, description: 'A rule for values of the variable.' }) },
  'An input variable of the module.',
);

const OUTPUT = body(
  {
    value: argument(DYNAMIC, 'The value.', 'required'),
    description: argument(STRING, 'The purpose of the output, for its users.'),
    sensitive: argument(BOOL, 'Hides the value in output.'),
    ephemeral: argument(BOOL, 'The value is not stored in plans and states.'),
    type: argument(DYNAMIC, 'The type that the value is converted to.'),
    depends_on: DEPENDS_ON,
    deprecated: argument(STRING, 'The deprecation message for callers that use it.'),
  },
  { precondition: nestedBlock({ ...RULE, description: 'Checked before the value is computed.' }) },
  'A value that the module returns to its caller, or shows to its users.',
);

const link = (page: string): { readonly link: string } => ({ link: `${DOCUMENTATION}/${page}` });

const MODULE_BLOCKS: Readonly<Record<string, LanguageBlock>> = {
  resource: {
    labels: ['type', 'name'],
    description:
      'A managed object, which is created, updated and destroyed to match the configuration.',
    block: META['resource'] ?? EMPTY,
    ...link('resources/syntax'),
  },
  data: {
    labels: ['type', 'name'],
    description: 'An object that is read, not managed.',
    block: META['data'] ?? EMPTY,
    ...link('data-sources'),
  },
  ephemeral: {
    labels: ['type', 'name'],
    description: 'An object that exists during a run and is stored nowhere.',
    block: META['ephemeral'] ?? EMPTY,
    ...link('resources/ephemeral'),
  },
  action: {
    labels: ['type', 'name'],
    description: 'An operation of a provider that events of resources trigger.',
    block: META['action'] ?? EMPTY,
  },
  variable: {
    labels: ['name'],
    description: 'An input variable of the module.',
    block: VARIABLE,
    ...link('values/variables'),
  },
  output: {
    labels: ['name'],
    description: 'A value that the module returns to its caller.',
    block: OUTPUT,
    ...link('values/outputs'),
  },
  locals: {
    labels: [],
    description: 'Named expressions of the module.',
    block: body({}, {}, 'Named expressions of the module.'),
    ...link('values/locals'),
  },
  module: {
    labels: ['name'],
    description: 'A call of another module, with values for its input variables.',
    block: META['module'] ?? EMPTY,
    ...link('modules/syntax'),
  },
  provider: {
    labels: ['name'],
    description: 'A configuration of a provider.',
    block: META['provider'] ?? EMPTY,
    ...link('providers/configuration'),
  },
  terraform: {
    labels: [],
    description: 'Settings of the module: required versions and providers, and the backend.',
    block: TERRAFORM,
    ...link('settings'),
  },
  moved: {
    labels: [],
    description: 'Records that an object has another address now, so that it is kept.',
    block: body({
      from: argument(DYNAMIC, 'The former address.', 'required'),
      to: argument(DYNAMIC, 'The current address.', 'required'),
    }),
    ...link('modules/develop/refactoring'),
  },
  removed: {
    labels: [],
    description: 'Records that a resource or module was removed from the configuration.',
    block: body(
      { from: argument(DYNAMIC, 'The address.', 'required') },
      {
        lifecycle: nestedBlock(
          body({
            destroy: argument(BOOL, 'If false, the objects are kept and forgotten.', 'required'),
          }),
          1,
        ),
        provisioner: nestedBlock(PROVISIONER),
        connection: nestedBlock(CONNECTION, 1),
      },
    ),
    ...link('resources/syntax#removing-resources'),
  },
  import: {
    labels: [],
    description: 'Brings an existing object under management.',
    block: body({
      to: argument(DYNAMIC, 'The address of the resource instance.', 'required'),
      id: argument(STRING, 'The id of the object.'),
      identity: argument(DYNAMIC, 'The identity of the object, instead of `id`.'),
      for_each: FOR_EACH,
      provider: PROVIDER_ARGUMENT,
    }),
    ...link('import'),
  },
  check: {
    labels: ['name'],
    description: 'Assertions that are verified in each run and only warn.',
    block: body({}, { assert: nestedBlock(RULE, undefined, 1), data: nestedBlock(EMPTY, 1) }),
    ...link('checks'),
  },
};

const OVERRIDE_DURING = argument(DYNAMIC, '`plan` or `apply`: when the values become known.');

const OVERRIDES: Readonly<Record<string, NestedBlock>> = {
  override_resource: nestedBlock(
    body(
      {
        target: argument(DYNAMIC, 'The address of the resource.', 'required'),
        values: argument(DYNAMIC, 'Values of computed attributes.'),
        override_during: OVERRIDE_DURING,
      },
      {},
      'Replaces a resource by given values.',
    ),
  ),
  override_data: nestedBlock(
    body(
      {
        target: argument(DYNAMIC, 'The address of the data source.', 'required'),
        values: argument(DYNAMIC, 'Values of computed attributes.'),
        override_during: OVERRIDE_DURING,
      },
      {},
      'Replaces a data source by given values.',
    ),
  ),
  override_module: nestedBlock(
    body(
      {
        target: argument(DYNAMIC, 'The address of the module call.', 'required'),
        outputs: argument(DYNAMIC, 'Values of outputs.'),
        override_during: OVERRIDE_DURING,
      },
      {},
      'Replaces the outputs of a module.',
    ),
  ),
};

const TEST_BLOCKS: Readonly<Record<string, LanguageBlock>> = {
  run: {
    labels: ['name'],
    description: 'A plan or apply of the module, followed by assertions.',
    block: body(
      {
        command: argument(DYNAMIC, '`apply` (the default) or `plan`.'),
        expect_failures: argument(listType(DYNAMIC), 'Objects whose conditions must fail.'),
        providers: argument(mapType(DYNAMIC), 'The provider configurations of the run.'),
        state_key: argument(STRING, 'Runs with the same key share a state.'),
        parallel: argument(BOOL, 'Whether the run may be executed beside others.'),
      },
      {
        assert: nestedBlock(RULE),
        variables: nestedBlock(body({}, {}, 'Values of input variables.'), 1),
        module: nestedBlock(
          body({
            source: argument(STRING, 'The module to run instead.', 'required'),
            version: argument(STRING, 'Its version constraint.'),
          }),
          1,
        ),
        plan_options: nestedBlock(
          body({
            mode: argument(DYNAMIC, '`normal` or `refresh-only`.'),
            refresh: argument(BOOL, 'Whether objects are read first.'),
            replace: argument(listType(DYNAMIC), 'Addresses of objects to replace.'),
            target: argument(listType(DYNAMIC), 'Addresses to limit the plan to.'),
          }),
          1,
        ),
        ...OVERRIDES,
      },
    ),
    ...link('tests'),
  },
  variables: {
    labels: [],
    description: 'Values of input variables for all runs of the file.',
    block: body({}, {}, 'Values of input variables for all runs of the file.'),
  },
  variable: { labels: ['name'], description: 'A variable of the test file.', block: VARIABLE },
  provider: {
    labels: ['name'],
    description: 'A configuration of a provider for the runs.',
    block: META['provider'] ?? EMPTY,
  },
  mock_provider: {
    labels: ['name'],
    description: 'A provider that returns made-up values instead of making changes.',
    block: body(
      {
        alias: argument(STRING, 'The alias of the configuration.'),
        source: argument(STRING, 'A directory of mock files.'),
        override_during: OVERRIDE_DURING,
      },
      {
        mock_resource: nestedBlock(
          body({ defaults: argument(DYNAMIC, 'Values of computed attributes.') }),
        ),
        mock_data: nestedBlock(
          body({ defaults: argument(DYNAMIC, 'Values of computed attributes.') }),
        ),
        ...OVERRIDES,
      },
    ),
    ...link('tests/mocking'),
  },
  test: {
    labels: [],
    description: 'Settings of the file.',
    block: body({ parallel: argument(BOOL, 'Whether runs may be executed beside each other.') }),
  },
  ...Object.fromEntries(
    Object.entries(OVERRIDES).map(([name, { block }]) => [
      name,
      { labels: [], description: block.description ?? '', block },
    ]),
  ),
};

const MOCK_BLOCKS: Readonly<Record<string, LanguageBlock>> = {
  mock_resource: {
    labels: ['type'],
    description: 'Values of the resources of a type.',
    block: body({ defaults: argument(DYNAMIC, 'Values of computed attributes.') }),
  },
  mock_data: {
    labels: ['type'],
    description: 'Values of the data sources of a type.',
    block: body({ defaults: argument(DYNAMIC, 'Values of computed attributes.') }),
  },
  ...Object.fromEntries(
    Object.entries(OVERRIDES).map(([name, { block }]) => [
      name,
      { labels: [], description: block.description ?? '', block },
    ]),
  ),
};

const QUERY_BLOCKS: Readonly<Record<string, LanguageBlock>> = {
  list: {
    labels: ['type', 'name'],
    description: 'A query for existing objects of a resource type.',
    block: META['list'] ?? EMPTY,
  },
  variable: { labels: ['name'], description: 'An input variable.', block: VARIABLE },
  locals: { labels: [], description: 'Named expressions.', block: EMPTY },
  provider: {
    labels: ['name'],
    description: 'A configuration of a provider.',
    block: META['provider'] ?? EMPTY,
  },
};

/** The labels of nested blocks; all others have none. */
export const NESTED_LABELS: Readonly<Record<string, readonly string[]>> = {
  backend: ['type'],
  provisioner: ['type'],
  provider_meta: ['provider'],
  dynamic: ['block type'],
  mock_resource: ['type'],
  mock_data: ['type'],
};

const NO_BLOCKS: Readonly<Record<string, LanguageBlock>> = {};

/** The top-level blocks of files of a role. */
export function languageBlocks(role: FileRole): Readonly<Record<string, LanguageBlock>> {
  switch (role) {
    case 'module':
      return MODULE_BLOCKS;
    case 'test':
      return TEST_BLOCKS;
    case 'mock':
      return MOCK_BLOCKS;
    case 'query':
      return QUERY_BLOCKS;
    case 'variables':
    case 'template':
    case 'lock':
    case 'other':
      return NO_BLOCKS;
  }
}

/** The schema of the `dynamic` block that generates blocks of a type. */
export function dynamicSchema(generated: BlockSchema): BlockSchema {
  return body(
    {
      for_each: argument(
        DYNAMIC,
        'The collection; there is one block for each element.',
        'required',
      ),
      iterator: argument(DYNAMIC, 'The name of the current element; by default the block type.'),
      labels: argument(listType(STRING), 'The labels of the blocks.'),
    },
    { content: nestedBlock(generated, 1, 1) },
    'Generates nested blocks from a collection.',
  );
}

/** An entry of `required_providers`. */
export const REQUIRED_PROVIDER: BlockSchema = body({
  source: argument(STRING, 'The source address, such as `hashicorp/aws`.'),
  version: argument(STRING, 'The version constraint.'),
  configuration_aliases: argument(
    listType(DYNAMIC),
    'Provider configurations that callers must pass.',
  ),
});
