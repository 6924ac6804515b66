import type { Vpc, VpcCidrBlockState } from '@aws-sdk/client-ec2';
import { minutes, type Observed, type RemoteObject, seconds } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { omitUnset, only } from '../resource/only.ts';

/** The arguments of a VPC about its IPv6 network. */
export interface VpcIpv6 {
  readonly assign_generated_ipv6_cidr_block: boolean;
  readonly ipv6_association_id: string;
  readonly ipv6_cidr_block: string;
  readonly ipv6_cidr_block_network_border_group: string;
  readonly ipv6_ipam_pool_id?: string;
  readonly ipv6_netmask_length?: null;
}

/** Returns the IPv6 network of a VPC for the state: the previous one, otherwise the first one in use. */
export function ipv6Of(vpc: Vpc, state: { readonly ipv6_association_id: string | null }): VpcIpv6 {
  const used = (vpc.Ipv6CidrBlockAssociationSet ?? []).filter(
    ({ Ipv6CidrBlockState }) => Ipv6CidrBlockState?.State === 'associated',
  );
  const association =
    used.find(({ AssociationId }) => AssociationId === state.ipv6_association_id) ?? used[0];
  const pool = association?.Ipv6Pool ?? '';
  return {
    assign_generated_ipv6_cidr_block: pool === 'Amazon',
    ipv6_association_id: association?.AssociationId ?? '',
    ipv6_cidr_block: association?.Ipv6CidrBlock ?? '',
    ipv6_cidr_block_network_border_group: association?.NetworkBorderGroup ?? '',
    ...(pool !== 'Amazon' && { ipv6_ipam_pool_id: pool }),
    ...(association === undefined && { ipv6_netmask_length: null }),
  };
}

/** Disassociates an IPv6 network from a VPC. */
export async function disassociateIpv6(
  aws: RegionalAws,
  vpc: RemoteObject,
  id: string,
  association: string,
): Promise<void> {
  await aws.ec2.disassociateVpcCidrBlock({ AssociationId: association });
  await vpc.waitForDeletion({
    pending: ['associated', 'disassociating', 'failing'],
    timeout: minutes(5),
    ...waitOf(aws, id, association),
  });
}

/** Associates the planned IPv6 network with a VPC, if there is one. */
export async function associateIpv6(
  aws: RegionalAws,
  vpc: RemoteObject,
  id: string,
  plan: {
    readonly assign_generated_ipv6_cidr_block: boolean;
    readonly ipv6_cidr_block: unknown;
    readonly ipv6_cidr_block_network_border_group: unknown;
    readonly ipv6_ipam_pool_id: string | null;
    readonly ipv6_netmask_length: number | null;
  },
): Promise<void> {
  const pool = plan.ipv6_ipam_pool_id;
  const border = plan.ipv6_cidr_block_network_border_group;
  const cidr = plan.ipv6_cidr_block;
  if (!plan.assign_generated_ipv6_cidr_block && pool === null) return;
  const { Ipv6CidrBlockAssociation } = await aws.ec2.associateVpcCidrBlock({
    VpcId: id,
    ...(plan.assign_generated_ipv6_cidr_block
      ? { AmazonProvidedIpv6CidrBlock: true }
      : omitUnset({
          Ipv6IpamPoolId: pool,
          Ipv6NetmaskLength: plan.ipv6_netmask_length,
          Ipv6CidrBlock: typeof cidr === 'string' && cidr !== '' ? cidr : null,
        })),
    ...omitUnset({
      Ipv6CidrBlockNetworkBorderGroup: typeof border === 'string' && border !== '' ? border : null,
    }),
  });
  const association = Ipv6CidrBlockAssociation?.AssociationId ?? '';
  await vpc.waitFor('association of its IPv6 network', {
    pending: ['associating', 'disassociated', 'failing'],
    target: ['associated'],
    timeout: minutes(10),
    ...waitOf(aws, id, association),
  });
}

/** Polls the association of an IPv6 network; a missing or disassociated one counts as not found. */
function waitOf(aws: RegionalAws, id: string, association: string) {
  return {
    delay: seconds(10),
    minTimeout: seconds(5),
    reason: ({ StatusMessage }: VpcCidrBlockState): string | undefined => StatusMessage,
    refresh: async (): Promise<Observed<VpcCidrBlockState> | undefined> => {
      const { Vpcs } = await aws.ec2.describeVpcs({ VpcIds: [id] });
      const ipv6Association = only(Vpcs).Ipv6CidrBlockAssociationSet?.find(
        ({ AssociationId }) => AssociationId === association,
      )?.Ipv6CidrBlockState;
      if (ipv6Association === undefined || ipv6Association.State === 'disassociated')
        return undefined;
      return { result: ipv6Association, state: ipv6Association.State ?? '' };
    },
  };
}
