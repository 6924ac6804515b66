// The objects of each resource type that queries find.
import { type List, listing, nextMarker } from '../resource/listing.ts';

export const roles: List = listing(
  (aws, Marker) => aws.iam.listRoles({ Marker }),
  ({ Roles }) => Roles,
  ({ RoleName: id, Path }) =>
    id === undefined || Path?.startsWith('/aws-service-role/') === true ? undefined : { id },
  nextMarker,
);

export const policies: List = listing(
  (aws, Marker) => aws.iam.listPolicies({ Scope: 'Local', Marker }),
  ({ Policies }) => Policies,
  ({ Arn: id, PolicyName: name }) => (id === undefined ? undefined : { id, name }),
  nextMarker,
);
