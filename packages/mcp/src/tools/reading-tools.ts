import { hasErrors } from '@terrane/hcl';
import { providerSchemas, type Project, show, validate, versions } from '@terrane/ops';
import { redactedJson, stateJson } from '@terrane/render';
import { recordOf } from '../plan-store.ts';
import { failure, page, plainProblems, type ToolOutcome } from '../result.ts';
import { schemaExcerpt } from '../schema-excerpt.ts';
import { argumentsOf, PAGE, textOf, type Tool } from '../tool.ts';

/** Tools that read the configuration, the schemas and the state. */
export function readingTools(project: Project): readonly Tool[] {
  return [
    {
      name: 'validate',
      title: 'Validate the configuration',
      description:
        'Checks the configuration without a state and without access to providers’ services.',
      schema: argumentsOf(),
      isReadOnly: true,
      run: async () => {
        const diagnostics = await validate(project);
        return {
          data: { valid: !hasErrors(diagnostics), diagnostics: plainProblems(diagnostics) },
        };
      },
    },
    {
      name: 'schema',
      title: 'Show a schema',
      description:
        'Shows the arguments of a resource type, data source, ephemeral resource or provider; without a type, the names of all types.',
      schema: argumentsOf({
        type: textOf('resource type such as "aws_instance", or the local name of a provider'),
        kind: {
          enum: ['resource', 'data', 'ephemeral', 'provider'],
          description: 'default: resource',
        },
        path: textOf('nested blocks or attributes to show, separated by dots: "ebs_block_device"'),
        search: textOf('only names that contain this text'),
        ...PAGE,
      }),
      isReadOnly: true,
      run: async (args) => {
        const { result, diagnostics } = await providerSchemas(project);
        if (result === undefined) return failure('Schemas could not be loaded.', diagnostics);
        return schemaExcerpt(result, {
          type: args.text('type'),
          kind: args.text('kind') ?? 'resource',
          path: args.text('path'),
          search: args.text('search'),
          page: args.page,
        });
      },
    },
    {
      name: 'state_list',
      title: 'List the objects in the state',
      description: 'Lists the addresses of the instances in the state.',
      schema: argumentsOf({ search: textOf('only addresses that contain this text'), ...PAGE }),
      isReadOnly: true,
      run: async (args) => {
        const read = await readInstances(project);
        if ('outcome' in read) return read.outcome;
        const search = args.text('search') ?? '';
        const addresses = [...read.instances.keys()].filter((each) => each.includes(search));
        return { data: page(addresses, args.page) };
      },
    },
    {
      name: 'state_show',
      title: 'Show an object in the state',
      description:
        'Shows an instance in the state. Sensitive values are replaced by "(sensitive value)".',
      schema: argumentsOf({ address: textOf('address of the instance') }, ['address']),
      isReadOnly: true,
      run: async (args) => {
        const read = await readInstances(project);
        if ('outcome' in read) return read.outcome;
        const address = args.text('address') ?? '';
        const instance = read.instances.get(address);
        return instance === undefined
          ? failure(`The state has no instance ${address}.`)
          : { data: instance };
      },
    },
    {
      name: 'outputs',
      title: 'Show outputs',
      description: 'Shows the outputs in the state. Sensitive ones are replaced.',
      schema: argumentsOf(),
      isReadOnly: true,
      run: async () => {
        const read = await readInstances(project);
        return 'outcome' in read ? read.outcome : { data: { outputs: read.outputs } };
      },
    },
    {
      name: 'versions',
      title: 'Show versions',
      description: 'Shows the versions of the program and of the selected providers.',
      schema: argumentsOf(),
      isReadOnly: true,
      run: async () => {
        const { selections, ...program } = await versions(project);
        return { data: { ...program, providers: Object.fromEntries(selections) } };
      },
    },
  ];
}

type StateContent =
  | { readonly outcome: ToolOutcome }
  | {
      readonly instances: ReadonlyMap<string, unknown>;
      readonly outputs: unknown;
    };

/** Reads the state without its sensitive values. */
async function readInstances(project: Project): Promise<StateContent> {
  const { shown, diagnostics } = await show(project);
  if (shown?.kind !== 'state')
    return { outcome: failure('The state could not be read.', diagnostics) };
  const document = recordOf(JSON.parse(redactedJson(stateJson(shown.file, shown.schemas))));
  const values = recordOf(document['values']);
  const instances = new Map<string, unknown>();
  collect(recordOf(values['root_module']), instances);
  return { instances, outputs: recordOf(values['outputs']) };
}

function collect(module: Readonly<Record<string, unknown>>, instances: Map<string, unknown>): void {
  const { resources, child_modules: children } = module;
  for (const resource of Array.isArray(resources) ? resources : []) {
    const { sensitive_values: _flags, ...rest } = recordOf(resource);
    instances.set(String(rest['address']), rest);
  }
  for (const child of Array.isArray(children) ? children : []) collect(recordOf(child), instances);
}
