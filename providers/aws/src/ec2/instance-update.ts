import { ifKnown, type RemoteObject, seconds } from '@terrane/provider/sdk';
import type {
  CapacityReservationSpecification,
  CapacityReservationSpecificationResponse,
  ModifyInstanceAttributeRequest,
  ModifyInstanceMetadataOptionsRequest,
  VolumeType,
} from '@aws-sdk/client-ec2';
import type { RegionalAws } from '../clients/aws.ts';
import { enumOf } from '../resource/enum-of.ts';
import { elementsOf, omitUnset } from '../resource/only.ts';
import { ec2Retag } from './tags.ts';
import { tagChange, type Tags } from '../tags/tags.ts';
import { waitForModification } from './volumes.ts';
import { base64, capacityReservation, metadataOptions } from './instance-request.ts';
import type { InstanceBlocks, InstancePlan, WrittenVolume } from './instance-plan.ts';
import { unless } from '../request/again.ts';
import { hasMessage } from '../request/aws-error.ts';
import { readState } from '../resource/seen.ts';
import { ATTRIBUTE_WAIT, POLLING } from './consts.ts';
import { instanceById, startInstance, stopInstance } from './instance-state.ts';

/** A volume of an instance as the state has it. */
interface StoredVolume {
  readonly delete_on_termination: boolean;
  readonly device_name: string;
  readonly iops: number;
  readonly throughput: number;
  readonly volume_id: string;
  readonly volume_size: number;
  readonly volume_type: string;
}

/** The context of an update of an instance. */
export interface InstanceUpdate {
  readonly aws: RegionalAws;
  readonly object: RemoteObject;
  readonly id: string;
  readonly plan: InstancePlan;
  readonly source_dest_check: boolean | null;
  readonly volume_tags: { readonly before: Tags; readonly after: Tags };
  readonly blocks: InstanceBlocks;
  readonly state: {
    readonly primary_network_interface_id: string;
    readonly secondary_private_ips: readonly string[] | null;
    readonly instance_state: string;
    readonly root_block_device: readonly StoredVolume[];
    readonly ebs_block_device: readonly StoredVolume[];
  };
  readonly changed: (...at: readonly string[]) => boolean;
  readonly timeout: number;
}

/** Changes an attribute of the instance, which is named in errors. */
type ModifyAttribute = (
  name: string,
  request: Omit<ModifyInstanceAttributeRequest, 'InstanceId'>,
) => Promise<unknown>;

/** Changes all of an instance that can be changed. */
export async function updateInstance(update: InstanceUpdate): Promise<void> {
  const { aws, object, id, changed } = update;
  const modify: ModifyAttribute = (subject, request) =>
    object.operation(`updating ${subject} of`, () =>
      aws.ec2.modifyInstanceAttribute({ InstanceId: id, ...request }),
    );
  if (changed('iam_instance_profile')) await changeProfile(update);
  await changeNetwork(update, modify);
  await changeWhileStopped(update, modify);
  await changeBehavior(update, modify);
  await changeOptions(update);
  await changeHostNames(update);
  await changeVolumes(update);
}

/** Changes the checks, groups and addresses of the first network interface. */
async function changeNetwork(update: InstanceUpdate, modify: ModifyAttribute): Promise<void> {
  const { aws, plan, changed, state } = update;
  if (changed('source_dest_check')) {
    await modify('source_dest_check', {
      SourceDestCheck: { Value: update.source_dest_check ?? true },
    });
  }
  if (changed('vpc_security_group_ids')) {
    const Groups = [...elementsOf(plan.vpc_security_group_ids)];
    if (state.primary_network_interface_id === '') await modify('security groups', { Groups });
    else {
      await aws.ec2.modifyNetworkInterfaceAttribute({
        NetworkInterfaceId: state.primary_network_interface_id,
        Groups,
      });
    }
  }
  if (changed('secondary_private_ips')) await changeAddresses(update);
}

