# The examples of the documentation of `lifecycle` that are about machines, with what they leave out.
terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}

provider "aws" {
  region = var.region
}

variable "region" {
  type = string
}

variable "encrypted" {
  type    = bool
  default = true
}

variable "name" {
  type    = string
  default = "example-instance"
}

variable "image" {
  type    = string
  default = "ami-123456"
}

resource "aws_instance" "example" {
  ami           = var.image
  instance_type = "t2.micro"

  tags = {
    Name = var.name
  }

  lifecycle {
    # Another program updates tags by rules of its own.
    ignore_changes = [tags]
  }
}

resource "aws_instance" "in_place_of_old" {
  ami           = var.image
  instance_type = "t2.micro"

  lifecycle {
    create_before_destroy = true
  }
}

resource "aws_instance" "with_block" {
  ami           = data.aws_ami.example.id
  instance_type = "t2.micro"

  ebs_block_device {
    device_name = "/dev/sdf"
    volume_size = 4
  }
}

resource "aws_ami" "latest" {
  name                = "latest-${var.name}"
  virtualization_type = "hvm"
  root_device_name    = "/dev/sda1"

  lifecycle {
    # The server for tests gives images a volume and a way to start of its own.
    ignore_changes = [boot_mode, ebs_block_device]
  }
}

resource "aws_instance" "replaced" {
  ami           = aws_ami.latest.id
  instance_type = "t2.micro"

  lifecycle {
    replace_triggered_by = [aws_ami.latest]
  }
}

data "aws_ami" "example" {
  most_recent = true
  owners      = ["amazon"]

  filter {
    name   = "image-id"
    values = ["ami-*"]
  }
}

resource "aws_instance" "checked" {
  instance_type = "t3.micro"
  ami           = data.aws_ami.example.id

  root_block_device {
    encrypted   = var.encrypted
    volume_size = 8
  }

  lifecycle {
    precondition {
      condition     = data.aws_ami.example.architecture == "x86_64"
      error_message = "The selected AMI must be for the x86_64 architecture."
    }

    postcondition {
      condition     = self.public_dns != ""
      error_message = "EC2 instance must be in a VPC that has public DNS hostnames enabled."
    }
  }
}

data "aws_ebs_volume" "example" {
  filter {
    name   = "volume-id"
    values = [aws_instance.checked.root_block_device[0].volume_id]
  }

  lifecycle {
    postcondition {
      condition     = self.encrypted
      error_message = "The server's root volume is not encrypted."
    }
  }
}

output "api_base_url" {
  value = "https://${aws_instance.checked.private_dns}:8433/"
}
