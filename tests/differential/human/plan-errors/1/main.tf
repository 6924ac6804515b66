variable "ok" {
  type    = bool
  default = false
}
resource "terraform_data" "fine" {
  input = "x"
}
resource "terraform_data" "refused" {
  input = terraform_data.fine.input
  lifecycle {
    precondition {
      condition     = var.ok
      error_message = "Not ok."
    }
  }
}
resource "terraform_data" "index" {
  input = var.ok ? "" : [for x in [1] : x][tonumber(terraform_data.fine.input == "x" ? 3 : 0)]
}
output "after" {
  value = terraform_data.refused.output
}
