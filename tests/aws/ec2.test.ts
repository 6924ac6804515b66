import { EC2 } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';

const VPC = 'resource "aws_vpc" "v" {\n  cidr_block = "10.0.0.0/16"\n}\n';
const SUBNET = `${VPC}resource "aws_subnet" "s" {
  vpc_id     = aws_vpc.v.id
  cidr_block = "10.0.1.0/24"
}
`;

/** Import reads these arguments differently, because attachments made later count too. */
const IMPORTED_OTHERWISE = [
  'ebs_block_device',
  'public_ip',
  'public_dns',
  'associate_public_ip_address',
];

describe('machines of ec2', () => {
  let server: AwsServer;
  let ec2: EC2;
  let elsewhere: EC2;

  beforeAll(async () => {
    server = await startAws();
    ec2 = new EC2(server.options());
    elsewhere = new EC2(server.options('eu-west-2'));
  });
  afterAll(() => server.stop());

  const tagOutside = (id: unknown, region = ec2) =>
    region.createTags({ Resources: [String(id)], Tags: [{ Key: 'from', Value: 'outside' }] });

  const machines = async (): Promise<readonly unknown[]> =>
    ((await ec2.describeInstances({})).Reservations ?? [])
      .flatMap(({ Instances = [] }) => Instances)
      .filter(({ State }) => State?.Name !== 'terminated');

  it(
    'leads a key pair, a volume and an address through their lives',
    { timeout: 600_000 },
    async () => {
      const key =
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJmnk3JtnaVKvkYh6iSuIzmoC2sRzY5YGLRM4zJ5jBHV me';
      const pair = (name: string, tags: string): string =>
        `resource "aws_key_pair" "it" {\n  key_name   = "${name}"\n  public_key = "${key}"\n  ${tags}\n}\n`;
      await resourceLife(server, {
        address: 'aws_key_pair.it',
        config: pair('a', ''),
        state: { id: 'a', key_name: 'a', key_pair_id: /^key-/ },
        import: { ignore: ['public_key'] },
        updates: [{ config: pair('a', 'tags = { x = "y" }'), state: { tags: { x: 'y' } } }],
        replace: { config: pair('b', ''), by: ['key_name'] },
        drift: {
          change: ({ key_pair_id: id }) => tagOutside(id),
          seen: { tags: { from: 'outside' } },
        },
        disappear: () => ec2.deleteKeyPair({ KeyName: 'b' }),
        remaining: async () => (await ec2.describeKeyPairs({})).KeyPairs ?? [],
      });
      const volume = (more: string): string =>
        `resource "aws_ebs_volume" "it" {\n  availability_zone = "eu-west-1a"\n  ${more}\n}
data "aws_ebs_volume" "same" {\n  filter {\n    name   = "volume-id"\n    values = [aws_ebs_volume.it.id]\n  }\n}\n`;
      await resourceLife(server, {
        address: 'aws_ebs_volume.it',
        config: volume('size = 4\n  type = "gp3"'),
        state: { size: 4, type: 'gp3', encrypted: false },
        updates: [{ config: volume('size = 8\n  type = "gp3"'), state: { size: 8 } }],
        replace: { config: volume('size = 8\n  encrypted = true'), by: ['encrypted'] },
        drift: {
          change: async ({ id }) => {
            const VolumeId = String(id);
            await ec2.modifyVolume({ VolumeId, VolumeType: 'gp3', Size: 8 });
            await tagOutside(id);
          },
          seen: { type: 'gp3', tags: { from: 'outside' } },
        },
        disappear: ({ id }) => ec2.deleteVolume({ VolumeId: String(id) }),
        remaining: async () => (await ec2.describeVolumes({})).Volumes ?? [],
      });
      await resourceLife(server, {
        address: 'aws_eip.it',
        config: 'resource "aws_eip" "it" {\n  domain = "vpc"\n}\n',
        state: { id: /^eipalloc-/, domain: 'vpc', public_ip: /^\d/ },
        updates: [
          {
            config: 'resource "aws_eip" "it" {\n  domain = "vpc"\n  tags = { a = "b" }\n}\n',
            state: { tags: { a: 'b' } },
          },
        ],
        replace: {
          config: 'resource "aws_eip" "it" {\n  domain = "vpc"\n  region = "eu-west-2"\n}\n',
          by: ['region'],
        },
        drift: {
          change: ({ id }) => tagOutside(id, elsewhere),
          seen: { tags: { from: 'outside' } },
        },
        disappear: ({ id }) => elsewhere.releaseAddress({ AllocationId: String(id) }),
        remaining: async () => {
          const inEach = [ec2, elsewhere].map((region) => region.describeAddresses({}));
          return (await Promise.all(inEach)).flatMap(({ Addresses = [] }) => Addresses);
        },
      });
    },
  );

  it(
    'leads an instance with a volume and an address through its life',
    { timeout: 600_000 },
    async () => {
      const config = (more: string): string => `${SUBNET}
data "aws_ami" "linux" {
  most_recent = true
  owners      = ["amazon"]
  filter {
    name   = "name"
    values = ["amzn2-ami-hvm-*-x86_64-gp2"]
  }
}
resource "aws_security_group" "g" {
  vpc_id = aws_vpc.v.id
}
resource "aws_instance" "it" {
  ami                    = data.aws_ami.linux.id
  subnet_id              = aws_subnet.s.id
  vpc_security_group_ids = [aws_security_group.g.id]
  ${more}
}
resource "aws_ebs_volume" "data" {
  availability_zone = aws_instance.it.availability_zone
  size              = 1
}
resource "aws_volume_attachment" "data" {
  device_name = "/dev/sdh"
  volume_id   = aws_ebs_volume.data.id
  instance_id = aws_instance.it.id
}
resource "aws_eip" "ip" {
  instance = aws_instance.it.id
}
`;
      await resourceLife(server, {
        address: 'aws_instance.it',
        config: config(
          'instance_type = "t3.micro"\n  user_data = "#!/bin/sh"\n  tags = { Name = "web" }',
        ),
        state: { instance_state: 'running', instance_type: 't3.micro', user_data: '#!/bin/sh' },
        import: { ignore: IMPORTED_OTHERWISE },
        updates: [
          {
            config: config('instance_type = "t3.small"\n  disable_api_termination = false'),
            state: { instance_type: 't3.small', tags: {} },
          },
        ],
        drift: { change: ({ id }) => tagOutside(id), seen: { tags: { from: 'outside' } } },
        remaining: machines,
      });
    },
  );

  const instance = (label: string, ami = 'ami-1234abcd'): string =>
    `resource "aws_instance" "${label}" {
  ami           = "${ami}"
  instance_type = "t3.micro"
  subnet_id     = aws_subnet.s.id
}
`;

  it('detects changes of an instance outside of the run', { timeout: 600_000 }, async () => {
    await resourceLife(server, {
      address: 'aws_instance.it',
      config: SUBNET + instance('it'),
      state: { id: /^i-/, key_name: '', source_dest_check: true },
      replace: { config: SUBNET + instance('it', 'ami-4321dcba'), by: ['ami'] },
      drift: {
        change: ({ id }) =>
          ec2.modifyInstanceAttribute({
            InstanceId: String(id),
            SourceDestCheck: { Value: false },
          }),
        seen: { source_dest_check: false },
      },
      disappear: ({ id }) => ec2.terminateInstances({ InstanceIds: [String(id)] }),
      remaining: machines,
    });
  });

  it('leads an attachment of a volume through its life', { timeout: 600_000 }, async () => {
    const config = (device: string, more = ''): string => `${SUBNET}${instance('a')}
resource "aws_ebs_volume" "data" {
  availability_zone = aws_instance.a.availability_zone
  size              = 1
}
resource "aws_volume_attachment" "it" {
  device_name = "${device}"
  volume_id   = aws_ebs_volume.data.id
  instance_id = aws_instance.a.id
  ${more}
}
`;
    await resourceLife(server, {
      address: 'aws_volume_attachment.it',
      config: config('/dev/sdh'),
      state: { id: /^vai-\d+$/, device_name: '/dev/sdh' },
      import: {
        id: ({ device_name: device, volume_id: volume, instance_id: machine }) =>
          [device, volume, machine].join(':'),
      },
      updates: [
        { config: config('/dev/sdh', 'force_detach = true'), state: { force_detach: true } },
      ],
      replace: { config: config('/dev/sdi'), by: ['device_name'] },
      disappear: ({ device_name: device, volume_id: volume, instance_id: machine }) =>
        ec2.detachVolume({
          Device: String(device),
          VolumeId: String(volume),
          InstanceId: String(machine),
        }),
      alsoSeen: { 'aws_instance.a': { ebs_block_device: [] } },
      without: {
        drift:
          'what is attached where is all there is to it, and other than that it is another one',
      },
      remaining: async () => (await ec2.describeVolumes({})).Volumes ?? [],
    });
  });

  it('leads an association of an address through its life', { timeout: 600_000 }, async () => {
    const config = (label: string): string => `${SUBNET}${instance('a')}${instance('b')}
resource "aws_eip" "ip" {
  domain = "vpc"
}
resource "aws_eip_association" "it" {
  allocation_id = aws_eip.ip.id
  instance_id   = aws_instance.${label}.id
}
`;
    await resourceLife(server, {
      address: 'aws_eip_association.it',
      config: config('a'),
      state: { id: /^eipassoc-/, public_ip: /^\d/ },
      replace: { config: config('b'), by: ['instance_id'] },
      disappear: ({ id }) => ec2.disassociateAddress({ AssociationId: String(id) }),
      alsoSeen: { 'aws_eip.ip': { association_id: '' }, 'aws_instance.b': {} },
      without: {
        updates: 'all of its arguments need a replacement',
        drift: 'an address that goes to something else is another association, with another id',
      },
      remaining: async () => (await ec2.describeAddresses({})).Addresses ?? [],
    });
  });

  it('leads an image through its life', { timeout: 600_000 }, async () => {
    const volume = await ec2.createVolume({ AvailabilityZone: 'eu-west-1a', Size: 1 });
    const { SnapshotId = '' } = await ec2.createSnapshot({ VolumeId: volume.VolumeId });
    await ec2.deleteVolume({ VolumeId: volume.VolumeId });
    const config = (name: string, more = ''): string => `resource "aws_ami" "it" {
  name                = "${name}"
  virtualization_type = "hvm"
  root_device_name    = "/dev/sda1"
  ${more}
  ebs_block_device {
    device_name = "/dev/sda1"
    snapshot_id = "${SnapshotId}"
    volume_size = 15
  }
  lifecycle {
    # The server gives images snapshots of its own.
    ignore_changes = [boot_mode, ebs_block_device]
  }
}
`;
    await resourceLife(server, {
      address: 'aws_ami.it',
      config: config('a'),
      state: { id: /^ami-/, name: 'a' },
      // The server gives images snapshots of its own, and does not tell how they start.
      import: { ignore: ['ebs_block_device', 'virtualization_type'] },
      updates: [
        { config: config('a', 'tags = { x = "y" }'), state: { tags: { x: 'y' } } },
        { config: config('a'), state: { tags: {} } },
      ],
      replace: { config: config('b'), by: ['name'] },
      drift: { change: ({ id }) => tagOutside(id), seen: { tags: { from: 'outside' } } },
      disappear: ({ id }) => ec2.deregisterImage({ ImageId: String(id) }),
      remaining: async () => (await ec2.describeImages({ Owners: ['self'] })).Images ?? [],
    });
  });
});
