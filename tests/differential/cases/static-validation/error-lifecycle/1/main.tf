variable "b" {
  default = true
}
resource "terraform_data" "a" {
  lifecycle {
    create_before_destroy = var.b
    prevent_destroy       = "maybe"
    ignore_changes        = [nothing, input[0]]
  }
}
resource "terraform_data" "b" {
  lifecycle {
    replace_triggered_by = [var.b, terraform_data.absent]
    ignore_changes       = everything
  }
}
data "terraform_remote_state" "d" {
  backend = "local"
  lifecycle {
    create_before_destroy = true
  }
}
