# A web server in a network of its own.

terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
  }
}

provider "aws" {
  region = var.region

  default_tags {
    tags = { Project = var.name }
  }
}

data "aws_availability_zones" "all" {
  state = "available"
}

data "aws_ami" "linux" {
  most_recent = true
  owners      = ["137112412989"] # Amazon

  filter {
    name   = "name"
    values = ["al2023-ami-2023.*-kernel-6.1-x86_64"]
  }
}

resource "aws_vpc" "web" {
  cidr_block           = "10.0.0.0/16"
  enable_dns_hostnames = true
  tags                 = { Name = var.name }
}

resource "aws_subnet" "public" {
  count = var.zones

  vpc_id                  = aws_vpc.web.id
  availability_zone       = data.aws_availability_zones.all.names[count.index]
  cidr_block              = cidrsubnet(aws_vpc.web.cidr_block, 8, count.index)
  map_public_ip_on_launch = true
  tags                    = { Name = "${var.name}-${count.index}" }
}

resource "aws_internet_gateway" "web" {
  vpc_id = aws_vpc.web.id
  tags   = { Name = var.name }
}

resource "aws_route_table" "public" {
  vpc_id = aws_vpc.web.id
  tags   = { Name = var.name }

  route {
    cidr_block = "0.0.0.0/0"
    gateway_id = aws_internet_gateway.web.id
  }
}

resource "aws_route_table_association" "public" {
  count = var.zones

  route_table_id = aws_route_table.public.id
  subnet_id      = aws_subnet.public[count.index].id
}

resource "aws_security_group" "web" {
  name        = var.name
  description = "What may reach the web server"
  vpc_id      = aws_vpc.web.id
}

resource "aws_vpc_security_group_ingress_rule" "web" {
  for_each = { http = 80, https = 443 }

  security_group_id = aws_security_group.web.id
  description       = each.key
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "tcp"
  from_port         = each.value
  to_port           = each.value
}

resource "aws_vpc_security_group_egress_rule" "all" {
  security_group_id = aws_security_group.web.id
  cidr_ipv4         = "0.0.0.0/0"
  ip_protocol       = "-1"
}

resource "aws_instance" "web" {
  ami                    = data.aws_ami.linux.id
  instance_type          = "t3.micro"
  subnet_id              = aws_subnet.public[0].id
  vpc_security_group_ids = [aws_security_group.web.id]
  tags                   = { Name = var.name }

  user_data = <<-EOT
    #!/bin/sh
    dnf install -y nginx
    systemctl enable --now nginx
  EOT

  # The address must be reachable when it is handed out.
  depends_on = [aws_route_table_association.public]
}

variable "name" {
  type    = string
  default = "terrane-web"
}

variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "zones" {
  description = "How many availability zones the network is in."
  type        = number
  default     = 2
}

output "address" {
  value = aws_instance.web.public_ip
}

output "network" {
  value = {
    vpc     = aws_vpc.web.id
    subnets = aws_subnet.public[*].id
  }
}