/** Changes how the instance shuts down, its protection, monitoring and credits. */
async function changeBehavior(
  { aws, id, plan, changed, blocks }: InstanceUpdate,
  modify: ModifyAttribute,
): Promise<void> {
  if (changed('instance_initiated_shutdown_behavior')) {
    const Value = ifKnown(plan.instance_initiated_shutdown_behavior) ?? '';
    await modify('shutdown behavior', { InstanceInitiatedShutdownBehavior: { Value } });
  }
  for (const name of ['disable_api_stop', 'disable_api_termination'] as const) {
    if (!changed(name)) continue;
    const Value = ifKnown(plan[name]) === true;
    const isStop = name === 'disable_api_stop';
    await modify(
      name,
      isStop ? { DisableApiStop: { Value } } : { DisableApiTermination: { Value } },
    );
  }
  if (changed('monitoring')) {
    const request = { InstanceIds: [id] };
    if (ifKnown(plan.monitoring) === true) await aws.ec2.monitorInstances(request);
    else await aws.ec2.unmonitorInstances(request);
  }
  const [credit] = blocks.credit_specification;
  if (changed('credit_specification') && credit !== undefined) {
    const CpuCredits = credit.cpu_credits ?? 'standard';
    await aws.ec2.modifyInstanceCreditSpecification({
      InstanceCreditSpecifications: [{ InstanceId: id, CpuCredits }],
    });
  }
}

async function changeHostNames({ aws, id, changed, blocks }: InstanceUpdate): Promise<void> {
  const [names] = blocks.private_dns_name_options;
  if (changed('private_dns_name_options') && names !== undefined) {
    await aws.ec2.modifyPrivateDnsNameOptions({
      InstanceId: id,
      ...omitUnset({
        EnableResourceNameDnsARecord: names.enable_resource_name_dns_a_record,
        EnableResourceNameDnsAAAARecord: names.enable_resource_name_dns_aaaa_record,
        PrivateDnsHostnameType:
          names.hostname_type === 'resource-name' ? 'resource-name' : 'ip-name',
      } as const),
    });
  }
}

/** Changes the addresses of the first network interface. */
async function changeAddresses({ aws, plan, state }: InstanceUpdate): Promise<void> {
  const [before, after] = [
    state.secondary_private_ips ?? [],
    elementsOf(plan.secondary_private_ips),
  ];
  const NetworkInterfaceId = state.primary_network_interface_id;
  const removed = before.filter((address) => !after.includes(address));
  if (removed.length > 0) {
    const request = { NetworkInterfaceId, PrivateIpAddresses: removed };
    await aws.ec2.unassignPrivateIpAddresses(request);
  }
  const added = after.filter((address) => !before.includes(address));
  if (added.length > 0) {
    await aws.ec2.assignPrivateIpAddresses({ NetworkInterfaceId, PrivateIpAddresses: added });
  }
}

/** Applies the changes that EC2 supports only for stopped instances. */
async function changeWhileStopped(
  { aws, object, id, plan, changed, state, timeout }: InstanceUpdate,
  modify: ModifyAttribute,
): Promise<void> {
  if (!changed('instance_type', 'ebs_optimized', 'user_data', 'user_data_base64')) return;
  const runs = state.instance_state !== 'stopped';
  if (runs) await stopInstance(aws, object, id, { timeout });
  if (changed('instance_type')) {
    await modify('instance type', { InstanceType: { Value: ifKnown(plan.instance_type) ?? '' } });
  }
  if (changed('ebs_optimized')) {
    await modify('ebs_optimized', {
      EbsOptimized: { Value: ifKnown(plan.ebs_optimized) === true },
    });
  }
  if (changed('user_data', 'user_data_base64')) {
    const text =
      plan.user_data === null ? (ifKnown(plan.user_data_base64) ?? '') : base64(plan.user_data);
    await modify('user data', {
      UserData: { Value: new Uint8Array(Buffer.from(text, 'base64')) },
    });
  }
  if (runs) await startInstance(aws, object, id, timeout);
}

