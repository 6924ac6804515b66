variable "s" {
  default   = true
  sensitive = true
}
variable "n" {
  type    = bool
  default = null
}
resource "terraform_data" "null" {
  lifecycle {
    enabled = var.n
  }
}
resource "terraform_data" "list" {
  lifecycle {
    enabled = [true]
  }
}
resource "terraform_data" "sensitive" {
  lifecycle {
    enabled = var.s
  }
}
