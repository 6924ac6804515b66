variable "on" {
  type = bool
}

resource "terraform_data" "maybe" {
  count = var.on ? 1 : 0
  input = "here"
}

resource "terraform_data" "other" {
  for_each = var.on ? {} : { only = 1 }
}

resource "terraform_data" "always" {
  input = one(terraform_data.maybe[*].output)
}

output "one" {
  value = one(terraform_data.maybe[*].output)
}

output "joined" {
  value = join("", terraform_data.maybe[*].output)
}

output "try" {
  value = try(terraform_data.maybe[0].output, "off")
}

output "keys" {
  value = keys(terraform_data.other)
}
