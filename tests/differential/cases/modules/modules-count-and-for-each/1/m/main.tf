variable "name" {}

resource "terraform_data" "it" {
  count = 2
  input = "${var.name}.${count.index}"
}

output "name" {
  value = join(",", terraform_data.it[*].output)
}
