variable "s" {
  default   = "secret"
  sensitive = true
}
resource "terraform_data" "was" {
  input = "open"
  lifecycle {
    ignore_changes = [input]
  }
}
resource "terraform_data" "becomes" {
  input = var.s
  lifecycle {
    ignore_changes = [input]
  }
}
resource "terraform_data" "part" {
  input = { a = "open", b = var.s }
  lifecycle {
    ignore_changes = [input["a"]]
  }
}
