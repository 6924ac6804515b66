import { ifKnown, type RemoteObject, seconds } from '@terrane/provider/sdk';
import type {
  ModifyInstanceAttributeRequest,
  ModifyInstanceMetadataOptionsRequest,
  VolumeType,
} from '@aws-sdk/client-ec2';
import type { RegionalAws } from '../clients/aws.ts';
import { enumOf } from '../resource/enum-of.ts';
import { elementsOf, given } from '../resource/only.ts';
import { ec2Retag } from './tags.ts';
import { tagChange, type Tags } from '../tags/tags.ts';
import { modified } from './volumes.ts';
import { base64, capacityReservation, metadataOptions } from './instance-request.ts';
import type { InstanceBlocks, InstancePlan, WrittenVolume } from './instance-plan.ts';
import { hasMessage } from '../request/aws-error.ts';
import { startInstance, stopInstance } from './instance-state.ts';

/** What an update of an instance is given. */
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
    readonly root_block_device: readonly { readonly volume_id: string }[];
    readonly ebs_block_device: readonly {
      readonly device_name: string;
      readonly volume_id: string;
    }[];
  };
  readonly changed: (...at: readonly string[]) => boolean;
  readonly timeout: number;
}

/** Changes all of an instance that can be changed. */
export async function updateInstance(update: InstanceUpdate): Promise<void> {
  const { aws, object, id, plan, changed, blocks, state } = update;
  const modify = (what: string, request: Omit<ModifyInstanceAttributeRequest, 'InstanceId'>) =>
    object.operation(`updating ${what} of`, () =>
      aws.ec2.modifyInstanceAttribute({ InstanceId: id, ...request }),
    );
  const flag = async (name: 'disable_api_stop' | 'disable_api_termination', on: boolean) =>
    await modify(
      name,
      name === 'disable_api_stop'
        ? { DisableApiStop: { Value: on } }
        : { DisableApiTermination: { Value: on } },
    );
  if (changed('iam_instance_profile')) await changeProfile(update);
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
  await changeWhileStopped(update, modify);
  if (changed('instance_initiated_shutdown_behavior')) {
    const Value = ifKnown(plan.instance_initiated_shutdown_behavior) ?? '';
    await modify('shutdown behavior', { InstanceInitiatedShutdownBehavior: { Value } });
  }
  for (const name of ['disable_api_stop', 'disable_api_termination'] as const) {
    if (changed(name)) await flag(name, ifKnown(plan[name]) === true);
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
  const [metadata] = blocks.metadata_options;
  if (changed('metadata_options') && metadata !== undefined) {
    const request: ModifyInstanceMetadataOptionsRequest = { InstanceId: id };
    await aws.ec2.modifyInstanceMetadataOptions({ ...request, ...metadataOptions(metadata) });
  }
  const [capacity] = blocks.capacity_reservation_specification;
  if (changed('capacity_reservation_specification') && capacity !== undefined) {
    await aws.ec2.modifyInstanceCapacityReservationAttributes({
      InstanceId: id,
      CapacityReservationSpecification: capacityReservation(capacity),
    });
  }
  const [maintenance] = blocks.maintenance_options;
  if (changed('maintenance_options') && maintenance !== undefined) {
    const AutoRecovery = maintenance.auto_recovery === 'disabled' ? 'disabled' : 'default';
    await aws.ec2.modifyInstanceMaintenanceOptions({ InstanceId: id, AutoRecovery });
  }
  const [names] = blocks.private_dns_name_options;
  if (changed('private_dns_name_options') && names !== undefined) {
    await aws.ec2.modifyPrivateDnsNameOptions({
      InstanceId: id,
      ...given({
        EnableResourceNameDnsARecord: names.enable_resource_name_dns_a_record,
        EnableResourceNameDnsAAAARecord: names.enable_resource_name_dns_aaaa_record,
        PrivateDnsHostnameType:
          names.hostname_type === 'resource-name' ? 'resource-name' : 'ip-name',
      } as const),
    });
  }
  await changeVolumes(update);
}

/** Takes addresses from the first network interface, and gives it others. */
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

/** What EC2 changes only of instances that stand. */
async function changeWhileStopped(
  { aws, object, id, plan, changed, state, timeout }: InstanceUpdate,
  modify: (
    what: string,
    request: Omit<ModifyInstanceAttributeRequest, 'InstanceId'>,
  ) => Promise<unknown>,
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

async function changeProfile({ aws, object, id, plan }: InstanceUpdate): Promise<void> {
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
      } else {
        await aws.ec2.replaceIamInstanceProfileAssociation({ AssociationId, IamInstanceProfile });
      }
    },
    { isRetryable: isUnknownProfile },
  );
}

/** Whether EC2 does not know a new instance profile of IAM yet, or not the role that was added to it. */
export function isUnknownProfile(error: unknown): boolean {
  return (
    hasMessage(error, 'InvalidParameterValue', 'Invalid IAM Instance Profile') ||
    hasMessage(error, 'InvalidParameterValue', 'has no associated IAM Roles')
  );
}

async function changeVolumes(update: InstanceUpdate): Promise<void> {
  const { aws, object, blocks, state, changed, timeout, volume_tags: tags } = update;
  const change = async (volume: WrittenVolume, id: string): Promise<void> => {
    await aws.ec2.modifyVolume({
      VolumeId: id,
      ...given({
        Iops: volume.iops,
        Size: volume.volume_size,
        Throughput: volume.throughput,
        VolumeType: enumOf<VolumeType>(volume.volume_type),
      }),
    });
    await modified(aws, object, id, { timeout, delay: seconds(30), minTimeout: seconds(30) });
  };
  const [root] = blocks.root_block_device;
  const rootId = state.root_block_device[0]?.volume_id;
  if (changed('root_block_device') && root !== undefined && rootId !== undefined) {
    await change(root, rootId);
  }
  if (changed('ebs_block_device')) {
    for (const volume of blocks.ebs_block_device) {
      const was = state.ebs_block_device.find((each) => each.device_name === volume.device_name);
      if (was !== undefined) await change(volume, was.volume_id);
    }
  }
  if (!changed('volume_tags')) return;
  const difference = tagChange(tags.before, tags.after);
  for (const { volume_id } of [...state.root_block_device, ...state.ebs_block_device]) {
    await ec2Retag({ aws, id: volume_id }, difference);
  }
}
