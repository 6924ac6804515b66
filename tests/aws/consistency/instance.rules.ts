// Changes of instances, which EC2 shows a while after they were made.
import { minutes, seconds } from '@terrane/provider/sdk';
import { prerequisite, TRUST } from './prerequisite.ts';
import { type Rule, type Subject, type WaitRule, xmlElement } from './rules.ts';
import { answersModify, putAfter, without } from './shown.ts';

const POLLING = { delay: seconds(10), interval: seconds(3) } as const;
const INSTANCE = { ami: 'ami-12c6146b', instance_type: 't3.micro' };

const BASE = { kind: 'wait', step: 'update', service: 'ec2' } as const;

/** Shows an element of each instance. */
const element =
  (name: string): WaitRule['show'] =>
  (body, text) =>
    putAfter(without(body, name), 'instanceId', `<${name}>${text}</${name}>`);

const metadata: WaitRule['show'] = (body, state) =>
  element('metadataOptions')(
    body,
    `<state>${state}</state><httpTokens>required</httpTokens><httpEndpoint>enabled</httpEndpoint><httpPutResponseHopLimit>2</httpPutResponseHopLimit>`,
  );
const maintenance: WaitRule['show'] = (body, recovery) =>
  element('maintenanceOptions')(body, `<autoRecovery>${recovery}</autoRecovery>`);
const reservation: WaitRule['show'] = (body, preference) =>
  element('capacityReservationSpecification')(
    body,
    `<capacityReservationPreference>${preference}</capacityReservationPreference>`,
  );

const MODIFICATION_REASON = 'The volume cannot grow';

/** Shows the state of a modification of a volume, with a message. */
const modification: WaitRule['show'] = (body, state) =>
  putAfter(
    xmlElement('modificationState')(without(body, 'statusMessage'), state),
    'modificationState',
    `<statusMessage>${MODIFICATION_REASON}</statusMessage>`,
  );

/** A rule of an option that the test server does not know. */
function option(
  argument: string,
  modify: string,
  show: WaitRule['show'],
  states: { readonly before: string; readonly after: string; readonly limit: number },
  block: object,
): WaitRule {
  return {
    ...BASE,
    operation: 'DescribeInstances',
    label: `DescribeInstances, ${argument}`,
    pending: [states.before],
    target: [states.after],
    show,
    ...POLLING,
    limit: states.limit,
    subject: {
      updated: () => ({ ...INSTANCE, [argument]: [block] }),
      answers: (proxy) =>
        answersModify(proxy, 'DescribeInstances', {
          [modify]: (body) => show(body, states.after),
        }),
    },
  };
}

/** Creates a profile, with a role, that has the name of the test. */
const withProfile: NonNullable<Subject['prepare']> = async (actors, name) => {
  await prerequisite(actors, 'aws_iam_role', { name, assume_role_policy: TRUST });
  await prerequisite(actors, 'aws_iam_instance_profile', { name, role: name });
  return {};
};

/** The waits of updates of an instance. `state` shows its state. */
export function instanceUpdates(state: WaitRule['show'], reason: string): readonly Rule[] {
  return [
    {
      ...BASE,
      operation: 'DescribeInstances',
      label: 'DescribeInstances, after StopInstances',
      pending: ['pending', 'running', 'shutting-down', 'stopping'],
      target: ['stopped'],
      show: state,
      unexpected: { state: 'terminated', reason },
      ...POLLING,
      limit: minutes(10),
    },
    {
      ...BASE,
      operation: 'DescribeInstances',
      label: 'DescribeInstances, after StartInstances',
      after: 1,
      pending: ['pending', 'stopped'],
      target: ['running'],
      show: state,
      ...POLLING,
      limit: minutes(10),
    },
    {
      ...BASE,
      operation: 'DescribeInstances',
      label: 'DescribeInstances, iam_instance_profile',
      pending: ['another profile'],
      target: ['the requested profile'],
      show: (body) => without(body, 'iamInstanceProfile'),
      ...POLLING,
      limit: minutes(5),
      subject: {
        prepare: withProfile,
        updated: (name) => ({ ...INSTANCE, iam_instance_profile: name }),
      },
    },
    option(
      'metadata_options',
      'ModifyInstanceMetadataOptions',
      metadata,
      { before: 'pending', after: 'applied', limit: minutes(10) },
      { http_tokens: 'required', http_put_response_hop_limit: 2 },
    ),
    option(
      'maintenance_options',
      'ModifyInstanceMaintenanceOptions',
      maintenance,
      { before: 'default', after: 'disabled', limit: minutes(10) },
      { auto_recovery: 'disabled' },
    ),
    option(
      'capacity_reservation_specification',
      'ModifyInstanceCapacityReservationAttributes',
      reservation,
      { before: 'open', after: 'none', limit: minutes(5) },
      { capacity_reservation_preference: 'none' },
    ),
    {
      ...BASE,
      operation: 'DescribeInstances',
      label: 'DescribeInstances, delete_on_termination',
      pending: ['true'],
      target: ['false'],
      show: xmlElement('deleteOnTermination'),
      ...POLLING,
      limit: minutes(10),
      subject: {
        updated: () => ({ ...INSTANCE, root_block_device: [{ delete_on_termination: false }] }),
      },
    },
    {
      ...BASE,
      operation: 'DescribeVolumesModifications',
      pending: ['modifying'],
      target: ['completed', 'optimizing'],
      show: modification,
      unexpected: { state: 'failed', reason: MODIFICATION_REASON },
      delay: seconds(30),
      // Pauses that would be longer than 10 s after doubling are 10 s, as in the published provider.
      interval: seconds(10),
      limit: minutes(10),
      subject: { updated: () => ({ ...INSTANCE, root_block_device: [{ volume_size: 20 }] }) },
    },
  ];
}

/** The wait of an update of a volume. */
export const VOLUME_UPDATE: WaitRule = {
  ...BASE,
  operation: 'DescribeVolumesModifications',
  pending: ['modifying'],
  target: ['completed', 'optimizing'],
  show: modification,
  unexpected: { state: 'failed', reason: MODIFICATION_REASON },
  ...POLLING,
  limit: minutes(5),
};
