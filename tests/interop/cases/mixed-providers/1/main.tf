terraform {
  required_providers {
    random = {
      source  = "hashicorp/random"
      version = "3.9.0"
    }
    local = {
      source  = "hashicorp/local"
      version = "2.9.0"
    }
    null = {
      source  = "hashicorp/null"
      version = "3.3.1"
    }
    time = {
      source  = "hashicorp/time"
      version = "0.14.2"
    }
    tls = {
      source  = "hashicorp/tls"
      version = "4.2.1"
    }
    tfcoremock = {
      source  = "hashicorp/tfcoremock"
      version = "0.5.0"
    }
  }
}

variable "size" {
  default = 2
}

resource "random_pet" "p" {
  count  = 2
  length = var.size
}

resource "local_file" "f" {
  count    = 2
  content  = random_pet.p[count.index].length
  filename = "pet-${count.index}.txt"
}

resource "null_resource" "n" {
  triggers = { files = join(",", local_file.f[*].content_sha256) }
}

resource "time_offset" "o" {
  base_rfc3339 = "2024-01-31T00:00:00Z"
  offset_days  = var.size
}

resource "tls_private_key" "k" {
  algorithm = "ED25519"
}

resource "tfcoremock_simple_resource" "m" {
  id      = "m"
  string  = time_offset.o.rfc3339
  integer = provider::time::rfc3339_parse(time_offset.o.rfc3339).day
  bool    = startswith(tls_private_key.k.public_key_openssh, "ssh-ed25519")
}
