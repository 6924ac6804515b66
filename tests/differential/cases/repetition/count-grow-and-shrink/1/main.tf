variable "n" {
  type = number
}

resource "terraform_data" "each" {
  count = var.n
  input = "number ${count.index} of ${var.n}"
}

output "inputs" {
  value = terraform_data.each[*].output
}

output "length" {
  value = length(terraform_data.each)
}
