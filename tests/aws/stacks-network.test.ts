// Networks and machines in whole configurations: applied, changed and destroyed.
import { describe, it } from 'vitest';
import { ASSUMED, stackRuns } from './stack-runs.ts';

describe('a stack', () => {
  const { run, step } = stackRuns();

  it('of subnets in zones, with routes and groups', { timeout: 600_000 }, async () => {
    const stack = (zones: string, more = '', rules = ''): string => `
data "aws_availability_zones" "here" {
  state = "available"
}
locals {
  zones = ${zones}
}
resource "aws_vpc" "main" {
  cidr_block           = "10.0.0.0/16"
  enable_dns_hostnames = true
  ${more}
}
resource "aws_internet_gateway" "main" {
  vpc_id = aws_vpc.main.id
}
resource "aws_subnet" "zone" {
  for_each                = local.zones
  vpc_id                  = aws_vpc.main.id
  cidr_block              = cidrsubnet(aws_vpc.main.cidr_block, 8, each.value)
  availability_zone       = data.aws_availability_zones.here.names[each.value]
  map_public_ip_on_launch = true
  tags                    = { Name = each.key }
}
resource "aws_route_table" "out" {
  vpc_id = aws_vpc.main.id
  route {
    cidr_block = "0.0.0.0/0"
    gateway_id = aws_internet_gateway.main.id
  }
}
resource "aws_route_table_association" "out" {
  for_each       = aws_subnet.zone
  subnet_id      = each.value.id
  route_table_id = aws_route_table.out.id
}
resource "aws_security_group" "web" {
  name_prefix = "web-"
  vpc_id      = aws_vpc.main.id
  ingress {
    from_port   = 80
    to_port     = 80
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
  ${rules}
  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }
  lifecycle {
    create_before_destroy = true
  }
}
data "aws_subnets" "all" {
  filter {
    name   = "vpc-id"
    values = [aws_vpc.main.id]
  }
  depends_on = [aws_subnet.zone]
}
output "subnets" {
  value = length(data.aws_subnets.all.ids)
}
`;
    const ssh =
      'ingress {\n    description = "ssh"\n    from_port = 22\n    to_port = 22\n    protocol = "6"\n    cidr_blocks = ["10.0.0.0/8"]\n    ipv6_cidr_blocks = ["fd00::/8"]\n    self = true\n  }';
    await run(
      step(stack('{ a = 0, b = 1 }'), { outputs: { subnets: 2 } }),
      step(stack('{ a = 0, b = 1, c = 2 }', 'enable_dns_support = true', ssh), {
        plan: {
          'aws_subnet.zone["c"]': 'create',
          'aws_route_table_association.out["c"]': 'create',
          'aws_security_group.web': 'update',
          'data.aws_subnets.all': 'read',
        },
        outputs: { subnets: 3 },
      }),
      step(stack('{ b = 1, c = 2 }', 'tags = { Name = "main" }'), { outputs: { subnets: 2 } }),
    );
  });

  it('of machines that start from each other', { timeout: 600_000 }, async () => {
    const stack = (type: string, more = ''): string => `
resource "aws_key_pair" "me" {
  key_name   = "me"
  public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJmnk3JtnaVKvkYh6iSuIzmoC2sRzY5YGLRM4zJ5jBHV me"
}
resource "aws_iam_role" "machine" {
  name               = "machine"
  assume_role_policy = ${ASSUMED('ec2')}
}
resource "aws_iam_instance_profile" "machine" {
  role = aws_iam_role.machine.name
}
data "aws_ami" "linux" {
  most_recent = true
  owners      = ["amazon"]
  filter {
    name   = "name"
    values = ["amzn2-ami-hvm-*-x86_64-gp2"]
  }
}
resource "aws_instance" "web" {
  count                = 2
  ami                  = data.aws_ami.linux.id
  instance_type        = "${type}"
  key_name             = aws_key_pair.me.key_name
  iam_instance_profile = aws_iam_instance_profile.machine.name
  user_data            = "#!/bin/sh\\necho \${count.index}"
  monitoring           = true
  root_block_device {
    volume_size = 9
    volume_type = "gp3"
  }
  metadata_options {
    http_tokens = "required"
  }
  ${more}
  tags = { Name = "web-\${count.index}" }
}
resource "aws_ebs_volume" "data" {
  count             = 2
  availability_zone = aws_instance.web[count.index].availability_zone
  size              = 2
  type              = "gp3"
}
resource "aws_volume_attachment" "data" {
  count       = 2
  device_name = "/dev/sdh"
  volume_id   = aws_ebs_volume.data[count.index].id
  instance_id = aws_instance.web[count.index].id
}
`;
    await run(
      step(stack('t3.micro')),
      step(stack('t3.small', 'disable_api_stop = false\n  ebs_optimized = false'), {
        plan: { 'aws_instance.web[0]': 'update', 'aws_instance.web[1]': 'update' },
      }),
    );
  });

  it('of rules of groups of all kinds', { timeout: 600_000 }, async () => {
    const stack = (port: number, description: string): string => `
resource "aws_vpc" "main" {
  cidr_block = "10.0.0.0/16"
}
resource "aws_security_group" "web" {
  name   = "web"
  vpc_id = aws_vpc.main.id
}
resource "aws_security_group" "db" {
  name        = "db"
  description = "of the database"
  vpc_id      = aws_vpc.main.id
}
resource "aws_vpc_security_group_ingress_rule" "from" {
  for_each          = { v4 = ["10.0.0.0/8", null], v6 = [null, "::/0"] }
  security_group_id = aws_security_group.web.id
  cidr_ipv4         = each.value[0]
  cidr_ipv6         = each.value[1]
  ip_protocol       = "tcp"
  from_port         = ${port}
  to_port           = ${port}
  description       = "${description}"
  tags              = { Name = each.key }
}
resource "aws_vpc_security_group_ingress_rule" "group" {
  security_group_id            = aws_security_group.db.id
  referenced_security_group_id = aws_security_group.web.id
  ip_protocol                  = "tcp"
  from_port                    = 5432
  to_port                      = 5432
}
resource "aws_vpc_security_group_egress_rule" "all" {
  security_group_id = aws_security_group.web.id
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "-1"
}
resource "aws_security_group" "older" {
  name   = "older"
  vpc_id = aws_vpc.main.id
}
resource "aws_security_group_rule" "self" {
  type              = "ingress"
  security_group_id = aws_security_group.older.id
  protocol          = "-1"
  from_port         = 0
  to_port           = 0
  self              = true
}
resource "aws_security_group_rule" "several" {
  type              = "egress"
  security_group_id = aws_security_group.older.id
  protocol          = "udp"
  from_port         = ${port}
  to_port           = ${port}
  cidr_blocks       = ["10.1.0.0/16", "10.2.0.0/16"]
  description       = "${description}"
}
resource "aws_security_group_rule" "other" {
  type                     = "ingress"
  security_group_id        = aws_security_group.older.id
  protocol                 = "icmp"
  from_port                = -1
  to_port                  = -1
  source_security_group_id = aws_security_group.web.id
}
`;
    await run(step(stack(80, 'one')), step(stack(80, 'two')), step(stack(81, 'two')));
  });

  it('of records of all types', { timeout: 600_000 }, async () => {
    const stack = (ttl: number): string => `
locals {
  records = {
    A     = ["192.0.2.1"]
    AAAA  = ["2001:db8::1"]
    CNAME = ["target.example.com"]
    MX    = ["10 mail.example.com"]
    TXT   = ["v=spf1 -all", "other"]
    SRV   = ["1 10 5269 xmpp.example.com"]
    CAA   = ["0 issue \\"ca.example.com\\""]
    NS    = ["ns1.example.com", "ns2.example.com"]
  }
}
resource "aws_route53_zone" "main" {
  name          = "stack.example.com"
  force_destroy = true
}
resource "aws_route53_record" "each" {
  for_each = local.records
  zone_id  = aws_route53_zone.main.zone_id
  name     = "r-\${lower(each.key)}"
  type     = each.key
  ttl      = ${ttl}
  records  = each.value
}
resource "aws_route53_record" "star" {
  zone_id = aws_route53_zone.main.zone_id
  name    = "*.stack.example.com"
  type    = "A"
  alias {
    name                   = aws_route53_record.each["A"].fqdn
    zone_id                = aws_route53_zone.main.zone_id
    evaluate_target_health = true
  }
}
resource "aws_route53_record" "weighted" {
  count          = 2
  zone_id        = aws_route53_zone.main.zone_id
  name           = ""
  type           = "A"
  ttl            = ${ttl}
  records        = ["192.0.2.\${count.index}"]
  set_identifier = "w\${count.index}"
  weighted_routing_policy {
    weight = count.index
  }
}
`;
    await run(step(stack(300)), step(stack(60)));
  });

  it('whose resources move', { timeout: 600_000 }, async () => {
    const queue = (label: string, more: string): string =>
      `resource "aws_sqs_queue" "${label}" {\n${more}\n  timeouts {\n    create = "4m"\n  }\n}\n`;
    await run(
      step(queue('a', 'count = 2\n  name = "q-${count.index}"')),
      step(
        `${queue('b', 'for_each = toset(["0", "1"])\n  name = "q-${each.key}"')}
moved {
  from = aws_sqs_queue.a[0]
  to   = aws_sqs_queue.b["0"]
}
moved {
  from = aws_sqs_queue.a[1]
  to   = aws_sqs_queue.b["1"]
}
`,
        { state: { 'aws_sqs_queue.b["1"]': { name: 'q-1' } } },
      ),
      step(
        `${queue('b', 'for_each = toset(["1"])\n  name = "q-${each.key}"')}
removed {
  from = aws_sqs_queue.a
  lifecycle {
    destroy = false
  }
}
`,
      ),
    );
  });
});