/** Changes options that EC2 shows only a while after they were set, and waits for each. */
async function changeOptions(update: InstanceUpdate): Promise<void> {
  const { aws, object, id, changed, blocks, timeout } = update;
  const [metadata] = blocks.metadata_options;
  if (changed('metadata_options') && metadata !== undefined) {
    await changeMetadataOptions(update, metadata);
  }
  const [capacity] = blocks.capacity_reservation_specification;
  if (changed('capacity_reservation_specification') && capacity !== undefined) {
    const expected = capacityReservation(capacity);
    await aws.ec2.modifyInstanceCapacityReservationAttributes({
      InstanceId: id,
      CapacityReservationSpecification: expected,
    });
    await object.waitForValue('capacity_reservation_specification', {
      read: () => instanceById(aws, id),
      value: ({ CapacityReservationSpecification: reservation }) =>
        isSameReservation(reservation, expected),
      expected: true,
      ...ATTRIBUTE_WAIT,
    });
  }
  const [maintenance] = blocks.maintenance_options;
  if (changed('maintenance_options') && maintenance !== undefined) {
    const AutoRecovery = maintenance.auto_recovery === 'disabled' ? 'disabled' : 'default';
    await aws.ec2.modifyInstanceMaintenanceOptions({ InstanceId: id, AutoRecovery });
    await object.waitForValue('maintenance_options', {
      read: () => instanceById(aws, id),
      value: ({ MaintenanceOptions }) => MaintenanceOptions?.AutoRecovery ?? '',
      expected: AutoRecovery,
      ...ATTRIBUTE_WAIT,
      timeout,
    });
  }
}

async function changeMetadataOptions(
  { aws, object, id, timeout }: InstanceUpdate,
  metadata: InstanceBlocks['metadata_options'][number],
): Promise<void> {
  const request: ModifyInstanceMetadataOptionsRequest = {
    InstanceId: id,
    ...metadataOptions(metadata),
  };
  const { InstanceMetadataTags: _, ...withoutTags } = request;
  await object.operation('updating the metadata options of', async () => {
    try {
      await aws.ec2.modifyInstanceMetadataOptions(request);
    } catch (error) {
      // Some partitions do not know tags there.
      if (!hasMessage(error, 'UnsupportedOperation', 'InstanceMetadataTags')) throw error;
      await aws.ec2.modifyInstanceMetadataOptions(withoutTags);
    }
  });
  await object.waitFor('update of the metadata options', {
    pending: ['pending'],
    target: ['applied'],
    ...POLLING,
    timeout,
    refresh: readState(
      async () => (await instanceById(aws, id)).MetadataOptions,
      ({ State }) => State ?? 'applied',
    ),
  });
}

/** Compares the reservation that EC2 shows with the requested one, ignoring what EC2 adds. */
function isSameReservation(
  reservation: CapacityReservationSpecificationResponse | undefined,
  expected: CapacityReservationSpecification,
): boolean {
  const [had, wanted] = [
    reservation?.CapacityReservationTarget,
    expected.CapacityReservationTarget,
  ];
  return (
    (expected.CapacityReservationPreference ?? reservation?.CapacityReservationPreference) ===
      reservation?.CapacityReservationPreference &&
    had?.CapacityReservationId === wanted?.CapacityReservationId &&
    had?.CapacityReservationResourceGroupArn === wanted?.CapacityReservationResourceGroupArn
  );
}

