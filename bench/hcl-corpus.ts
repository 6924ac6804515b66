/**
 * Realistic configuration text: modules as people write them, with heredocs, comments, nested
 * blocks, templates, `for` expressions and maps. Always the same for a size.
 */
export function hclCorpus(modules: number): string {
  const parts: string[] = [HEADER];
  for (let i = 0; i < modules; i++) parts.push(module(i));
  return parts.join('\n');
}

const HEADER = `terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
}

provider "aws" {
  region = var.region
  default_tags {
    tags = local.tags
  }
}
`;

function module(i: number): string {
  const cidr = `10.${(i >> 8) & 255}.${i & 255}`;
  return `# ---------------------------------------------------------------
# Service ${i}
# ---------------------------------------------------------------

variable "service_${i}_size" {
  description = "How many machines service ${i} has."
  type        = number
  default     = ${(i % 7) + 1}

  validation {
    condition     = var.service_${i}_size > 0 && var.service_${i}_size <= 100
    error_message = "The size must be between 1 and 100."
  }
}

variable "service_${i}_rules" {
  type = list(object({
    port        = number
    protocol    = optional(string, "tcp")
    cidr_blocks = list(string)
  }))
  default = [
    { port = 80, cidr_blocks = ["0.0.0.0/0"] },
    { port = 443, cidr_blocks = ["${cidr}.0/24", "${cidr}.128/25"] },
  ]
}

locals {
  service_${i}_name = "\${var.environment}-service-${i}"
  service_${i}_tags = merge(local.tags, {
    Name    = local.service_${i}_name
    Service = "service-${i}"
    Owner   = "team-${i % 12}" // who gets the bill
  })
  service_${i}_ports = { for rule in var.service_${i}_rules : tostring(rule.port) => rule if rule.port > 0 }
  service_${i}_zones = [for index, zone in data.aws_availability_zones.all.names : upper(zone) if index < 3]
}

resource "aws_security_group" "service_${i}" {
  name        = "\${local.service_${i}_name}-sg"
  description = "Managed by Terraform"
  vpc_id      = aws_vpc.main.id

  dynamic "ingress" {
    for_each = local.service_${i}_ports
    content {
      from_port   = ingress.value.port
      to_port     = ingress.value.port
      protocol    = ingress.value.protocol
      cidr_blocks = ingress.value.cidr_blocks
    }
  }

  egress {
    from_port   = 0
    to_port     = 0
    protocol    = "-1"
    cidr_blocks = ["0.0.0.0/0"]
  }

  tags = local.service_${i}_tags

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_instance" "service_${i}" {
  count = var.service_${i}_size

  ami                    = data.aws_ami.base.id
  instance_type          = var.environment == "production" ? "m5.large" : "t3.micro"
  subnet_id              = element(aws_subnet.private[*].id, count.index)
  vpc_security_group_ids = [aws_security_group.service_${i}.id]
  monitoring             = true

  user_data = <<-EOT
    #!/bin/bash
    set -euo pipefail
    echo "service ${i} on $(hostname)" > /etc/motd
    export NAME="\${local.service_${i}_name}-\${count.index}"
    %{ for port in keys(local.service_${i}_ports) ~}
    iptables -A INPUT -p tcp --dport \${port} -j ACCEPT
    %{ endfor ~}
    exec /usr/local/bin/agent --config /etc/agent/\${var.environment}.json
  EOT

  root_block_device {
    volume_type = "gp3"
    volume_size = 20 + ${i % 5} * 10
    encrypted   = true
  }

  tags = merge(local.service_${i}_tags, { Index = count.index })
}

data "aws_iam_policy_document" "service_${i}" {
  statement {
    sid       = "Read"
    actions   = ["s3:GetObject", "s3:ListBucket"]
    resources = ["arn:aws:s3:::bucket-${i}", "arn:aws:s3:::bucket-${i}/*"]

    condition {
      test     = "StringEquals"
      variable = "aws:PrincipalTag/team"
      values   = ["team-${i % 12}"]
    }
  }
}

output "service_${i}_addresses" {
  description = "The addresses of service ${i}"
  value       = { for instance in aws_instance.service_${i} : instance.tags["Name"] => instance.private_ip... }
}
`;
}
