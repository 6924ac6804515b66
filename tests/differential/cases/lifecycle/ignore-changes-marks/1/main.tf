variable "s" {
  default   = "secret"
  sensitive = true
}
resource "terraform_data" "was" {
  input = var.s
  lifecycle {
    ignore_changes = [input]
  }
}
resource "terraform_data" "becomes" {
  input = "open"
  lifecycle {
    ignore_changes = [input]
  }
}
resource "terraform_data" "part" {
  input = { a = var.s, b = "open" }
  lifecycle {
    ignore_changes = [input["a"]]
  }
}
