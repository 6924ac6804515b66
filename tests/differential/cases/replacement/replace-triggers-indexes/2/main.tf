variable "k" { default = 0 }
resource "terraform_data" "a" {
  lifecycle { replace_triggered_by = [terraform_data.b[var.k]] }
}
resource "terraform_data" "b" { count = 1 }
