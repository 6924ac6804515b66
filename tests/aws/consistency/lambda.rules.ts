import { minutes, seconds } from '@terrane/provider/sdk';
import { NEW_ROLE, prerequisite, role } from './prerequisite.ts';
import type { RetryRule, ServiceRules, Subject, WaitRule } from './rules.ts';

const FUNCTIONS = String.raw`/2015-03-31/functions`;
const invalid = (message: string): RetryRule['errors'][number] => ({
  status: 400,
  code: 'InvalidParameterValueException',
  message,
});
const CONFLICT = {
  status: 409,
  code: 'ResourceConflictException',
  message: 'The operation cannot be performed at this time.',
  anyMessage: true,
};
const ROLE = [
  invalid('The role defined for the function cannot be assumed by Lambda.'),
  invalid(
    'The provided execution role does not have permissions to call CreateNetworkInterface on EC2',
  ),
  invalid(
    'Lambda was unable to configure access to your environment variables because the KMS key is invalid for CreateGrant.',
  ),
  CONFLICT,
];
const THROTTLED = invalid('Lambda was throttled by EC2 during creation of the network interface.');
const NO_FUNCTION = {
  status: 404,
  code: 'ResourceNotFoundException',
  message: 'Function not found',
  anyMessage: true,
};
const BUSY = {
  status: 412,
  code: 'PreconditionFailedException',
  message: 'The RevisionId provided does not match the latest RevisionId.',
  anyMessage: true,
};
const IMAGE = '123456789012.dkr.ecr.eu-central-1.amazonaws.com/it:latest';

const written = (name: string) => ({
  function_name: name,
  package_type: 'Image',
  image_uri: IMAGE,
});
const withRole: Subject['prepare'] = async (actors, name) => ({ role: await role(actors, name) });

/** Shows a member of a function's configuration, with a reason. */
const shows =
  (member: string, reason: string): WaitRule['show'] =>
  (body, state) => {
    const answer: unknown = JSON.parse(body);
    const configuration: unknown = Reflect.get(Object(answer), 'Configuration') ?? answer;
    Object.assign(Object(configuration), {
      [member]: state,
      [`${reason}ReasonCode`]: 'SubnetOutOfIPAddresses',
      [`${reason}Reason`]: 'There is no address.',
    });
    return JSON.stringify(answer);
  };

