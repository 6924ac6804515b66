terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}

resource "random_id" "id" {
  byte_length = 4
}

resource "random_id" "prefixed" {
  byte_length = 7
  prefix      = "pre-"
  keepers     = { a = "1" }
}

resource "random_integer" "dice" {
  min = 6
  max = 6
}

resource "random_password" "password" {
  length           = 20
  override_special = "_%@"
  min_lower        = 2
  min_upper        = 2
  min_numeric      = 2
  min_special      = 2
}

resource "random_string" "string" {
  length  = 12
  special = false
  upper   = false
}

resource "random_string" "only_digits" {
  length  = 9
  special = false
  upper   = false
  lower   = false
}

resource "random_pet" "pet" {}

resource "random_pet" "long" {
  length    = 4
  separator = "_"
  prefix    = "p"
}

resource "random_shuffle" "one" {
  input = ["only"]
}

resource "random_shuffle" "count" {
  input        = ["same", "same"]
  result_count = 5
}

resource "random_uuid" "uuid" {}

resource "random_uuid4" "four" {}

resource "random_uuid7" "seven" {}

resource "random_bytes" "bytes" {
  length = 10
}

output "lengths" {
  value = {
    hex    = length(random_id.id.hex)
    std    = length(random_id.id.b64_std)
    prefix = substr(random_id.prefixed.hex, 0, 4)
    string = length(random_string.string.result)
    digits = can(regex("^[0-9]{9}$", random_string.only_digits.result))
    pet    = length(split("_", random_pet.long.id))
    uuid   = length(random_uuid.uuid.result)
    bytes  = nonsensitive(length(random_bytes.bytes.base64))
  }
}

output "password" {
  value     = random_password.password.result
  sensitive = true
}

output "name" {
  value = "name-${random_pet.pet.id}"
}
