variable "v" {
  type    = number
  default = 1
}
resource "terraform_data" "other" {
  input = var.v
}
resource "terraform_data" "same" {
  lifecycle {
    precondition {
      condition     = var.v != 2
      error_message = "Never 2."
    }
    postcondition {
      condition     = terraform_data.other.output < 4
      error_message = "The other has ${terraform_data.other.output}."
    }
  }
}
resource "terraform_data" "reader" {
  input = terraform_data.same.id
}
output "reader" {
  value = terraform_data.reader.id
}