/** Resource types of Lambda. */
export const LAMBDA: ServiceRules = {
  service: 'Lambda',
  types: [
    {
      type: 'aws_lambda_function',
      sources: [{ file: 'lambda/function.go', release: '5' }],
      subject: {
        prepare: withRole,
        written,
        updated: (name) => ({ ...written(name), memory_size: 256 }),
      },
      note: 'a function that fails because its role lacks permissions yet is created again for 2 minutes',
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'lambda',
          operation: new RegExp(`^POST ${FUNCTIONS}/?$`),
          label: 'CreateFunction',
          errors: ROLE,
          limit: minutes(5),
        },
        {
          kind: 'retry',
          step: 'create',
          service: 'lambda',
          operation: new RegExp(`^POST ${FUNCTIONS}/?$`),
          label: 'CreateFunction, throttled by EC2',
          errors: [THROTTLED],
          limit: minutes(14),
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'lambda',
          operation: new RegExp(`^GET ${FUNCTIONS}/it-\\d+$`),
          label: 'GetFunction',
          after: 1,
          pending: ['Pending'],
          target: ['Active', 'ActiveNonInvocable'],
          show: shows('State', 'State'),
          unexpected: { state: 'Failed', reason: 'SubnetOutOfIPAddresses: There is no address.' },
          delay: seconds(5),
          limit: minutes(10),
        },
        {
          kind: 'retry',
          step: 'update',
          service: 'lambda',
          operation: new RegExp(`^PUT ${FUNCTIONS}/it-\\d+/configuration$`),
          label: 'UpdateFunctionConfiguration',
          errors: ROLE,
          limit: minutes(5),
        },
        {
          kind: 'retry',
          step: 'update',
          service: 'lambda',
          operation: new RegExp(`^PUT ${FUNCTIONS}/it-\\d+/configuration$`),
          label: 'UpdateFunctionConfiguration, throttled by EC2',
          errors: [THROTTLED],
          limit: minutes(14),
        },
        {
          kind: 'wait',
          step: 'update',
          service: 'lambda',
          operation: new RegExp(`^GET ${FUNCTIONS}/it-\\d+/configuration$`),
          label: 'GetFunctionConfiguration',
          pending: ['InProgress'],
          target: ['Successful'],
          show: shows('LastUpdateStatus', 'LastUpdateStatus'),
          unexpected: { state: 'Failed', reason: 'SubnetOutOfIPAddresses: There is no address.' },
          delay: seconds(5),
          limit: minutes(10),
        },
        {
          kind: 'retry',
          step: 'delete',
          service: 'lambda',
          operation: new RegExp(`^DELETE ${FUNCTIONS}/it-\\d+$`),
          label: 'DeleteFunction',
          errors: [invalid('Lambda was unable to delete it because it is a replicated function.')],
          limit: minutes(10),
        },
      ],
    },
    {
      type: 'aws_lambda_permission',
      sources: [{ file: 'lambda/permission.go', release: '6' }],
      subject: {
        prepare: async (actors, name) => {
          const made = { ...written(name), role: await role(actors, name) };
          await prerequisite(actors, 'aws_lambda_function', made);
          return { function_name: name };
        },
        written: () => ({
          action: 'lambda:InvokeFunction',
          principal: 's3.amazonaws.com',
          statement_id: 'it',
        }),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'lambda',
          operation: new RegExp(`^POST ${FUNCTIONS}/it-\\d+/policy$`),
          label: 'AddPermission',
          errors: [NO_FUNCTION, CONFLICT, BUSY],
          limit: minutes(5),
        },
        {
          kind: 'retry',
          step: 'create',
          service: 'lambda',
          operation: new RegExp(`^POST ${FUNCTIONS}/it-\\d+/policy$`),
          label: 'AddPermission',
          errors: [
            invalid(
              'The provided principal was invalid. Please check the principal and try again.',
            ),
          ],
          limit: minutes(5),
          subject: {
            written: () => ({
              action: 'lambda:InvokeFunction',
              principal: NEW_ROLE,
              statement_id: 'it',
            }),
          },
          difference: 'not retried; a new role or user may not be visible yet',
        },
        {
          kind: 'retry',
          step: 'delete',
          service: 'lambda',
          operation: new RegExp(`^DELETE ${FUNCTIONS}/it-\\d+/policy/it$`),
          label: 'RemovePermission',
          errors: [CONFLICT, BUSY],
          limit: minutes(5),
          difference: 'not retried; another permission of the function may be changed at once',
        },
        {
          kind: 'wait',
          step: 'delete',
          service: 'lambda',
          operation: new RegExp(`^GET ${FUNCTIONS}/it-\\d+/policy$`),
          label: 'GetPolicy',
          pending: ['exists'],
          target: [],
          show: (body) => body,
          limit: minutes(5),
        },
      ],
    },
    {
      type: 'aws_lambda_event_source_mapping',
      sources: [{ file: 'lambda/event_source_mapping.go', release: '5' }],
      subject: {
        prepare: async (actors, name) => {
          const made = { ...written(name), role: await role(actors, name) };
          await prerequisite(actors, 'aws_lambda_function', made);
          const queue = await prerequisite(actors, 'aws_sqs_queue', { name });
          return { function_name: name, event_source_arn: String(queue['arn']) };
        },
        written: () => ({ batch_size: 5 }),
        updated: () => ({ batch_size: 6 }),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'lambda',
          operation: /^POST \/2015-03-31\/event-source-mappings\/?$/,
          label: 'CreateEventSourceMapping',
          errors: [
            invalid('The function execution role does not have permissions to call ReceiveMessage'),
            invalid('Please ensure the role can perform the GetRecords Action'),
            invalid('The role defined for the function cannot be assumed by Lambda.'),
          ],
          limit: minutes(5),
        },
        ...(['create', 'update'] as const).map((step): WaitRule => ({
          kind: 'wait',
          step,
          service: 'lambda',
          operation: /^GET \/2015-03-31\/event-source-mappings\/[\w-]+$/,
          label: 'GetEventSourceMapping',
          pending:
            step === 'create'
              ? ['Creating', 'Enabling', 'Disabling']
              : ['Updating', 'Enabling', 'Disabling'],
          target: ['Enabled', 'Disabled'],
          show: (body, state) => {
            const more = { State: state, StateTransitionReason: 'There is no such source.' };
            return JSON.stringify({ ...(JSON.parse(body) as object), ...more });
          },
          unexpected: { state: 'Failed', reason: 'There is no such source.' },
          limit: minutes(10),
        })),
        {
          kind: 'retry',
          step: 'delete',
          service: 'lambda',
          operation: /^DELETE \/2015-03-31\/event-source-mappings\/[\w-]+$/,
          label: 'DeleteEventSourceMapping',
          errors: [
            {
              status: 400,
              code: 'ResourceInUseException',
              message: 'Cannot delete the event source mapping because it is in use.',
              anyMessage: true,
            },
          ],
          limit: minutes(5),
        },
      ],
    },
  ],
};