async function changeProfile({ aws, object, id, plan, state }: InstanceUpdate): Promise<void> {
  const Name = ifKnown(plan.iam_instance_profile) ?? '';
  const { IamInstanceProfileAssociations = [] } =
    await aws.ec2.describeIamInstanceProfileAssociations({
      Filters: [{ Name: 'instance-id', Values: [id] }],
    });
  const [{ AssociationId } = {}] = IamInstanceProfileAssociations;
  const IamInstanceProfile = { Name };
  await object.operation(
    'updating the instance profile of',
    async () => {
      if (Name === '') {
        if (AssociationId !== undefined) {
          await aws.ec2.disassociateIamInstanceProfile({ AssociationId });
        }
      } else if (AssociationId === undefined) {
        await aws.ec2.associateIamInstanceProfile({ InstanceId: id, IamInstanceProfile });
      } else if (CANNOT_REPLACE.has(state.instance_state)) {
        await unless(
          () => aws.ec2.disassociateIamInstanceProfile({ AssociationId }),
          'InvalidAssociationID.NotFound',
        );
        await aws.ec2.associateIamInstanceProfile({ InstanceId: id, IamInstanceProfile });
      } else {
        await aws.ec2.replaceIamInstanceProfileAssociation({ AssociationId, IamInstanceProfile });
      }
    },
    { isRetryable: isUnknownProfile },
  );
  await object.waitForValue('iam_instance_profile', {
    read: () => instanceById(aws, id),
    value: (association) => association.IamInstanceProfile?.Arn?.split('/').pop() ?? '',
    expected: Name,
    ...ATTRIBUTE_WAIT,
  });
}

/** States of instances whose profile cannot be replaced in one request. */
const CANNOT_REPLACE: ReadonlySet<string> = new Set(['stopped', 'stopping', 'shutting-down']);

/** Tests whether EC2 does not know a new instance profile yet, or not the role that was added to it. */
export function isUnknownProfile(error: unknown): boolean {
  return (
    hasMessage(error, 'InvalidParameterValue', 'Invalid IAM Instance Profile') ||
    hasMessage(error, 'InvalidParameterValue', 'has no associated IAM Roles')
  );
}

async function changeVolumes(update: InstanceUpdate): Promise<void> {
  const { aws, blocks, state, changed, volume_tags: tags } = update;
  const [root] = blocks.root_block_device;
  const [rootBefore] = state.root_block_device;
  if (changed('root_block_device') && root !== undefined && rootBefore !== undefined) {
    await changeVolume(update, root, rootBefore);
  }
  if (changed('ebs_block_device')) {
    for (const volume of blocks.ebs_block_device) {
      const previous = state.ebs_block_device.find(
        (each) => each.device_name === volume.device_name,
      );
      if (previous !== undefined) await changeVolume(update, volume, previous);
    }
  }
  if (!changed('volume_tags')) return;
  const difference = tagChange(tags.before, tags.after);
  for (const { volume_id } of [...state.root_block_device, ...state.ebs_block_device]) {
    await ec2Retag({ aws, id: volume_id }, difference);
  }
}

/** Changes a volume, and whether it is deleted together with the instance. */
async function changeVolume(
  { aws, object, id, timeout }: InstanceUpdate,
  wanted: WrittenVolume,
  was: StoredVolume,
): Promise<void> {
  const { volume_id: VolumeId, device_name: DeviceName } = was;
  const request = omitUnset({
    Iops: wanted.iops === was.iops ? null : wanted.iops,
    Size: wanted.volume_size === was.volume_size ? null : wanted.volume_size,
    Throughput: wanted.throughput === was.throughput ? null : wanted.throughput,
    VolumeType:
      wanted.volume_type === was.volume_type ? null : enumOf<VolumeType>(wanted.volume_type),
  });
  if (Object.keys(request).length > 0) {
    await aws.ec2.modifyVolume({ VolumeId, ...request });
    await waitForModification(aws, object, VolumeId, {
      timeout,
      delay: seconds(30),
      minTimeout: seconds(30),
    });
  }
  const { delete_on_termination: dropped } = wanted;
  if (dropped === null || dropped === was.delete_on_termination) return;
  await object.operation('updating delete_on_termination of', () =>
    aws.ec2.modifyInstanceAttribute({
      InstanceId: id,
      BlockDeviceMappings: [{ DeviceName, Ebs: { DeleteOnTermination: dropped } }],
    }),
  );
  await object.waitForValue('delete_on_termination', {
    read: () => instanceById(aws, id),
    value: ({ BlockDeviceMappings = [] }) =>
      BlockDeviceMappings.find((each) => each.DeviceName === DeviceName)?.Ebs
        ?.DeleteOnTermination ?? false,
    expected: dropped,
    ...ATTRIBUTE_WAIT,
    timeout,
  });
}
